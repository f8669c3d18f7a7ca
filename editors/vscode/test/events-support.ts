// What the suites about events share: a second real server on the same memory, which tells what was recorded.
import * as assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import type { MemoryEvent } from "../src/protocol";

const SOON_MS = 20_000;

export function folder(): vscode.WorkspaceFolder {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(first);
  return first;
}

/** A file of the workspace, made for a test, with the text given; it goes when the test's suite ends. */
export function writeFile(path: string, text: string): vscode.Uri {
  const uri = vscode.Uri.joinPath(folder().uri, path);
  mkdirSync(dirname(uri.fsPath), { recursive: true });
  writeFileSync(uri.fsPath, text);
  after(() => {
    rmSync(uri.fsPath, { force: true });
  });
  return uri;
}

export async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

/** Runs `work` with a setting of the user changed. */
export async function withSetting(name: string, value: unknown, work: () => Promise<void>): Promise<void> {
  const settings = vscode.workspace.getConfiguration("contextls");
  await settings.update(name, value, vscode.ConfigurationTarget.Global);
  try {
    await work();
  } finally {
    await settings.update(name, undefined, vscode.ConfigurationTarget.Global);
  }
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

/** What the memory of the sample workspace holds, asked of a server of its own. */
export class Memory {
  private constructor(
    private readonly process: ChildProcess,
    private readonly connection: MessageConnection,
  ) {}

  static async open(): Promise<Memory> {
    await vscode.extensions.getExtension("contextls.contextls")?.activate();
    const program = vscode.workspace.getConfiguration("contextls").get("server.path", "");
    assert.notEqual(program, "", "the tests name the server that they are run with");
    const child = spawn(program, ["serve"], { stdio: ["pipe", "pipe", "ignore"], cwd: join(folder().uri.fsPath) });
    const connection = createMessageConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    connection.listen();
    await connection.sendRequest("initialize", {
      processId: process.pid,
      rootUri: folder().uri.toString(),
      capabilities: {},
      initializationOptions: { watch: false, indexOnOpen: false, memoryPaused: true },
    });
    await connection.sendNotification("initialized", {});
    return new Memory(child, connection);
  }

  get pid(): number | undefined {
    return this.process.pid;
  }

  async close(): Promise<void> {
    await this.connection.sendRequest("shutdown");
    const ended = once(this.process, "exit");
    await this.connection.sendNotification("exit");
    await ended;
    this.connection.dispose();
  }

  /** Newest first; those of the types given, or all. */
  async events(...eventTypes: readonly string[]): Promise<readonly MemoryEvent[]> {
    const filters = eventTypes.length === 0 ? {} : { filters: { eventTypes } };
    const answer = await this.connection.sendRequest<{ events: readonly MemoryEvent[] }>("context/events", {
      limit: 500,
      ...filters,
    });
    return answer.events;
  }

  /** Waits for an event of the type whose content holds `text` somewhere. */
  async event(type: string, text: string): Promise<MemoryEvent> {
    return eventually(`${type} with ${text}`, async () => (await this.holding(text, type))[0]);
  }

  /** All events that hold `text` somewhere. */
  async holding(text: string, ...eventTypes: readonly string[]): Promise<readonly MemoryEvent[]> {
    const events = await this.events(...eventTypes);
    return events.filter((event) => JSON.stringify(event.content).includes(text));
  }
}
