// What the suites about tree and status share: a server of their own on the same memory, and what it tells unasked.
import { type ChildProcess, execFile } from "node:child_process";
import { promisify } from "node:util";
import * as vscode from "vscode";
import type { MessageConnection } from "vscode-jsonrpc/node";
import type { MemoryChange } from "../src/protocol";
import { Requests, type Sender } from "../src/requests";
import type { ServerProgress } from "../src/server/client";
import type { ServerState } from "../src/server/server";
import { connect, folder, initialize, program } from "./support";

export function rootUri(): string {
  return folder().uri.toString();
}

/** The server's own command line, run as a shell would run it: another process on the same memory. */
export async function cli(...args: readonly string[]): Promise<void> {
  await promisify(execFile)(program(), [...args], { cwd: folder().uri.fsPath });
}

/** A real server, started as the extension starts its own, and told what the extension tells. */
export class TestServer implements Sender, vscode.Disposable {
  private readonly memoryChanged = new vscode.EventEmitter<MemoryChange>();
  private readonly progressed = new vscode.EventEmitter<ServerProgress>();
  private readonly stateChanged = new vscode.EventEmitter<ServerState>();

  readonly requests = new Requests(this);
  readonly onDidChangeMemory = this.memoryChanged.event;
  readonly onDidProgress = this.progressed.event;
  readonly onDidChangeState = this.stateChanged.event;
  state: ServerState = { kind: "running", version: "" };

  private constructor(
    private readonly process: ChildProcess,
    private readonly connection: MessageConnection,
  ) {}

  static async start(root = rootUri()): Promise<TestServer> {
    const { process, connection } = connect();
    const server = new TestServer(process, connection);
    connection.onNotification("context/didChangeMemory", (change: MemoryChange) => {
      server.memoryChanged.fire(change);
    });
    connection.onNotification("$/progress", (progress: ServerProgress) => {
      server.progressed.fire(progress);
    });
    connection.onRequest("window/workDoneProgress/create", () => null);
    await initialize(
      connection,
      root,
      { watch: false, indexOnOpen: false },
      { window: { workDoneProgress: true }, experimental: { contextls: { didChangeMemory: true } } },
    );
    return server;
  }

  request<R>(method: string, params: object): Promise<R> {
    return this.connection.sendRequest<R>(method, params);
  }

  notify(method: string, params: object): void {
    void this.connection.sendNotification(method, params);
  }

  /** Another state of the process, as the supervisor would tell it. */
  enter(state: ServerState): void {
    this.state = state;
    this.stateChanged.fire(state);
  }

  dispose(): void {
    this.connection.dispose();
    this.process.kill();
    this.memoryChanged.dispose();
    this.progressed.dispose();
    this.stateChanged.dispose();
  }
}
