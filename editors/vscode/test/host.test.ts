// What every suite here relies on: a real host, the sample project, this extension as it stands in the folder.
import * as assert from "node:assert/strict";
import { join } from "node:path";
import * as vscode from "vscode";

describe("the host of these tests", () => {
  it("has opened the sample project and trusts it", async () => {
    const folder = vscode.workspace.workspaceFolders?.[0];
    assert.equal(folder?.name, "shop");
    assert.ok(vscode.workspace.isTrusted);
    const found = await vscode.workspace.findFiles("**/*.{py,ts}");
    assert.deepEqual(
      found.map((file) => vscode.workspace.asRelativePath(file)).filter((file) => file.startsWith("web/")),
      ["web/checkout.ts"],
    );
  });

  it("runs the extension from the folder that these tests were bundled in", () => {
    const extension = vscode.extensions.getExtension("contextls.contextls");
    assert.equal(extension?.extensionPath, join(__dirname, "..", ".."));
    assert.equal(vscode.workspace.getConfiguration("contextls").get<string>("server.path")?.endsWith("contextls"), true);
  });
});
