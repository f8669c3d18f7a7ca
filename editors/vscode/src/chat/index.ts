/** Everything for the chat, as far as this host has one. */
import * as vscode from "vscode";
import type { Services } from "../services";
import { registerCommand } from "../commands/run";
import { COPY_TEXT, registerParticipant } from "./participant";
import { registerTool } from "./tool";

/** Editors built on VS Code may lack either API, or all of it; nothing is said then. */
export function registerChat(services: Services): vscode.Disposable {
  const host = vscode as Partial<Pick<typeof vscode, "chat" | "lm">>;
  const registered: vscode.Disposable[] = [];
  if (typeof host.chat?.createChatParticipant === "function") {
    registered.push(
      registerParticipant(services),
      registerCommand(services, COPY_TEXT, async (text) => vscode.env.clipboard.writeText(String(text))),
    );
  }
  if (typeof host.lm?.registerTool === "function") {
    registered.push(registerTool(services));
  }
  return vscode.Disposable.from(...registered);
}
