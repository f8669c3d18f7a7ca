/** What every feature of the extension is handed. */
import type * as vscode from "vscode";
import type { ChatPresence } from "./chat/presence";
import type { Contexts } from "./contexts";
import type { Memory } from "./memory";
import type { MemoryChange } from "./protocol";
import type { Requests } from "./requests";
import type { Server } from "./server/server";

export interface Services {
  readonly extension: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  readonly server: Server;
  readonly requests: Requests;
  readonly contexts: Contexts;
  readonly memory: Memory;
  readonly chat: ChatPresence;
  /** Something in the server's memory changed, by whatever process. */
  readonly onDidChangeMemory: vscode.Event<MemoryChange>;
}

/** A feature registers itself and answers with what has to be disposed. */
export type Feature = (services: Services) => vscode.Disposable;
