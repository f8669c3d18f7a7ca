// What other extensions can ask of this one.
import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import type { AssembledContext, ContextlsApi, ContextlsExports } from "../api/contextls";

async function api(): Promise<ContextlsApi> {
  const extension = vscode.extensions.getExtension<ContextlsExports>("contextls.contextls");
  assert.ok(extension);
  return (await extension.activate()).getApi(1);
}

describe("the API for other extensions", () => {
  it("is versioned, and says so when a version is not known", async () => {
    const extension = vscode.extensions.getExtension<ContextlsExports>("contextls.contextls");
    const exported = (await extension?.activate()) ?? assert.fail();
    assert.equal(exported.getApi(1).version, 1);
    assert.throws(() => exported.getApi(2 as 1), /no API of version 2; it has 1/u);
  });

  it("assembles a context within the budget, and tells every listener", async () => {
    const contextls = await api();
    const heard: AssembledContext[] = [];
    const listening = contextls.onDidAssemble((context) => heard.push(context));
    const context = await contextls.assemble({ query: "how is the discount computed?", maxTokens: 600 });
    listening.dispose();
    assert.match(context.content, /^how is the discount computed\?\n\n## [^]*discount_for/u);
    assert.ok(context.tokenCount <= 600);
    assert.ok(context.components.every((component) => component.tokens > 0));
    assert.equal(heard.at(-1)?.id, context.id);
  });

  it("takes into account where the user is, what stays out, and text of its own", async () => {
    const contextls = await api();
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail();
    const context = await contextls.assemble({
      query: "how is the discount computed?",
      archetype: "explain",
      additionalContext: "The customer is in Norway.",
      taskLine: false,
      document: vscode.Uri.joinPath(folder, "shop", "invoice.py"),
      range: new vscode.Range(5, 0, 7, 0),
      exclude: ["shop/cart.py"],
    });
    assert.match(context.content, /^## [^]*The customer is in Norway\./u);
    assert.ok(!context.components.some((component) => component.source.startsWith("shop/cart.py")));
  });

  it("looks for other words as well", async () => {
    const contextls = await api();
    const context = await contextls.assemble({ query: "who orders a lot, what do they save?", otherWords: ["discount"] });
    assert.ok(context.components.some(({ why }) => why.includes('discount')));
  });

  it("searches", async () => {
    const hits = await (await api()).search({ query: "discount of a large order", limit: 2 });
    assert.equal(hits[0]?.path, "shop/cart.py");
    assert.ok(hits.length <= 2);
  });

  it("records what another extension saw, and nothing about ignored files", async () => {
    const contextls = await api();
    const kept = await contextls.record({ type: "note", content: { text: "told through the API" } });
    assert.ok(kept.id);
    const ignored = await contextls.record({ type: "file_read", content: { path: "private/notes.py" } });
    assert.deepEqual(ignored, { id: null, reason: "ignored" });
  });

  it("records nothing while memory is paused, and says why", async () => {
    const contextls = await api();
    await vscode.commands.executeCommand("contextls.toggleMemory");
    try {
      const answer = await contextls.record({ type: "note", content: { text: "said while paused" } });
      assert.deepEqual(answer, { id: null, reason: "paused" });
    } finally {
      await vscode.commands.executeCommand("contextls.toggleMemory");
    }
  });

  it("rejects wrong questions with a message that names the field", async () => {
    const contextls = await api();
    await assert.rejects(contextls.assemble({ query: "anything", maxTokens: 1 }), /maxTokens/u);
  });
});
