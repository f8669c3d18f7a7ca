// What the suites about tree and status share: a server of their own on the same memory, and what it tells unasked.
import * as assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { promisify } from "node:util";
import * as vscode from "vscode";
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import { type MemoryChange, Requests, type Sender } from "../src/protocol";
import type { ServerProgress } from "../src/server/client";
import type { ServerState } from "../src/server/server";

const SOON_MS = 20_000;

export function folder(): vscode.WorkspaceFolder {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(first);
  return first;
}

export function rootUri(): string {
  return folder().uri.toString();
}

/** The server's own command line, run as a shell would run it: another process on the same memory. */
export async function cli(...args: readonly string[]): Promise<void> {
  await promisify(execFile)(program(), [...args], { cwd: folder().uri.fsPath });
}

export async function eventually<T>(what: string, look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + SOON_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined) {
      return found;
    }
    assert.ok(Date.now() < deadline, `never came: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
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
    const child = spawn(program(), ["serve"], { stdio: ["pipe", "pipe", "ignore"] });
    const reader = new StreamMessageReader(child.stdout);
    const connection = createMessageConnection(reader, new StreamMessageWriter(child.stdin));
    const server = new TestServer(child, connection);
    connection.onNotification("context/didChangeMemory", (change: MemoryChange) => {
      server.memoryChanged.fire(change);
    });
    connection.onNotification("$/progress", (progress: ServerProgress) => {
      server.progressed.fire(progress);
    });
    connection.onRequest("window/workDoneProgress/create", () => null);
    connection.listen();
    await connection.sendRequest("initialize", {
      processId: process.pid,
      rootUri: root,
      capabilities: {
        window: { workDoneProgress: true },
        experimental: { contextls: { didChangeMemory: true } },
      },
      initializationOptions: { watch: false, indexOnOpen: false },
    });
    await connection.sendNotification("initialized", {});
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

function program(): string {
  return vscode.workspace.getConfiguration("contextls").get("server.path", "");
}
