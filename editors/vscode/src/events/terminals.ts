/**
 * Commands of terminals with shell integration; others say nothing about what runs in them.
 *
 * Not recorded are: a line that is empty or begins with a space where the shell still shows it; a command whose exit
 * code nobody reported (a shell within the shell, an empty line), since an invented code would be a failure or a
 * success that never was; and a command line of low confidence, which the editor read off the screen: that is what
 * terminals of tasks have (“* Executing task: …”). Commands of tasks are recorded by `tasks.ts`, with the output that
 * is kept here.
 *
 * Where the extension host is remote, the editor hands over no output of a command that ends within some 50 ms: its
 * beginning, data and end arrive together, before anybody can read.
 */
import * as vscode from "vscode";
import type { Services } from "../services";
import { recordCommand } from "./commands";
import { FailedTerminals } from "./failed-terminals";
import { Output } from "./output";
import type { Recorder } from "./recorder";
import type { TaskTerminals } from "./task-terminals";

const { Low } = vscode.TerminalShellExecutionCommandLineConfidence;

interface Running {
  readonly began: number;
  readonly output: Output;
}

/** Tells the hooks that `contextls hook` prints that commands of these terminals are recorded, or left out, here. */
const EDITOR = "CONTEXTLS_EDITOR";

export function recordTerminals(services: Services, recorder: Recorder, tasks: TaskTerminals): vscode.Disposable {
  const failed = new FailedTerminals();
  const running = new WeakMap<vscode.TerminalShellExecution, Running>();
  const { environmentVariableCollection: variables } = services.extension;
  variables.description = vscode.l10n.t("Keeps the contextls shell hook from recording commands a second time");
  variables.replace(EDITOR, "vscode");

  const ended = async (event: vscode.TerminalShellExecutionEndEvent, known: Running): Promise<void> => {
    const ended = Date.now();
    const { value: line, confidence } = event.execution.commandLine;
    const isTask = await tasks.owns(event.terminal);
    if (!isTask) {
      tasks.closed(event.terminal);
    }
    const output = await known.output.text();
    if (!isTask && confidence !== Low && !/^\s/.test(line) && event.exitCode !== undefined) {
      const { cwd } = event.execution;
      const { terminal, exitCode } = event;
      if (await recordCommand(recorder, "terminals", { ...known, line, cwd, exitCode, ended, output })) {
        failed.ended(terminal, exitCode);
      }
    }
  };

  return vscode.Disposable.from(
    failed,
    vscode.window.onDidStartTerminalShellExecution(({ terminal, execution }) => {
      if (services.memory.records) {
        const known = { began: Date.now(), output: new Output(execution.read()) };
        running.set(execution, known);
        tasks.began(terminal, execution, known.output);
      }
    }),
    vscode.window.onDidEndTerminalShellExecution((event) => {
      const known = running.get(event.execution);
      running.delete(event.execution);
      if (known !== undefined) {
        ended(event, known).catch((error: unknown) => {
          services.log.warn(`a command was not recorded: ${String(error)}`);
        });
      }
    }),
  );
}
