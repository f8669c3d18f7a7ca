/** Where the user is, in the words of the server. */
import * as vscode from "vscode";
import { optional } from "../optional";
import type { AssembleParams, Position, Range } from "../protocol";

/** Where the user is, if that is in `folder`. */
export function editorPlace(folder: vscode.WorkspaceFolder): Partial<AssembleParams> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || vscode.workspace.getWorkspaceFolder(editor.document.uri) !== folder) {
    return {};
  }
  const { selection } = editor;
  return {
    textDocument: { uri: editor.document.uri.toString() },
    ...optional(selection.isEmpty ? { position: plain(selection.active) } : { range: plainRange(selection) }),
  };
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
