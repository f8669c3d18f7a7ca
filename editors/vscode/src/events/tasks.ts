/**
 * Tasks that ran a process, with what their terminal shows where it has shell integration. Tasks that were stopped
 * before they ended have no exit code and are not recorded, nor are those that run inside of an extension.
 */
import { resolve } from "node:path";
import * as vscode from "vscode";
import type { Services } from "../services";
import { recordCommand } from "./commands";
import { onlyFolder, type Recorder } from "./recorder";
import type { TaskTerminals } from "./task-terminals";

interface Running {
  readonly began: number;
  readonly processId: number;
}

export function recordTasks(services: Services, recorder: Recorder, terminals: TaskTerminals): vscode.Disposable {
  const running = new Map<vscode.TaskExecution, Running>();

  const ended = async (task: vscode.Task, known: Running, exitCode: number): Promise<void> => {
    const ended = Date.now();
    const shown = await terminals.shownBy(known.processId, known.began);
    const line = commandLine(task, shown?.execution);
    const cwd = folderOf(task, shown?.execution);
    const output = (await shown?.output.text()) ?? "";
    if (line !== undefined) {
      void recordCommand(recorder, "tasks", { line, cwd, exitCode, began: known.began, ended, output });
    }
  };

  return vscode.Disposable.from(
    vscode.tasks.onDidStartTaskProcess(({ execution, processId }) => {
      terminals.started(processId);
      if (services.memory.records) {
        running.set(execution, { began: Date.now(), processId });
      }
    }),
    vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
      const known = running.get(execution);
      running.delete(execution);
      if (known !== undefined) {
        terminals.ended(known.processId);
      }
      if (known !== undefined && exitCode !== undefined) {
        ended(execution.task, known, exitCode).catch((error: unknown) => {
          services.log.warn(`a task was not recorded: ${String(error)}`);
        });
      }
    }),
    vscode.tasks.onDidEndTask(({ execution }) => {
      // Its process, if it had one, ended before; events of one task may come in the same moment.
      setTimeout(() => running.delete(execution), 0);
    }),
    vscode.window.onDidCloseTerminal((terminal) => {
      terminals.closed(terminal);
    }),
  );
}

/** What the task ran, with its variables filled in where the terminal shows it so. */
function commandLine(task: vscode.Task, shown: vscode.TerminalShellExecution | undefined): string | undefined {
  const own = ownLine(task.execution);
  if (own?.includes("${") !== true || shown === undefined) {
    return own;
  }
  const { value, confidence } = shown.commandLine;
  const isLow = confidence === vscode.TerminalShellExecutionCommandLineConfidence.Low;
  return isLow ? value.slice(value.indexOf(": ") + 1).trim() : value; // “* Executing task: npm test”
}

function ownLine(execution: vscode.Task["execution"]): string | undefined {
  if (execution instanceof vscode.ProcessExecution) {
    return [execution.process, ...execution.args].map(quoted).join(" ");
  }
  if (execution instanceof vscode.ShellExecution) {
    const { command, args = [] } = execution;
    return execution.commandLine ?? (command === undefined ? undefined : [command, ...args].map(text).join(" "));
  }
  return undefined;
}

function text(argument: string | vscode.ShellQuotedString): string {
  return typeof argument === "string" ? argument : quoted(argument.value);
}

function quoted(argument: string): string {
  return /^[\w./:=@%+,~-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}

function folderOf(task: vscode.Task, shown: vscode.TerminalShellExecution | undefined): vscode.Uri | undefined {
  if (shown?.cwd !== undefined) {
    return shown.cwd;
  }
  const given = task.execution instanceof vscode.CustomExecution ? undefined : task.execution?.options?.cwd;
  const folder = typeof task.scope === "object" ? task.scope : onlyFolder();
  if (given === undefined || given.includes("${")) {
    return folder?.uri;
  }
  return vscode.Uri.file(resolve(folder?.uri.fsPath ?? "/", given));
}
