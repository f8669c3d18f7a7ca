import * as assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { lineBeforeCell } from "../src/cells";
import { writeFile } from "./events-support";
import { copiedBy, eventually, folder } from "./support";

type Source = readonly string[];

const BONUS: Source = ["def walrus_bonus(total):", "    return discount_for(total) * 2"];
const LOOKED: Source = ["walrus_bonus(40)"];

function inFile(lines: Source): readonly string[] {
  return lines.map((line, number) => (number + 1 < lines.length ? `${line}\n` : line));
}

function written(cells: readonly Source[], space = 1): string {
  const output = { name: "stdout", output_type: "stream", text: ["walrus_bonus(40)"], source: ["walrus_bonus(40)"] };
  const all = cells.map((lines) => ({ cell_type: "code", metadata: {}, outputs: [output], source: inFile(lines) }));
  return JSON.stringify({ cells: all, metadata: {}, nbformat: 4, nbformat_minor: 5 }, undefined, space);
}

async function openNotebook(path: string, text: string): Promise<vscode.NotebookDocument> {
  const notebook = await vscode.workspace.openNotebookDocument(writeFile(path, text));
  await vscode.window.showNotebookDocument(notebook);
  return notebook;
}

/** Goes into the first cell. */
async function enterCell(): Promise<vscode.TextEditor> {
  await vscode.commands.executeCommand("notebook.focusTop");
  await vscode.commands.executeCommand("notebook.cell.edit");
  return eventually("the editor of the cell", () => {
    const editor = vscode.window.activeTextEditor;
    return editor?.document.uri.scheme === "vscode-notebook-cell" ? editor : undefined;
  });
}

describe("Cells of a notebook", () => {
  const manifest = join(folder().uri.fsPath, ".context", "working-set.yml");

  afterEach(async () => {
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    rmSync(join(folder().uri.fsPath, ".context"), { recursive: true, force: true });
  });

  it("are code of its file for a question about what is selected", async () => {
    await openNotebook("seen/bonus.ipynb", written([BONUS]));
    const editor = await enterCell();
    editor.selection = new vscode.Selection(0, 4, 0, 23);
    const text = await eventually("the cell among what is known", async () => {
      const copied = await copiedBy("contextls.copyForSelection");
      return copied.includes("seen/bonus.ipynb") ? copied : undefined;
    });
    assert.match(text, /^This is about the selected lines\.\n/u);
    assert.match(text, /\n {4}return discount_for\(total\) \* 2\n/u);
    assert.doesNotMatch(text, /cell_type/u);
  });

  it("lead the prompt where something in them is selected, whatever its words are", async () => {
    await openNotebook("seen/words.ipynb", written([["try:", "    pass", "except OSError:", "    pass"], BONUS]));
    const editor = await enterCell();
    editor.selection = new vscode.Selection(0, 0, 1, 8);
    const text = await eventually("the cell among what is known", async () => {
      const copied = await copiedBy("contextls.copyForSelection");
      return copied.includes("seen/words.ipynb") ? copied : undefined;
    });
    assert.match(text, /\nexcept OSError:\n/u);
  });

  it("have symbols that can be pinned", async () => {
    await openNotebook("seen/pinned.ipynb", written([BONUS]));
    const editor = await enterCell();
    editor.selection = new vscode.Selection(1, 4, 1, 10);
    await eventually("the cell among what is known", async () => {
      const copied = await copiedBy("contextls.copyForSelection");
      return copied.includes("seen/pinned.ipynb") ? copied : undefined;
    });
    await vscode.commands.executeCommand("contextls.pinSymbol");
    assert.match(readFileSync(manifest, "utf8"), /seen\/pinned\.ipynb#walrus_bonus/u);
  });

  it("have no symbols to pin before they are saved", async () => {
    const notebook = await openNotebook("seen/unsaved.ipynb", written([BONUS]));
    await enterCell();
    const edit = new vscode.WorkspaceEdit();
    edit.insert(notebook.cellAt(0).document.uri, new vscode.Position(0, 0), "rate = 2\n");
    await vscode.workspace.applyEdit(edit);
    assert.equal(await lineBeforeCell(notebook.cellAt(0).document), undefined);
    await vscode.commands.executeCommand("contextls.pinSymbol");
    assert.throws(() => readFileSync(manifest, "utf8"), /ENOENT/u);
    await notebook.save();
    assert.equal(typeof (await lineBeforeCell(notebook.cellAt(0).document)), "number");
  });

  it("stand where their file has them, one like another too", async () => {
    const cells = [LOOKED, [], BONUS, LOOKED, ['text = "\\"source\\": [é] 😀"', "]", "", "1"]];
    const text = written(cells);
    const notebook = await openNotebook("seen/lines.ipynb", text);
    const lines = text.split("\n");
    for (const [number, own] of cells.entries()) {
      const before = (await lineBeforeCell(notebook.cellAt(number).document)) ?? Number.NaN;
      assert.match(lines[before] ?? "", /^ {3}"source": \[/u);
      const shown = lines.slice(before + 1, before + 1 + own.length).map((line) => line.trim().replace(/,$/u, ""));
      assert.deepEqual(shown, inFile(own).map((line) => JSON.stringify(line)));
    }
  });

  it("stand nowhere in a file that is one line", async () => {
    const notebook = await openNotebook("seen/line.ipynb", written([BONUS], 0));
    assert.equal(await lineBeforeCell(notebook.cellAt(0).document), undefined);
  });
});
