/** The command that puts the newest prompt, however it came about, into the editor's own chat. */
import * as vscode from "vscode";
import type { Services } from "../services";
import { send } from "./deliver";
import { registerCommand } from "./run";

export function registerSendCommands(services: Services): vscode.Disposable {
  return registerCommand(services, "contextls.sendLast", async () => {
    const { last } = services.contexts;
    if (last === undefined || last.content === "") {
      void vscode.window.showInformationMessage(vscode.l10n.t("No context was assembled in this window yet."));
      return;
    }
    await send(services, last);
  });
}
