/** Where the user is, in the words of the server. */
import * as vscode from "vscode";
import { cellOf, lineBeforeCell } from "../cells";
import { fileOf } from "../folders";
import { optional } from "../optional";
import type { AssembleParams, Position, Range } from "../protocol";

/** Where the user is, if that is in `folder`. */
export async function editorPlace(folder: vscode.WorkspaceFolder): Promise<Partial<AssembleParams>> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    return {};
  }
  const { document, selection } = editor;
  return placeIn(
    folder,
    document,
    selection.isEmpty ? { position: selection.active } : { range: selection },
  );
}

/** A place in a document, if that is in `folder`; of a cell as its notebook has it, or of one that is not saved the file alone. */
export async function placeIn(
  folder: vscode.WorkspaceFolder,
  document: vscode.TextDocument,
  { position, range }: Pick<AssembleParams, "position" | "range">,
): Promise<Partial<AssembleParams>> {
  const uri = fileOf(document);
  if (vscode.workspace.getWorkspaceFolder(uri) !== folder) {
    return {};
  }
  const above = await linesAbove(document);
  if (above === undefined) {
    return { textDocument: { uri: uri.toString() } };
  }
  return {
    textDocument: { uri: uri.toString() },
    ...optional({
      position: position === undefined ? undefined : plain(position, above),
      range: range === undefined ? undefined : plainRange(range, above),
    }),
  };
}

/** How many lines of its file stand above a document: none, unless it is a cell; undefined where the file has no such cell. */
export async function linesAbove(document: vscode.TextDocument): Promise<number | undefined> {
  if (cellOf(document) === undefined) {
    return 0;
  }
  const before = await lineBeforeCell(document);
  return before === undefined ? undefined : before + 1;
}

/** A position that is `above` lines further down; those of VS Code carry more than the server takes. */
export function plain({ line, character }: Position, above = 0): Position {
  return { line: line + above, character };
}

export function plainRange({ start, end }: Range, above = 0): Range {
  return { start: plain(start, above), end: plain(end, above) };
}

/** The editor that a command is about; without one the user is told, and the answer is undefined. */
export function activeEditor(): vscode.TextEditor | undefined {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    void vscode.window.showInformationMessage(vscode.l10n.t("Open a file and put the cursor where you want to ask."));
  }
  return editor;
}
