/** Commands that ended, as events of the type `shell_exec`. */
import type * as vscode from "vscode";
import { optional } from "../optional";
import type { EventKind } from "../settings";
import { folderOnDisk, onlyFolder, type Recorder } from "./recorder";

export interface Command {
  readonly line: string;
  readonly cwd: vscode.Uri | undefined;
  readonly exitCode: number;
  /** Milliseconds. */
  readonly began: number;
  readonly ended: number;
  readonly output: string;
}

/** These tell the server themselves what they run. */
const TELLS_ITSELF = /^(?:\S*[\\/])?contextls(?:\.exe)?\s+(?:run|record)\b/;

/**
 * Records `command` in the folder where it ran: in none when it ran elsewhere, in the only one when nobody knows. Resolves
 * with whether it is remembered; never rejects.
 */
export async function recordCommand(recorder: Recorder, kind: EventKind, command: Command): Promise<boolean> {
  const line = command.line.trim();
  const folder = command.cwd === undefined ? onlyFolder() : folderOnDisk(command.cwd);
  if (folder === undefined || line === "" || TELLS_ITSELF.test(line)) {
    return false;
  }
  const { id } = await recorder.record(kind, folder, {
    type: "shell_exec",
    timestamp: command.ended,
    content: {
      command: line,
      exitCode: command.exitCode,
      cwd: (command.cwd ?? folder.uri).fsPath,
      durationMs: command.ended - command.began,
      ...optional({ stdout: command.output === "" ? undefined : command.output }),
    },
  });
  return id !== null;
}
