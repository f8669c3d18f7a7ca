// What the suites about events share: a second real server on the same memory, which tells what was recorded.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import * as vscode from "vscode";
import type { MessageConnection } from "vscode-jsonrpc/node";
import type { ListedEvent } from "../src/protocol";
import { connect, eventually, folder, initialize } from "./support";

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

/** A terminal with a shell that tells of its commands. */
export async function shellTerminal(name: string): Promise<vscode.Terminal> {
  const terminal = vscode.window.createTerminal({ name, cwd: folder().uri });
  terminal.show();
  await eventually("shell integration", () => terminal.shellIntegration);
  return terminal;
}

/** What the memory of the sample workspace holds, asked of a server of its own, which all suites share. */
export class Memory {
  private static opened: Promise<Memory> | undefined;

  private constructor(private readonly connection: MessageConnection) {}

  static async shared(): Promise<Memory> {
    Memory.opened ??= Memory.open();
    return Memory.opened;
  }

  private static async open(): Promise<Memory> {
    await vscode.extensions.getExtension("contextls.contextls")?.activate();
    const { connection } = connect();
    const options = { watch: false, indexOnOpen: false, memoryPaused: true };
    await initialize(connection, folder().uri.toString(), options);
    return new Memory(connection);
  }

  /** Newest first; those of the types given, or all. */
  async events(...eventTypes: readonly string[]): Promise<readonly ListedEvent[]> {
    const filters = eventTypes.length === 0 ? {} : { filters: { eventTypes } };
    const answer = await this.connection.sendRequest<{ events: readonly ListedEvent[] }>("context/events", {
      limit: 500,
      ...filters,
    });
    return answer.events;
  }

  /** Waits for an event of the type whose content holds `text` somewhere. */
  async event(type: string, text: string): Promise<ListedEvent> {
    return eventually(`${type} with ${text}`, async () => (await this.holding(text, type))[0]);
  }

  /** All events that hold `text` somewhere. */
  async holding(text: string, ...eventTypes: readonly string[]): Promise<readonly ListedEvent[]> {
    const events = await this.events(...eventTypes);
    return events.filter((event) => JSON.stringify(event.content).includes(text));
  }
}
