/** Commands that put a prompt on the clipboard. */
import * as vscode from "vscode";
import { chosenFolder } from "../folders";
import { type AssembledContext, type AssembleParams, optional } from "../protocol";
import type { Services } from "../services";
import { registerCommand, withProgress } from "./run";

export function registerCopyCommands(services: Services): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand(services, "contextls.copyForQuery", (query?: unknown) => copyForQuery(services, query)),
  );
}

async function copyForQuery(services: Services, given: unknown): Promise<void> {
  const folder = await chosenFolder();
  if (folder === undefined) {
    return;
  }
  const prompt = vscode.l10n.t("What do you want to ask?");
  const query = typeof given === "string" ? given : await vscode.window.showInputBox({ prompt });
  if (query !== undefined && query.trim() !== "") {
    await copy(services, { query, rootUri: folder.uri.toString(), ...editorPlace(folder) });
  }
}

/** Assembles, copies, says how much it was. */
export async function copy(services: Services, params: AssembleParams): Promise<AssembledContext> {
  const context = await withProgress(vscode.l10n.t("Assembling context"), (token) =>
    services.contexts.assemble(params, token),
  );
  await vscode.env.clipboard.writeText(context.content);
  void vscode.window.setStatusBarMessage(
    vscode.l10n.t("$(check) Context copied: {0} tokens", context.tokenCount.toLocaleString()),
    5_000,
  );
  return context;
}

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

export function plain(position: vscode.Position): { line: number; character: number } {
  return { line: position.line, character: position.character };
}

export function plainRange(range: vscode.Range): NonNullable<AssembleParams["range"]> {
  return { start: plain(range.start), end: plain(range.end) };
}
