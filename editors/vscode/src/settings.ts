/** The settings of the extension, and which of them go to the server. */
import * as vscode from "vscode";

export const SECTION = "contextls";

/** Groups of settings that only this extension reads; everything else under `contextls` is the server's. */
const OWN_GROUPS: ReadonlySet<string> = new Set(["server", "trace", "events", "panel", "status", "chat"]);

export type EventKind = "documents" | "terminals" | "tasks" | "debug" | "diagnostics" | "git" | "tests";

/** Where the user says the server is; empty strings leave it to us. */
export interface ServerSettings {
  readonly path: string;
  readonly python: string;
}

export function serverSettings(): ServerSettings {
  const given = vscode.workspace.getConfiguration(`${SECTION}.server`);
  return { path: given.get("path", "").trim(), python: given.get("python", "").trim() };
}

/** Whether events of this kind are wanted. */
export function recordsEvents(kind: EventKind, scope?: vscode.Uri): boolean {
  return vscode.workspace.getConfiguration(`${SECTION}.events`, scope).get(kind, true);
}

/** Whether the user has paused memory. */
export function memoryPaused(): boolean {
  return vscode.workspace.getConfiguration(SECTION).get("memoryPaused", false);
}

/** What the server is told. A workspace that is not trusted is never recorded, whatever its settings say. */
export function settingsForServer(): Readonly<Record<string, unknown>> {
  const section = vscode.workspace.getConfiguration().get<Record<string, unknown>>(SECTION, {});
  const forServer = Object.fromEntries(Object.entries(section).filter(([key]) => !OWN_GROUPS.has(key)));
  return vscode.workspace.isTrusted ? forServer : { ...forServer, memoryPaused: true };
}
