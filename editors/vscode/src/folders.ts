/** Which workspace folder a command is about. */
import * as vscode from "vscode";
import { cellOf } from "./cells";

/** The folder of `uri`, of the active editor, or the only one; undefined when that leaves a choice. */
export function folderOf(uri?: vscode.Uri): vscode.WorkspaceFolder | undefined {
  const place = uri ?? fileInEditor();
  const folder = place === undefined ? undefined : vscode.workspace.getWorkspaceFolder(place);
  if (folder !== undefined) {
    return folder;
  }
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.length === 1 ? folders[0] : undefined;
}

/** The file that a document is, or that it is a cell of. */
export function fileOf(document: vscode.TextDocument): vscode.Uri {
  return cellOf(document)?.notebook.uri ?? document.uri;
}

/** The file in the active editor, a cell's notebook included. */
export function fileInEditor(): vscode.Uri | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor === undefined ? undefined : fileOf(editor.document);
}

/** As `folderOf`, but the first folder where there is a choice and nobody to ask; undefined when none is open. */
export function someFolder(uri?: vscode.Uri): vscode.WorkspaceFolder | undefined {
  return folderOf(uri) ?? vscode.workspace.workspaceFolders?.[0];
}

/** As `folderOf`, but asks the user where there is a choice; undefined when the question is dismissed. */
export async function chosenFolder(uri?: vscode.Uri): Promise<vscode.WorkspaceFolder | undefined> {
  const folder = folderOf(uri);
  if (folder !== undefined) {
    return folder;
  }
  if ((vscode.workspace.workspaceFolders ?? []).length === 0) {
    void vscode.window.showWarningMessage(openFolderFirst());
    return undefined;
  }
  return vscode.window.showWorkspaceFolderPick();
}

/** What the user is told where no folder is open. */
export function openFolderFirst(): string {
  return vscode.l10n.t("Open a folder first: contextls answers about a folder.");
}

/** The open folders that lie on a disk: the server knows no others. */
export function diskFolders(): readonly vscode.WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
}
