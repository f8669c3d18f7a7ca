/** Commands that put a prompt into the editor's own chat, ready to be sent. */
import * as vscode from "vscode";
import type { Context } from "../protocol";
import type { Services } from "../services";
import { tellDone } from "./deliver";
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

/** Opens the chat with the prompt in its input, byte for byte what would be copied. */
export async function send(services: Services, context: Context): Promise<void> {
  await services.chat.fill(context.content);
  const count = context.tokenCount.toLocaleString(vscode.env.language);
  tellDone(services, context, vscode.l10n.t("Context is in the chat: {0} tokens", count));
}
