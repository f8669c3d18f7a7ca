/** What a command of the working set is about: the explorer's selection, a tab, the editor, an item of a view. */
import * as vscode from "vscode";
import { fileInEditor, fileOf } from "../folders";
import { optional } from "../optional";
import type { ExcludedFile, Target } from "../protocol";
import { activeEditor, linesAbove, plain } from "./place";

/** The files and folders that the arguments of a command name; without arguments the file in front. */
export function targetsOf(args: readonly unknown[]): readonly Target[] {
  const [one, several] = args;
  if (isTarget(one)) {
    return [one];
  }
  const uris = Array.isArray(several) ? several.filter((each) => each instanceof vscode.Uri) : [];
  const clicked = one instanceof vscode.Uri ? one : fileInFront();
  if (clicked === undefined) {
    void vscode.window.showInformationMessage(vscode.l10n.t("Open a file first, or choose one in the explorer."));
    return [];
  }
  return (uris.length > 0 ? uris : [clicked]).map(targetOf);
}

/** What is pinned or excluded already, as requests name it. */
export function keptTarget(kept: Omit<ExcludedFile, "folder" | "includedFrom">, rootUri: string | undefined): Target {
  const { path, symbol, target } = kept;
  const named = symbol !== null || target === `${path}/` ? path : target;
  return { path: named, ...optional({ symbol: symbol ?? undefined, rootUri }) };
}

/** The symbol around the cursor, as a place: the server knows what is there. Throws where a cell is not saved. */
export async function symbolTarget(): Promise<Target | undefined> {
  const editor = activeEditor();
  if (editor === undefined) {
    return undefined;
  }
  const { document, selection } = editor;
  const target = targetOf(fileOf(document));
  const above = await linesAbove(document);
  if (above === undefined) {
    throw new Error(vscode.l10n.t("Save the notebook first: its file does not have this cell yet."));
  }
  return { ...target, position: plain(selection.active, above) };
}

/** What to call a target in a message. */
export function nameOf(target: Target): string {
  const path = target.path ?? (target.uri === undefined ? "" : vscode.Uri.parse(target.uri).path);
  const name = path.slice(path.lastIndexOf("/", path.length - 2) + 1);
  return target.symbol === undefined ? name : `${name}#${target.symbol}`;
}

/** Throws where `uri` lies in no folder of the workspace. */
function targetOf(uri: vscode.Uri): Target {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder === undefined) {
    const name = vscode.workspace.asRelativePath(uri);
    throw new Error(vscode.l10n.t("{0} is not in a folder that is open here.", name));
  }
  return { uri: uri.toString(), rootUri: folder.uri.toString() };
}

function fileInFront(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const shown = input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom ? input.uri : undefined;
  const notebook = input instanceof vscode.TabInputNotebook ? input.uri : undefined;
  return shown ?? notebook ?? fileInEditor();
}

function isTarget(value: unknown): value is Target {
  if (value === null || typeof value !== "object" || value instanceof vscode.Uri) {
    return false;
  }
  return "rootUri" in value && ("path" in value || "uri" in value);
}
