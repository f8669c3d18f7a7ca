/** Opens a place of the workspace, and shows for a moment which lines are meant. */
import * as vscode from "vscode";
import type { Requests } from "./requests";
import { type SourcePlace, sourceLocation } from "./sources";
import { definitionOf } from "./symbols";

const GLOW_MS = 1_500;

type LineOf = Pick<Requests, "lineOf">;

/** `focus` moves the user into the editor; without, the keyboard stays where it is. Throws where the file is gone. */
export async function openPlace(requests: LineOf, root: vscode.Uri, place: SourcePlace, focus: boolean): Promise<void> {
  const { uri } = sourceLocation(root, place);
  await checkThere(uri, place.path);
  if (place.folder === true) {
    await vscode.commands.executeCommand("revealInExplorer", uri);
    return;
  }
  const editor = await vscode.window.showTextDocument(uri, { preview: true, preserveFocus: !focus });
  const found = await located(requests, root, place, editor.document);
  if (found.startLine !== undefined && vscode.window.visibleTextEditors.includes(editor)) {
    show(editor, sourceLocation(root, found).range);
  }
}

async function checkThere(uri: vscode.Uri, path: string): Promise<void> {
  try {
    await vscode.workspace.fs.stat(uri);
  } catch {
    throw new Error(vscode.l10n.t("{0} is no longer there.", path));
  }
}

/** `place` with the line of its symbol, where the server or a language extension knows it. */
async function located(
  requests: LineOf,
  root: vscode.Uri,
  place: SourcePlace,
  document: vscode.TextDocument,
): Promise<SourcePlace> {
  if (place.startLine !== undefined || place.symbol === undefined) {
    return place;
  }
  const line =
    (await lineFromServer(requests, root, `${place.path}#${place.symbol}`)) ??
    (await lineFromEditor(document, place.symbol));
  return line === undefined ? place : { ...place, startLine: line, endLine: line };
}

async function lineFromServer(requests: LineOf, root: vscode.Uri, id: string): Promise<number | undefined> {
  try {
    return await requests.lineOf(id, root.toString());
  } catch {
    return undefined; // the user wants the file, which is there without a server
  }
}

async function lineFromEditor(document: vscode.TextDocument, symbol: string): Promise<number | undefined> {
  const definition = await definitionOf(document, symbol);
  return definition === undefined ? undefined : definition.start.line + 1;
}

function show(editor: vscode.TextEditor, range: vscode.Range): void {
  editor.selection = new vscode.Selection(range.start, range.start);
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  const glow = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("editor.rangeHighlightBackground"),
  });
  editor.setDecorations(glow, [range]);
  setTimeout(() => {
    glow.dispose();
  }, GLOW_MS);
}
