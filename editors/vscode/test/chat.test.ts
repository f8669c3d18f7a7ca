// What the chat gets: the tool for models, and how a chat request becomes a question. A whole chat is tested in a window.
import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { budgetFor, chatParams } from "../src/chat/question";

const BUDGET = 4000;

async function invoke(input: object, tokenBudget?: number): Promise<string> {
  const countTokens = (text: string): Promise<number> => Promise.resolve(Math.ceil(text.length / 4));
  const result = await vscode.lm.invokeTool("contextls_assemble", {
    input,
    toolInvocationToken: undefined,
    ...(tokenBudget === undefined ? {} : { tokenizationOptions: { tokenBudget, countTokens } }),
  });
  return result.content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : "")).join("");
}

describe("the language-model tool", () => {
  it("is offered to models with a description and a schema", () => {
    const tool = vscode.lm.tools.find((each) => each.name === "contextls_assemble");
    assert.match(tool?.description ?? "", /token budget/u);
    assert.deepEqual((tool?.inputSchema as { required: string[] }).required, ["query"]);
  });

  it("answers with the context of a question", async () => {
    assert.match(await invoke({ query: "how is the discount computed?" }), /def discount_for/u);
  });

  it("keeps to the paths that the model asks for, and to the smaller of two budgets", async () => {
    const narrow = await invoke({ query: "how is the discount computed?", paths: ["web/"], archetype: "explain" });
    assert.doesNotMatch(narrow, /def discount_for/u);
    const small = await invoke({ query: "how is the discount computed?", maxTokens: 3000 }, 120);
    assert.ok(small.length < 120 * 8, small);
  });

  it("tells a model what was wrong with its input", async () => {
    await assert.rejects(invoke({ query: "anything", archetype: "poetry" }), /poetry|archetype|strategy/u);
  });
});

describe("a chat request", () => {
  const nothing = { command: undefined, attached: [], modelTokens: undefined };

  it("is the question that was typed", () => {
    assert.deepEqual(chatParams({ ...nothing, prompt: " how? " }, BUDGET), { query: "how?", maxTokens: BUDGET });
  });

  it("asks something sensible when only a command was typed", () => {
    const fix = chatParams({ ...nothing, prompt: "", command: "fix" }, BUDGET);
    assert.deepEqual(fix, { query: "fix the failing test or command", maxTokens: BUDGET, strategy: "debug" });
    const review = chatParams({ ...nothing, prompt: "", command: "review" }, BUDGET);
    assert.equal(review.changes, "all");
    assert.equal(review.strategy, "review");
    for (const command of ["explain", "recent", undefined]) {
      assert.notEqual(chatParams({ ...nothing, prompt: "  ", command }, BUDGET).query.trim(), "");
    }
  });

  it("lets attached files count for more, whatever their names are", () => {
    const asked = chatParams({ ...nothing, prompt: "why?", attached: ["src/[id]/page!.ts"] }, BUDGET);
    assert.deepEqual(asked.boosts, { paths: { "/src/\\[id\\]/page\\!.ts": 4 } });
  });

  it("never asks for more than the model has room for, nor for nothing", () => {
    assert.equal(budgetFor(undefined, BUDGET), BUDGET);
    assert.equal(budgetFor(128_000, BUDGET), BUDGET);
    assert.equal(budgetFor(4096, BUDGET), 1638);
    assert.equal(budgetFor(100, BUDGET), 200);
  });
});
