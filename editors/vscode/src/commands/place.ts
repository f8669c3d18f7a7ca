/** Where the user is, in the words of the server. */
import * as vscode from "vscode";
import { fileOf } from "../folders";
import { optional } from "../optional";
import type { AssembleParams, Position, Range } from "../protocol";

/** Where the user is, if that is in `folder`. */
export function editorPlace(folder: vscode.WorkspaceFolder): Partial<AssembleParams> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    return {};
  }
  const { document, selection } = editor;
  return placeIn(
    folder,
    document,
    optional(selection.isEmpty ? { position: plain(selection.active) } : { range: plainRange(selection) }),
  );
}

/** A place in a document, if that is in `folder`; of a cell the file of its notebook, whose lines are others. */
export function placeIn(
  folder: vscode.WorkspaceFolder,
  document: vscode.TextDocument,
  place: Pick<AssembleParams, "position" | "range">,
): Partial<AssembleParams> {
  const uri = fileOf(document);
  if (vscode.workspace.getWorkspaceFolder(uri) !== folder) {
    return {};
  }
  return { textDocument: { uri: uri.toString() }, ...(uri === document.uri ? place : {}) };
}

/** Positions of VS Code carry more than the server takes. */
export function plain({ line, character }: Position): Position {
  return { line, character };
}

export function plainRange(range: Range): Range {
  return { start: plain(range.start), end: plain(range.end) };
}

/** The editor that a command is about; without one the user is told, and the answer is undefined. */
export function activeEditor(): vscode.TextEditor | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    void vscode.window.showInformationMessage(vscode.l10n.t("Open a file and put the cursor where you want to ask."));
  }
  return editor;
}
