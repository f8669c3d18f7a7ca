// What is wrong in the working set stands where VS Code shows problems, and goes once it is mended.
import * as assert from "node:assert/strict";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { eventually, folder } from "./support";

const WRONG = "files:\n  - {path: README.md, role: böss} # 🦜\n";

describe("a fault of the working set", function () {
  this.timeout(60_000);
  const file = join(folder().uri.fsPath, ".context", "working-set.yml");
  const had = existsSync(file);

  before(async () => {
    await vscode.extensions.getExtension("contextls.contextls")?.activate();
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "files:\n  - README.md\n");
  });

  after(async () => {
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    if (!had) {
      rmSync(file);
    }
  });

  it("is a problem of the file while one types", async () => {
    const document = await vscode.workspace.openTextDocument(file);
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((edit) => { edit.replace(new vscode.Range(0, 0, document.lineCount, 0), WRONG); });
    const [fault] = await eventually("the fault", () => {
      const found = vscode.languages.getDiagnostics(document.uri);
      return found.length === 1 ? found : undefined;
    });
    assert.ok(fault);
    assert.equal(document.getText(fault.range), "böss");
    assert.deepEqual([fault.source, fault.code, fault.severity], ["contextls", "value", vscode.DiagnosticSeverity.Error]);
    await editor.edit((edit) => { edit.replace(fault.range, "user"); });
    await eventually("its end", () => vscode.languages.getDiagnostics(document.uri).length === 0 || undefined);
  });
});
