/** Everything for the chat, as far as this host has one. */
import * as vscode from "vscode";
import { copy } from "../commands/deliver";
import type { AssembleParams } from "../protocol";
import type { Services } from "../services";
import { registerCommand } from "../commands/run";
import { registerMcpServer } from "./mcp";
import { COPY_TEXT, registerParticipant } from "./participant";
import { registerSetTool } from "./set-tool";
import { registerTool } from "./tool";

/** Editors built on VS Code may lack some of these APIs, or all of them; nothing is said then. */
export function registerChat(services: Services): vscode.Disposable {
  const host = vscode as Partial<Pick<typeof vscode, "chat" | "lm">>;
  const registered: vscode.Disposable[] = [];
  if (typeof host.chat?.createChatParticipant === "function") {
    registered.push(
      registerParticipant(services),
      registerCommand(services, COPY_TEXT, async (params) => copy(services, params as AssembleParams)),
    );
  }
  if (typeof host.lm?.registerTool === "function") {
    registered.push(registerTool(services), registerSetTool(services));
  }
  if (typeof host.lm?.registerMcpServerDefinitionProvider === "function") {
    registered.push(registerMcpServer(services));
  }
  return vscode.Disposable.from(...registered);
}
