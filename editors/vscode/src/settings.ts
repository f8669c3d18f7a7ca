/** The settings of the extension, and which of them go to the server. */
import * as vscode from "vscode";

export const SECTION = "contextls";

/** Groups of settings that only this extension reads; everything else under `contextls` is the server's. */
const OWN_GROUPS: ReadonlySet<string> = new Set(["server", "trace", "events", "panel", "status", "chat"]);

export type EventKind = "documents" | "terminals" | "tasks" | "debug" | "diagnostics" | "git";

/** What the server makes events of by itself, where a switch of ours is to turn it off. */
const MADE_BY_SERVER: Readonly<Partial<Record<EventKind, string>>> = { documents: "file*", git: "git*" };

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

/** Whether the user's settings pause memory. */
export function memoryPaused(): boolean {
  return vscode.workspace.getConfiguration(SECTION).get("memoryPaused", false);
}

/** Whether all open folders answer a question that names none. */
export function allFolders(): boolean {
  return vscode.workspace.getConfiguration(SECTION).get("allFolders", false);
}

/** Whether the model of a chat is asked for words that the code may have. */
export function asksForOtherWords(): boolean {
  return vscode.workspace.getConfiguration(`${SECTION}.chat`).get("otherWords", true);
}

const FEWEST_TOKENS = 32;
const MOST_TOKENS = 2_000_000;
const USUAL_TOKENS = 4_000;

/** The budget in tokens where nothing else is said. One that will not do is no budget: the server says so, and what counts. */
export function maxTokens(): number {
  const given = vscode.workspace.getConfiguration(SECTION).get<unknown>("maxTokens");
  const valid = typeof given === "number" && Number.isInteger(given) && given >= FEWEST_TOKENS && given <= MOST_TOKENS;
  return valid ? given : USUAL_TOKENS;
}

/**
 * What the server is told: only what the user has set, so that the server's own settings file counts for the rest.
 * `records` says whether anything may be recorded here. Whether the user trusts what is open goes along.
 */
export function settingsForServer(records: boolean): Readonly<Record<string, unknown>> {
  const section = vscode.workspace.getConfiguration(SECTION);
  const names = Object.keys(vscode.workspace.getConfiguration().get<object>(SECTION, {}));
  const given = names.filter((name) => !OWN_GROUPS.has(name) && isSet(section, name));
  const forServer = Object.fromEntries(given.map((name) => [name, section.get<unknown>(name)]));
  const trusted = vscode.workspace.isTrusted;
  return { ...forServer, unrecorded: unrecorded(section), memoryPaused: !records, trusted };
}

/** The types of events that the user names, and those that the switches of this editor turn off in the server. */
function unrecorded(section: vscode.WorkspaceConfiguration): readonly string[] {
  const switches = Object.entries(MADE_BY_SERVER) as [EventKind, string][];
  const off = switches.flatMap(([kind, types]) => (recordsEvents(kind) ? [] : [types]));
  return [...section.get<readonly string[]>("unrecorded", []), ...off];
}

function isSet(section: vscode.WorkspaceConfiguration, name: string): boolean {
  const found = section.inspect(name);
  return (
    found?.globalValue !== undefined ||
    found?.workspaceValue !== undefined ||
    found?.workspaceFolderValue !== undefined
  );
}
