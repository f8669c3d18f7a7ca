/** The command about the last command that failed in a terminal. */
import * as vscode from "vscode";
import { questionForEvent } from "../event-question";
import { chosenFolder } from "../folders";
import type { Services } from "../services";
import { copy } from "./deliver";
import { registerCommand } from "./run";

const RUN = "shell_exec";
const EVENTS_LOOKED_AT = 200;

export function registerFailureCommands(services: Services): vscode.Disposable {
  return registerCommand(services, "contextls.copyForFailure", () => copyForFailure(services));
}

async function copyForFailure(services: Services): Promise<void> {
  const folder = await chosenFolder();
  if (folder === undefined) {
    return;
  }
  const rootUri = folder.uri.toString();
  const runs = await services.requests.events(EVENTS_LOOKED_AT, rootUri, undefined, [RUN]);
  const failed = runs.find(({ outcome }) => outcome === "failure");
  if (failed === undefined) {
    void vscode.window.showInformationMessage(vscode.l10n.t("No failed command is remembered in this workspace."));
    return;
  }
  await copy(services, questionForEvent(rootUri, failed));
}
