import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { definitions } from "../src/chat/mcp";
import type { Launch } from "../src/server/launch";

const FOLDERS = ["/src/app", "/src/lib"].map((path, index) => ({ uri: vscode.Uri.file(path), name: path, index }));
const OURS: Launch = { command: "/env/bin/python", args: ["-I", "-m", "contextls", "serve"], origin: "environment", cwd: "/storage" };

describe("the server for the agent mode", () => {
  it("is the one that the editor runs, on the open folders", () => {
    const [definition] = definitions(OURS, "1.2.3", FOLDERS);
    const roots = FOLDERS.flatMap(({ uri }) => ["--root", uri.fsPath]);
    assert.equal(definition?.command, "/env/bin/python");
    assert.deepEqual(definition.args, ["-I", "-m", "contextls", "mcp", ...roots]);
    assert.equal(definition.cwd?.fsPath, vscode.Uri.file("/storage").fsPath);
    assert.equal(definition.version, "1.2.3");
  });

  it("is not offered where no folder is open", () => {
    assert.deepEqual(definitions(OURS, "1.2.3", []), []);
  });
});
