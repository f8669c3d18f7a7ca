import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { writeFile } from "./events-support";
import { copiedBy, eventually } from "./support";

/** Opens a notebook of one cell and goes into the cell. */
async function openCell(path: string, ...lines: string[]): Promise<vscode.TextEditor> {
  const source = lines.map((line, number) => (number + 1 < lines.length ? `${line}\n` : line));
  const cells = [{ cell_type: "code", metadata: {}, outputs: [], source }];
  const uri = writeFile(path, JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }, undefined, 1));
  await vscode.window.showNotebookDocument(await vscode.workspace.openNotebookDocument(uri));
  await vscode.commands.executeCommand("notebook.cell.edit");
  return eventually("the editor of the cell", () => {
    const editor = vscode.window.activeTextEditor;
    return editor?.document.uri.scheme === "vscode-notebook-cell" ? editor : undefined;
  });
}

describe("Cells of a notebook", () => {
  it("are code of its file for a question about what is selected", async () => {
    const editor = await openCell(
      "seen/bonus.ipynb",
      "def walrus_bonus(total):",
      "    return discount_for(total) * 2",
    );
    editor.selection = new vscode.Selection(0, 4, 0, 23);
    const text = await eventually("the cell among what is known", async () => {
      const copied = await copiedBy("contextls.copyForSelection");
      return copied.includes("seen/bonus.ipynb") ? copied : undefined;
    });
    assert.match(text, /^This is about the selected lines\.\n/u);
    assert.match(text, /\n {4}return discount_for\(total\) \* 2\n/u);
    assert.doesNotMatch(text, /cell_type/u);
  });
});
