/** What the editor sees of the work, told to the server: one module for each source, one recorder behind them. */
import * as vscode from "vscode";
import type { Services } from "../services";
import { recordDebugSessions } from "./debug";
import { recordDiagnostics } from "./diagnostics";
import { recordDocuments } from "./documents";
import { recordGit } from "./git";
import { Recorder } from "./recorder";
import { TaskTerminals } from "./task-terminals";
import { recordTasks } from "./tasks";
import { recordTerminals } from "./terminals";

export function registerEvents(services: Services): vscode.Disposable {
  const recorder = new Recorder(services);
  const taskTerminals = new TaskTerminals();
  return vscode.Disposable.from(
    recorder,
    recordDocuments(services),
    recordTerminals(services, recorder, taskTerminals),
    recordTasks(services, recorder, taskTerminals),
    recordDebugSessions(services, recorder),
    recordDiagnostics(services),
    recordGit(services, recorder),
  );
}
