/** One event as a row. */
import { basename, dirname } from "node:path/posix";
import { l10n, ThemeColor, ThemeIcon } from "vscode";
import { commandOf, failed, lineOf, numberOf, outputOf, pathOf, textOf } from "../event-fields";
import type { ListedEvent } from "../protocol";
import type { ActivityNode } from "./node";
import { clock, duration, fullTime } from "./times";
import { tooltip } from "./tooltip";

const RED = new ThemeColor("list.errorForeground");
const YELLOW = new ThemeColor("list.warningForeground");
const GREEN = new ThemeColor("testing.iconPassed");

const ICONS: Readonly<Record<string, string>> = {
  file_read: "eye",
  file_focus: "eye",
  file_edit: "edit",
  file_write: "save",
  file_rename: "arrow-swap",
  file_delete: "trash",
  files_changed: "files",
  shell_exec: "terminal",
  error: "error",
  diagnostic: "warning",
  git_checkout: "git-branch",
  git_commit: "git-commit",
  git_stash: "archive",
  git_rebase: "git-merge",
  note: "note",
  working_set: "pinned",
};

export function eventNode(rootUri: string, event: ListedEvent): ActivityNode {
  const path = pathOf(event);
  const command = event.type === "shell_exec" ? commandOf(event) : undefined;
  const traits = ["event", path && "file", command && "command", failed(event) && "failure"];
  return {
    id: `${rootUri}|event|${event.id}`,
    rootUri,
    subject: { type: "event", event },
    label: labelOf(event),
    description: [...details(event), clock(event.timestamp)].join(" · "),
    icon: iconOf(event),
    tooltip: tooltip(event.text, facts(event), outputOf(event)),
    spoken: l10n.t("{0}, {1}", event.text, fullTime(event.timestamp)),
    traits: traits.filter(Boolean).join(" "),
  };
}

/** The icon shows what kind of thing happened, so the label need not say it again. */
function labelOf(event: ListedEvent): string {
  const path = pathOf(event);
  switch (event.type) {
    case "shell_exec":
      return firstLine(commandOf(event) ?? event.text);
    case "error":
    case "diagnostic":
      return firstLine(textOf(event, "message") ?? event.text);
    case "note":
      return firstLine(textOf(event, "text") ?? event.text);
    case "git_commit":
      return firstLine(textOf(event, "subject") ?? event.text);
    case "git_checkout":
      return textOf(event, "to") ?? event.text;
    default:
      return path !== undefined && event.type.startsWith("file_") ? basename(path) : event.text;
  }
}

function details(event: ListedEvent): readonly string[] {
  const path = pathOf(event);
  if (event.type === "shell_exec") {
    const code = numberOf(event, "exitCode");
    return code === undefined || code === 0 ? [] : [l10n.t("exit {0}", code)];
  }
  if (path === undefined) {
    return [];
  }
  if (event.type === "error" || event.type === "diagnostic") {
    const line = lineOf(event);
    return [line === undefined ? basename(path) : `${basename(path)}:${line}`];
  }
  const folder = dirname(path);
  return folder === "." || !event.type.startsWith("file_") ? [] : [folder];
}

function iconOf(event: ListedEvent): ThemeIcon {
  const known = ICONS[event.type];
  if (event.type === "shell_exec") {
    return failed(event) ? new ThemeIcon("error", RED) : new ThemeIcon("terminal", GREEN);
  }
  if (event.type === "error") {
    return new ThemeIcon("bug", RED);
  }
  if (event.type === "diagnostic") {
    const solved = textOf(event, "state") !== "appeared";
    return solved ? new ThemeIcon("pass", GREEN) : new ThemeIcon("warning", YELLOW);
  }
  const icon = known ?? (event.type.includes("test") ? "beaker" : "circle-small-filled");
  return failed(event) ? new ThemeIcon(known === undefined ? "error" : icon, RED) : new ThemeIcon(icon);
}

function facts(event: ListedEvent): readonly (readonly [string, string | undefined])[] {
  const path = pathOf(event);
  const line = lineOf(event);
  const took = numberOf(event, "durationMs");
  const code = numberOf(event, "exitCode");
  return [
    [l10n.t("Time"), fullTime(event.timestamp)],
    [l10n.t("File"), path === undefined || line === undefined ? path : `${path}:${line}`],
    [l10n.t("Exit code"), code === undefined ? undefined : String(code)],
    [l10n.t("Took"), took === undefined ? undefined : duration(took)],
    [l10n.t("Folder"), textOf(event, "cwd")],
    [l10n.t("Source"), textOf(event, "source")],
    [l10n.t("Session"), event.sessionId],
  ];
}

function firstLine(text: string): string {
  return text.trim().split(/\r?\n/u, 1)[0] ?? "";
}
