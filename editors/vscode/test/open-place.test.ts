// Where an editor goes when a piece of a prompt or a row of the tree is opened.
import * as assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import * as vscode from "vscode";
import { openPlace } from "../src/open-place";
import type { SourcePlace } from "../src/sources";
import { TestServer } from "./activity-support";
import { eventually, folder } from "./support";

const TWO_CLASSES = `class Till:
    """Sums up; its total comes first."""

    def total(self) -> int:
        return 1


class Basket:
    def total(self) -> int:
        return 2
`;
/** Ignored by git, so the server does not know it; VS Code's own TypeScript does. */
const UNINDEXED = `${"// a line\n".repeat(20)}export class Later {\n  opened(): void {}\n}\n`;
const OWN = ["shop/till.py", "private/later.ts"];

let server: TestServer;

function uriOf(path: string): vscode.Uri {
  return vscode.Uri.joinPath(folder().uri, path);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(uriOf(path).fsPath), { recursive: true });
  writeFileSync(uriOf(path).fsPath, text);
}

/** Opens and answers with the text of the line at which the cursor stands. */
async function lineAt(place: SourcePlace, from = server): Promise<string> {
  await openPlace(from.requests, folder().uri, place, true);
  const editor = vscode.window.activeTextEditor;
  assert.ok(editor);
  assert.equal(editor.document.uri.path, uriOf(place.path).path);
  return editor.document.lineAt(editor.selection.active.line).text.trim();
}

describe("a place that is opened", () => {
  before(async () => {
    write("shop/till.py", TWO_CLASSES);
    write("private/later.ts", UNINDEXED);
    server = await TestServer.start();
    await server.requests.index(false, folder().uri.toString());
    await eventually("the new classes", async () => server.requests.lineOf("shop/till.py#Basket", folder().uri.toString()));
  });

  after(async () => {
    server.dispose();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    for (const path of OWN) {
      rmSync(uriOf(path).fsPath, { force: true });
    }
  });

  afterEach(() => vscode.commands.executeCommand("workbench.action.closeAllEditors"));

  it("is shown at the lines it names, and where those are gone at the end", async () => {
    assert.equal(await lineAt({ path: "shop/till.py", startLine: 8, endLine: 10 }), "class Basket:");
    await openPlace(server.requests, folder().uri, { path: "shop/till.py", startLine: 900 }, true);
    assert.equal(vscode.window.activeTextEditor?.document.uri.path, uriOf("shop/till.py").path);
  });

  it("is the symbol that the server means, not another of that name", async () => {
    assert.equal(await lineAt({ path: "shop/till.py", symbol: "Basket.total" }), "def total(self) -> int:");
    assert.equal(vscode.window.activeTextEditor?.selection.active.line, 8);
    assert.equal(await lineAt({ path: "shop/till.py", symbol: "Till.total" }), "def total(self) -> int:");
    assert.equal(vscode.window.activeTextEditor.selection.active.line, 3);
  });

  it("is the symbol that a language extension knows where the server does not, or is away", async () => {
    const later = { path: "private/later.ts", symbol: "Later.opened" };
    await eventually("the symbols of TypeScript", async () =>
      (await lineAt(later)) === "opened(): void {}" ? true : undefined,
    );
    const gone = await TestServer.start();
    gone.dispose();
    const summary = { path: "web/checkout.ts", symbol: "checkoutSummary" };
    await eventually("the symbols of TypeScript", async () =>
      (await lineAt(summary, gone)).startsWith("export function checkoutSummary") ? true : undefined,
    );
  });

  it("leaves the cursor where it was when nobody knows the symbol any more", async () => {
    const editor = await vscode.window.showTextDocument(uriOf("shop/till.py"));
    editor.selection = new vscode.Selection(4, 2, 4, 2);
    assert.equal(await lineAt({ path: "shop/till.py", symbol: "Basket.never_there" }), "return 1");
    assert.equal(await lineAt({ path: "shop/till.py", symbol: "Cart" }), "return 1"); // there is one in another file
    assert.equal(await lineAt({ path: "shop/till.py" }), "return 1");
  });

  it("is not opened when the file is gone, and the user is told", async () => {
    const opening = openPlace(server.requests, folder().uri, { path: "shop/never_there.py", symbol: "f" }, true);
    await assert.rejects(opening, /^Error: shop\/never_there\.py is no longer there\.$/u);
    assert.equal(vscode.window.activeTextEditor, undefined);
  });
});
