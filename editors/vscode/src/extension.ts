/** Composition: builds the services, hands them to every feature, starts the server behind all that. */
import * as vscode from "vscode";
import type { ContextlsExports } from "../api/contextls";
import { registerActivity } from "./activity";
import { createExports } from "./api";
import { registerChat } from "./chat";
import { registerCommands } from "./commands";
import { registerSetUp } from "./commands/set-up";
import { ChatPresence } from "./chat/presence";
import { Contexts } from "./contexts";
import { registerEvents } from "./events";
import { Memory } from "./memory";
import { registerPanel } from "./panel/provider";
import type { MemoryChange } from "./protocol";
import { Requests } from "./requests";
import { findServer, placesOf } from "./server/find";
import { Server } from "./server/server";
import type { Feature, Services } from "./services";
import { serverSettings } from "./settings";
import { registerStatus } from "./status";

const FEATURES: readonly Feature[] = [registerChat, registerCommands, registerPanel, registerSetUp, registerEvents, registerActivity, registerStatus];

export function activate(extension: vscode.ExtensionContext): ContextlsExports {
  const log = vscode.window.createOutputChannel("contextls", { log: true });
  const memory = new Memory(extension.workspaceState);
  const server = new Server(log, memory, async () => findServer(serverSettings(), await placesOf(extension)));
  const requests = new Requests(server);
  const contexts = new Contexts(requests);
  const chat = new ChatPresence();
  const memoryChanged = new vscode.EventEmitter<MemoryChange>();
  const services: Services = {
    extension,
    log,
    server,
    requests,
    contexts,
    memory,
    chat,
    onDidChangeMemory: memoryChanged.event,
  };
  extension.subscriptions.push(log, server, contexts, memory, chat, memoryChanged);
  server.onNotification("context/didChangeMemory", (params) => {
    memoryChanged.fire(params as MemoryChange);
  });
  for (const feature of FEATURES) {
    extension.subscriptions.push(feature(services));
  }
  if ((vscode.workspace.workspaceFolders ?? []).length > 0) {
    void server.start();
  }
  return createExports(services);
}
