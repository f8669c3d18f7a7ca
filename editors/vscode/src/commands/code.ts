/** Commands about the code under the cursor: the selection, the symbol. */
import * as vscode from "vscode";
import { chosenFolder, fileOf } from "../folders";
import type { AssembleParams } from "../protocol";
import type { Services } from "../services";
import { nameAt } from "../symbols";
import { copy } from "./deliver";
import { activeEditor, placeIn } from "./place";
import { registerCommand } from "./run";

/** As much of a selection as makes a question; the place says where the rest is. */
const QUERY_CHARS = 1_000;

export function registerCodeCommands(services: Services): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand(services, "contextls.copyForSelection", () => copyForSelection(services)),
    registerCommand(services, "contextls.copyForSymbol", () => copyForSymbol(services)),
  );
}

async function copyForSelection(services: Services): Promise<void> {
  const editor = activeEditor();
  if (editor === undefined) {
    return;
  }
  const selected = editor.document.getText(editor.selection).trim();
  if (selected === "") {
    void vscode.window.showInformationMessage(vscode.l10n.t("Select some text first."));
    return;
  }
  const query = Array.from(selected).slice(0, QUERY_CHARS).join("");
  const task = "This is about the selected lines.";
  await copyFrom(services, editor, { query, task }, { range: editor.selection });
}

async function copyForSymbol(services: Services): Promise<void> {
  const editor = activeEditor();
  if (editor === undefined) {
    return;
  }
  const name = await nameAt(editor.document, editor.selection.active);
  if (name === undefined) {
    void vscode.window.showInformationMessage(vscode.l10n.t("There is no symbol at the cursor."));
    return;
  }
  const task = `This is about \`${name}\`.`;
  await copyFrom(services, editor, { query: name, task }, { position: editor.selection.active });
}

async function copyFrom(
  services: Services,
  editor: vscode.TextEditor,
  asked: { readonly query: string; readonly task: string },
  place: Pick<AssembleParams, "position" | "range">,
): Promise<void> {
  const { document } = editor;
  const folder = await chosenFolder(fileOf(document));
  if (folder === undefined) {
    return;
  }
  const there = await placeIn(folder, document, place);
  await copy(services, { ...asked, rootUri: folder.uri.toString(), ...there });
}
