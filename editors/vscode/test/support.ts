// What suites share: the sample workspace, waiting, and a second real server that is spoken to without a language client.
import * as assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import * as vscode from "vscode";
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";

const SOON_MS = 60_000;

export function folder(): vscode.WorkspaceFolder {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(first);
  return first;
}

/** The server that the tests are run with. */
export function program(): string {
  const path = vscode.workspace.getConfiguration("contextls").get("server.path", "");
  assert.notEqual(path, "", "the tests name the server that they are run with");
  return path;
}

export async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

/** Waits until `look` answers with something; fails with `what` when it does not. */
export async function eventually<T>(what: string, look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + SOON_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined) {
      return found;
    }
    assert.ok(Date.now() < deadline, `never came: ${what}`);
    await pause(50);
  }
}

/** Runs a command that copies, and answers with what it left on the clipboard. */
export async function copiedBy(command: string, ...args: readonly unknown[]): Promise<string> {
  await vscode.env.clipboard.writeText("nothing was copied");
  await vscode.commands.executeCommand(command, ...args);
  return vscode.env.clipboard.readText();
}

export interface Connected {
  readonly process: ChildProcess;
  readonly connection: MessageConnection;
}

const connected = new Set<number>();

/** Whether a test started that process. */
export function isConnected(pid: number): boolean {
  return connected.has(pid);
}

/** Starts a server of its own; `initialize` is still to be sent. */
export function connect(): Connected {
  const child = spawn(program(), ["serve"], { stdio: ["pipe", "pipe", "ignore"], cwd: folder().uri.fsPath });
  connected.add(child.pid ?? assert.fail("it did not start"));
  const reader = new StreamMessageReader(child.stdout);
  const connection = createMessageConnection(reader, new StreamMessageWriter(child.stdin));
  connection.listen();
  return { process: child, connection };
}

/** Opens the workspace at `rootUri` on a connected server. */
export async function initialize(
  connection: MessageConnection,
  rootUri: string,
  initializationOptions: object,
  capabilities: object = {},
): Promise<void> {
  const params = { processId: process.pid, rootUri, capabilities, initializationOptions };
  await connection.sendRequest("initialize", params);
  await connection.sendNotification("initialized", {});
}
