// Problems that any extension reports become events when they appear and when they go.
import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { Memory, withSetting, writeFile } from "./events-support";
import { eventually, folder } from "./support";

describe("events of diagnostics", () => {
  let memory: Memory;
  let problems: vscode.DiagnosticCollection;

  before(async () => {
    memory = await Memory.shared();
    problems = vscode.languages.createDiagnosticCollection("checker");
    await vscode.workspace.getConfiguration("contextls").update("editSeconds", 0.2, vscode.ConfigurationTarget.Global);
  });

  after(async () => {
    problems.dispose();
    await vscode.workspace.getConfiguration("contextls").update("editSeconds", undefined, vscode.ConfigurationTarget.Global);
  });

  function problem(message: string, line = 3): vscode.Diagnostic {
    const found = new vscode.Diagnostic(new vscode.Range(line, 0, line, 4), message, vscode.DiagnosticSeverity.Error);
    found.source = "checker";
    found.code = { value: "E42", target: vscode.Uri.parse("https://example.org/E42") };
    return found;
  }

  it("tell what appeared, with its place and code, and that it is gone", async () => {
    const cart = vscode.Uri.joinPath(folder().uri, "shop/cart.py");
    problems.set(cart, [problem("Article has no weight")]);
    const appeared = await memory.event("diagnostic", "Article has no weight");
    assert.deepEqual(appeared.content, {
      path: "shop/cart.py",
      line: 4,
      message: "Article has no weight",
      severity: "error",
      source: "checker",
      code: "E42",
      state: "appeared",
    });
    problems.delete(cart);
    const all = await eventually("that it is gone", async () => {
      const told = await memory.holding("Article has no weight");
      return told.some(({ content }) => content.state === "gone") ? told : undefined;
    });
    assert.equal(all.length, 2);
  });

  it("are made of every document that changed, of those in the workspace only, and of no ignored one", async () => {
    const inside = ["a", "b", "c"].map((name) => writeFile(`many/${name}.py`, `${name} = 1\n`));
    const ignored = vscode.Uri.joinPath(folder().uri, "private/notes.py");
    const outside = vscode.Uri.file("/tmp/elsewhere.py");
    const all = [...inside, ignored, outside].map((uri): [vscode.Uri, vscode.Diagnostic[]] => [uri, [problem("Found everywhere")]]);
    problems.set(all);
    for (const uri of inside) {
      await memory.event("diagnostic", vscode.workspace.asRelativePath(uri));
    }
    assert.equal((await memory.holding("Found everywhere")).length, 3);
    problems.clear();
  });

  it("are left out while their switch is off", async () => {
    const invoice = vscode.Uri.joinPath(folder().uri, "shop/invoice.py");
    await withSetting("events.diagnostics", false, async () => {
      problems.set(invoice, [problem("Seen while off")]);
      await new Promise((resolve) => setTimeout(resolve, 800));
    });
    problems.set(vscode.Uri.joinPath(folder().uri, "web/checkout.ts"), [problem("Seen while on")]);
    await memory.event("diagnostic", "Seen while on");
    assert.equal((await memory.holding("Seen while off")).length, 0);
    problems.clear();
  });
});
