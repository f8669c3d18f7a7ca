// What the suites about the panel share: a real server of their own, and a session that asks it.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import * as vscode from "vscode";
import type { MessageConnection } from "vscode-jsonrpc/node";
import { Contexts } from "../src/contexts";
import type { Whereabouts } from "../src/panel/session";
import { Session } from "../src/panel/session";
import { Requests, type Sender } from "../src/requests";
import type { ServerState } from "../src/server/server";
import { connect, folder, initialize } from "./support";

/** A server on the sample workspace that records nothing. VS Code takes one language client only, so this is none. */
export class OwnServer implements Sender {
  private readonly changed = new vscode.EventEmitter<ServerState>();
  private readonly noChat = new vscode.EventEmitter<boolean>();
  readonly onDidChangeState = this.changed.event;
  readonly requests = new Requests(this);
  readonly contexts = new Contexts(this.requests);
  state: ServerState = { kind: "starting" };

  private constructor(
    private readonly process: ChildProcess,
    private readonly connection: MessageConnection,
  ) {}

  static async start(options: object = { memoryPaused: true }): Promise<OwnServer> {
    const { process, connection } = connect();
    const server = new OwnServer(process, connection);
    await initialize(connection, folder().uri.toString(), options);
    server.enter({ kind: "running", version: "" });
    return server;
  }

  request<R>(method: string, params: object, token?: vscode.CancellationToken): Promise<R> {
    return token === undefined
      ? this.connection.sendRequest<R>(method, params)
      : this.connection.sendRequest<R>(method, params, token);
  }

  enter(state: ServerState): void {
    this.state = state;
    this.changed.fire(state);
  }

  /** A session of a panel that has followed nothing yet. */
  session(whereabouts: Whereabouts = () => ({ folder: folder(), place: () => Promise.resolve({}) }), contexts = new Contexts(this.requests)): Session {
    return new Session({ chat: { there: false, onDidChange: this.noChat.event }, server: this, requests: this.requests, contexts }, whereabouts);
  }

  async stop(): Promise<void> {
    await this.connection.sendRequest("shutdown");
    const ended = once(this.process, "exit");
    await this.connection.sendNotification("exit");
    await ended;
    vscode.Disposable.from(this.connection, this.contexts, this.changed, this.noChat).dispose();
  }
}
