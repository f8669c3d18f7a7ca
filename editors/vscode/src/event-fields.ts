/** Reads the content of an event, which other versions and other clients may have written. */
import type { ListedEvent } from "./protocol";

/** The text under the first of `names` that has one. */
export function textOf(event: ListedEvent, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = event.content[name];
    if (typeof value === "string" && value !== "") {
      return value;
    }
  }
  return undefined;
}

export function numberOf(event: ListedEvent, name: string): number | undefined {
  const value = event.content[name];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** The file that an event is about, relative to the folder. */
export function pathOf(event: ListedEvent): string | undefined {
  return event.type === "shell_exec" ? undefined : textOf(event, "path");
}

/** One-based. */
export function lineOf(event: ListedEvent): number | undefined {
  const line = numberOf(event, "line") ?? numberOf(event, "startLine");
  return line !== undefined && line >= 1 ? Math.floor(line) : undefined;
}

export function commandOf(event: ListedEvent): string | undefined {
  return textOf(event, "command");
}

/** What a command printed: its errors last, where a reader looks first. */
export function outputOf(event: ListedEvent): string {
  const parts = [textOf(event, "stdout", "output"), textOf(event, "stderr", "traceback")];
  return parts.filter((part) => part !== undefined).join("\n");
}

export function failed(event: ListedEvent): boolean {
  return event.outcome === "failure" || event.type === "error";
}
