/** Opens the source of a piece where it is, and shows for a moment which lines are meant. */
import * as vscode from "vscode";
import type { Requests } from "../requests";
import { type SourcePlace, sourceLocation } from "../sources";

const GLOW_MS = 1_500;

/** `focus` moves the user into the editor; without, the panel keeps the focus. */
export async function openPlace(
  requests: Requests,
  folder: vscode.WorkspaceFolder,
  place: SourcePlace,
  focus: boolean,
): Promise<void> {
  const found = place.startLine === undefined && place.symbol !== undefined ? await located(requests, folder, place) : place;
  const { uri, range } = sourceLocation(folder.uri, found);
  const editor = await vscode.window.showTextDocument(uri, {
    preview: true,
    preserveFocus: !focus,
    selection: new vscode.Range(range.start, range.start),
  });
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  if (found.startLine !== undefined) {
    glow(editor, range);
  }
}

async function located(requests: Requests, folder: vscode.WorkspaceFolder, place: SourcePlace): Promise<SourcePlace> {
  const line = await requests.lineOf(`${place.path}#${place.symbol ?? ""}`, folder.uri.toString());
  return line === undefined ? place : { ...place, startLine: line, endLine: line };
}

function glow(editor: vscode.TextEditor, range: vscode.Range): void {
  const decoration = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("editor.rangeHighlightBackground"),
  });
  editor.setDecorations(decoration, [range]);
  setTimeout(() => {
    decoration.dispose();
  }, GLOW_MS);
}
