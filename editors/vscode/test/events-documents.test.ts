// What is looked at, edited and saved becomes events, once each.
import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { Memory, withSetting, writeFile } from "./events-support";
import { eventually, folder, pause } from "./support";

/** Less than what makes a file the one in front. */
const QUICK_MS = 800;
/** Longer than what is waited before a look becomes an event. */
const UNSEEN_MS = 2_000;
const SETTINGS = { readSeconds: 1.2, editSeconds: 0.3 };

describe("events of documents", () => {
  let memory: Memory;
  let flicks = 0;

  before(async () => {
    memory = await Memory.shared();
    for (const name of ["behind", "edited", "changed", "off", "on"]) {
      writeFile(`seen/${name}.py`, `${name} = 1\n`);
    }
    for (const [name, value] of Object.entries(SETTINGS)) {
      await vscode.workspace.getConfiguration("contextls").update(name, value, vscode.ConfigurationTarget.Global);
    }
  });

  after(async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    for (const name of Object.keys(SETTINGS)) {
      await vscode.workspace.getConfiguration("contextls").update(name, undefined, vscode.ConfigurationTarget.Global);
    }
  });

  function seen(name: string): vscode.Uri {
    return vscode.Uri.joinPath(folder().uri, `seen/${name}.py`);
  }

  /** Shows two files, new each time; undefined where a busy machine left the first in front for too long. */
  async function flick(): Promise<{ readonly passed: string; readonly front: string } | undefined> {
    flicks += 1;
    const passed = `seen/passed${flicks}.py`;
    const front = `seen/front${flicks}.py`;
    for (const path of [passed, front]) {
      writeFile(path, `seen = ${flicks}\n`);
    }
    const times: number[] = [];
    const watch = vscode.window.onDidChangeActiveTextEditor((editor) => {
      if (editor !== undefined) {
        times.push(Date.now());
      }
    });
    for (const path of [passed, front]) {
      await vscode.window.showTextDocument(vscode.Uri.joinPath(folder().uri, path));
    }
    watch.dispose();
    const [first = 0, second = Infinity] = times;
    return second - first < QUICK_MS ? { passed, front } : undefined;
  }

  it("tell what stayed in front, not what was passed on the way nor what opened behind the scenes", async () => {
    const { passed, front } = await eventually("a quick change of tabs", flick);
    await vscode.workspace.openTextDocument(seen("behind"));
    await memory.event("file_read", front);
    await pause(UNSEEN_MS);
    assert.equal((await memory.holding(front, "file_read")).length, 1);
    assert.equal((await memory.holding("seen/behind.py", "file_read", "file_focus")).length, 0);
    assert.equal((await memory.holding(passed, "file_read", "file_focus")).length, 0);
  });

  it("tell an edit and a save once", async () => {
    const editor = await vscode.window.showTextDocument(seen("edited"));
    await editor.edit((edit) => {
      edit.insert(new vscode.Position(1, 0), "def price():\n    return 2\n");
    });
    await editor.document.save();
    await memory.event("file_edit", "seen/edited.py");
    await memory.event("file_write", "seen/edited.py");
    await pause(800);
    assert.equal((await memory.holding("seen/edited.py", "file_edit")).length, 1);
  });

  it("tell the side that can be edited of a comparison, and the file of a notebook", async () => {
    const cart = vscode.Uri.joinPath(folder().uri, "shop/cart.py");
    await vscode.commands.executeCommand("vscode.diff", cart, seen("changed"), "cart and changed");
    await memory.event("file_read", "seen/changed.py");
    const cells = { cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 };
    const notebook = writeFile("seen/sums.ipynb", JSON.stringify(cells));
    await vscode.window.showNotebookDocument(await vscode.workspace.openNotebookDocument(notebook));
    await memory.event("file_focus", "seen/sums.ipynb");
  });

  it("are left out while their switch is off, and for ignored files", async () => {
    await withSetting("events.documents", false, async () => {
      const editor = await vscode.window.showTextDocument(seen("off"));
      await editor.edit((edit) => {
        edit.insert(new vscode.Position(0, 0), "x = 1\n");
      });
      await editor.document.save();
      await pause(UNSEEN_MS);
    });
    await vscode.window.showTextDocument(vscode.Uri.joinPath(folder().uri, "private/notes.py"));
    await pause(UNSEEN_MS);
    await vscode.window.showTextDocument(seen("on"));
    await memory.event("file_read", "seen/on.py");
    assert.deepEqual(await memory.holding("seen/off.py", "file_read", "file_focus", "file_edit"), []);
    assert.equal((await memory.holding("private/notes.py")).length, 0);
  });
});
