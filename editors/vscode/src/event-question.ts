/** The question that an event stands for. The server reads it, not a person, so it is not translated. */
import { Uri } from "vscode";
import { commandOf, failed, lineOf, outputOf, pathOf, textOf } from "./event-fields";
import type { AssembleParams, ListedEvent } from "./protocol";

const MOST_LINES = 12;
const FEWEST_TELLING = 2;
const LINE_CHARS = 300;
/** Lines that say what is wrong, or where. */
const TELLING = /error|exception|fail|panic|assert|fatal|not found|cannot|undefined|File ".*", line \d+|[\w)]:\d+(?::\d+)?\b/iu;

export function questionForEvent(rootUri: string, event: ListedEvent): AssembleParams {
  const path = pathOf(event);
  const line = lineOf(event);
  const document = path === undefined ? undefined : { uri: Uri.joinPath(Uri.parse(rootUri), path).toString() };
  return {
    query: queryFor(event),
    rootUri,
    ...(failed(event) || event.type === "diagnostic" ? { strategy: "debug" } : {}),
    ...(document === undefined ? {} : { textDocument: document }),
    ...(document === undefined || line === undefined ? {} : { position: { line: line - 1, character: 0 } }),
  };
}

function queryFor(event: ListedEvent): string {
  const path = pathOf(event);
  const message = textOf(event, "message");
  const command = commandOf(event);
  if (event.type === "shell_exec" && command !== undefined) {
    return failed(event)
      ? [`Fix the error: the command \`${command}\` failed.`, ...tellingLines(outputOf(event))].join("\n")
      : `What does \`${command}\` run, and what did it show?`;
  }
  if (message !== undefined) {
    const line = lineOf(event);
    const place = path === undefined ? "" : ` at ${path}${line === undefined ? "" : `:${line}`}`;
    return `Fix the error: ${message}${place}`;
  }
  if (path !== undefined) {
    return `How does ${path} work, and what was done with it?`;
  }
  return textOf(event, "text", "subject") ?? event.text;
}

/** The last lines that tell of the error; the last lines of all where hardly any does. */
function tellingLines(output: string): readonly string[] {
  const lines = output.split(/\r?\n/u).map((line) => line.trimEnd().slice(0, LINE_CHARS));
  const filled = lines.filter((line) => line !== "");
  const telling = filled.filter((line) => TELLING.test(line));
  return (telling.length >= FEWEST_TELLING ? telling : filled).slice(-MOST_LINES);
}
