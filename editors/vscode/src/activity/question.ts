/** The question that a row stands for. The server reads it, not a person, so it is not translated. */
import { Uri } from "vscode";
import type { AssembleParams, MemoryEvent, Task } from "../protocol";
import { commandOf, failed, lineOf, outputOf, pathOf, textOf } from "./fields";
import { excerpt } from "./tooltip";

export function questionForEvent(rootUri: string, event: MemoryEvent): AssembleParams {
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

export function questionForTask(rootUri: string, task: Task): AssembleParams {
  return { query: task.goal, rootUri };
}

function queryFor(event: MemoryEvent): string {
  const path = pathOf(event);
  const message = textOf(event, "message");
  const command = commandOf(event);
  if (event.type === "shell_exec" && command !== undefined) {
    return failed(event)
      ? [`Fix the error: the command \`${command}\` failed.`, excerpt(outputOf(event))].join("\n").trim()
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
