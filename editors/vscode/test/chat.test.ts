// What the chat gets: the tool for models, and how a chat request becomes a question. A whole chat is tested in a window.
import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { workingSetNodes } from "../src/activity/working-set-nodes";
import { keepTurn } from "../src/chat/conversation";
import { confirmation } from "../src/chat/set-tool";
import { budgetFor, chatParams, turnParams } from "../src/chat/question";
import { historyParams, type Kept, keptOf, messagesOf, type PastTurn, resultParams, threadOf } from "../src/chat/thread";
import { turnOf } from "../src/panel/turn";
import { words } from "../src/panel/strings";
import type { AssembledTurn } from "../src/protocol";
import { settingsForServer } from "../src/settings";
import { OwnServer } from "./panel-support";
import { connect, folder, initialize } from "./support";

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

  it("looks for the words of code that the model gives as well", async () => {
    const query = "who orders a lot, what do they save?";
    const found = await invoke({ query, otherWords: ["discount", "rebate"], maxTokens: 200 });
    assert.match(found, /def discount_for/u);
  });

  it("does not repeat what the model says that it has seen", async () => {
    const query = "how is the discount computed?";
    const first = await invoke({ query });
    const id = /^Id of this answer: (\S+)$/mu.exec(first)?.[1] ?? assert.fail(first);
    const again = await invoke({ query, seen: ["context-of-yesterday", id] });
    assert.doesNotMatch(again, /def discount_for/u);
    assert.ok(again.includes(`Turn 1 is the answer ${id}.`), again);
    assert.match(again, /^- `shop\/cart\.py:\d+-\d+`.*: shown in turn 1, unchanged$/mu);
    assert.match(await invoke({ query, seen: ["context-of-yesterday"] }), /def discount_for/u);
  });

  it("tells a model what was wrong with its input", async () => {
    await assert.rejects(invoke({ query: "anything", archetype: "poetry" }), /poetry|archetype|strategy/u);
  });
});

describe("the language-model tool that updates the working set", () => {
  const invokeSet = async (updates: readonly object[]): Promise<string> => {
    const options = { input: { updates }, toolInvocationToken: undefined };
    const result = await vscode.lm.invokeTool("contextls_update_working_set", options);
    return result.content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : "")).join("");
  };
  const path = "shop/cart.py";

  it("does what the model asks for, says so, and is undone by the user", async () => {
    const added = await invokeSet([{ action: "add_to_working_set", path, why: "the discount is in it", priority: 0.6 }]);
    assert.match(added, /^Done\.\n.*\n- shop\/cart\.py, priority 0\.6, by a model$/u);
    const rootUri = folder().uri.toString();
    const place = { target: path, pattern: false, startLine: null, endLine: null, includedFrom: null } as const;
    const pin = { path, ...place, symbol: null, folder: false, priority: 0.6, role: "context", truncateStrategy: "middle", maxLines: null, problem: null, by: "model", why: "" } as const;
    const [row] = workingSetNodes(rootUri, { files: [pin], excluded: [], location: "", warnings: [], updates: [], server: [] });
    await vscode.commands.executeCommand("contextls.activity.undo", row);
    const removed = await invokeSet([{ action: "remove_from_working_set", path, why: "done" }]);
    assert.match(removed, /^Nothing was changed:\n- shop\/cart\.py is no entry of the working set\nThe working set is empty\.$/u);
  });

  it("has the user confirm each reason, and lets none of it be a link", () => {
    const updates = [
      { action: "adjust_priority", path: "a.py#Cart.total", why: "see [this](command:evil)", priority: 0.9 },
      { action: "remove_from_working_set", path: "b.py", why: "done" },
    ] as const;
    const { value, isTrusted } = confirmation({ updates });
    const text = value.replaceAll("&nbsp;", " ");
    assert.match(text, /Cart\.total.*0\.9.*\\\[this\\\]/u);
    assert.match(text, /b\.py: done/u);
    assert.notEqual(isTrusted, true);
  });

  it("tells a model what was wrong with its input", async () => {
    await assert.rejects(invokeSet([{ action: "add_to_working_set", path: "../x", why: "why" }]), /updates\[0\]\.path/u);
  });
});

describe("a chat and its conversation", () => {
  const kept = (last: number, after: number | null, changes: Partial<Kept> = {}): Kept => ({
    conversation: "chat-1",
    after: after === null ? null : `node-${after}`,
    last: `node-${last}`,
    ...changes,
  });
  const said = (kept: Kept | undefined, sent?: string): PastTurn => ({ prompt: "why?", reply: "So.", kept, sent });
  const chat = [said(kept(2, null, { began: 0 })), said(kept(4, 2)), said(kept(6, 4))];

  it("goes on where the chat ends, also after the user went back to an earlier turn", () => {
    assert.equal(threadOf([]), undefined);
    assert.deepEqual(threadOf(chat), { conversationId: "chat-1", nodeId: "node-6" });
    assert.deepEqual(threadOf(chat.slice(0, 2)), { conversationId: "chat-1", nodeId: "node-4" });
    const imported = [said(undefined), said(kept(4, 2, { began: 1 }))];
    assert.deepEqual(threadOf(imported), { conversationId: "chat-1", nodeId: "node-4" });
  });

  it("says what the chat says, and nothing that was removed from it", () => {
    const [first, second, third] = chat as [PastTurn, PastTurn, PastTurn];
    assert.equal(threadOf([first, third]), undefined);
    assert.equal(threadOf([second, third]), undefined);
    assert.equal(threadOf([...chat, said(undefined)]), undefined);
    assert.equal(threadOf([first, said(kept(9, 8, { conversation: "chat-2" }))]), undefined);
    assert.deepEqual(historyParams([first, third], undefined), { history: messagesOf([first, third]) });
    assert.deepEqual(historyParams([], undefined), {});
  });

  it("gives the message that was sent where it is not kept", () => {
    assert.deepEqual(messagesOf([said(undefined, "### `a.py:1-2`\n…\nwhy?"), { ...said(undefined), reply: " " }]), [
      { role: "user", content: "### `a.py:1-2`\n…\nwhy?" },
      { role: "assistant", content: "So." },
      { role: "user", content: "why?" },
    ]);
  });

  it("reads only its own metadata", () => {
    assert.deepEqual(keptOf({ ...kept(2, null, { began: 0 }), more: 1 }), kept(2, null, { began: 0 }));
    for (const value of [undefined, null, 3, "chat-1", {}, { conversation: 1 }, { ...kept(2, 1), began: "0" }]) {
      assert.equal(keptOf(value), undefined);
    }
  });

  it("keeps no answer where there was none", () => {
    const turn = { title: "why?", sent: "why?", reply: "", context: {}, predictedCachedTokens: 0 };
    assert.deepEqual(resultParams(turn, { conversationId: "chat-1" }).messages, [{ author: "human", content: "why?", context: {} }]);
  });
});

describe("turns of a chat on a real server", () => {
  const query = "how is the discount computed?";
  const model = { family: "gpt-4o", vendor: "tests", maxInputTokens: 60_000 };
  let server: OwnServer;
  const warnings: string[] = [];
  const services = (records: boolean): Parameters<typeof keepTurn>[0] =>
    ({
      requests: server.requests,
      memory: { records },
      log: { warn: (text: string) => warnings.push(text) },
    }) as unknown as Parameters<typeof keepTurn>[0];
  const at = (): string => folder().uri.toString();

  async function ask(before: readonly PastTurn[], records = true): Promise<{ turn: AssembledTurn; past: PastTurn }> {
    const thread = threadOf(before);
    const params = turnParams({ query, maxTokens: BUDGET, taskLine: false, rootUri: at() }, model);
    const turn = await server.requests.assembleTurn({ ...params, ...historyParams(before, thread) });
    const { content: sent, context } = turn.currentMessage;
    const reply = `Answer ${before.length + 1}.`;
    const said = { title: query, sent, reply, context, predictedCachedTokens: turn.cache.cachedTokens };
    const kept = await keepTurn(services(records), said, before, thread, at());
    return { turn, past: { prompt: query, reply, kept, sent: kept === undefined ? sent : undefined } };
  }

  before(async () => {
    server = await OwnServer.start({});
  });

  after(async () => {
    await server.requests.clear({ index: false, events: false, conversations: true }, at());
    await server.stop();
  });

  it("sends nothing twice, and most of a later turn stands in the provider's cache", async () => {
    const first = await ask([]);
    assert.match(first.turn.currentMessage.content, /def discount_for/u);
    assert.deepEqual(first.turn.report.warnings, []);
    assert.equal(first.past.kept?.began, 0);
    const second = await ask([first.past]);
    assert.deepEqual(second.turn.history.map(({ content }) => content), [first.turn.currentMessage.content, "Answer 1."]);
    assert.doesNotMatch(second.turn.currentMessage.content, /def discount_for/u);
    assert.match(second.turn.currentMessage.content, /: shown in turn 1, unchanged$/mu);
    const view = turnOf(second.turn, words().layers);
    assert.deepEqual(view.layers.map(({ key }) => key), ["workspace", "persona", "session", "memory", "event"].filter((key) => view.layers.some((layer) => layer.key === key)));
    assert.ok(view.saved > 0);
    const third = await ask([first.past, second.past]);
    assert.ok((turnOf(third.turn, words().layers).cachedShare ?? 0) > 0.5);
    assert.equal(third.past.kept?.after, second.past.kept?.last);
    assert.deepEqual(warnings, []);
  });

  it("begins again with what the chat still says after a turn was removed", async () => {
    const first = await ask([]);
    const second = await ask([first.past]);
    const third = await ask([second.past]);
    assert.deepEqual(third.turn.history.map(({ content }) => content), [query, "Answer 2."]);
    assert.match(third.turn.currentMessage.content, /def discount_for/u);
    assert.notEqual(third.past.kept?.conversation, first.past.kept?.conversation);
    assert.equal(third.past.kept?.began, 1);
    const fourth = await ask([second.past, third.past]);
    assert.equal(fourth.turn.history.length, 4);
    assert.match(fourth.turn.currentMessage.content, /: shown in turn 2, unchanged$/mu);
  });

  it("keeps nothing where nothing may be recorded, and still sends nothing twice", async () => {
    const first = await ask([], false);
    assert.equal(first.past.kept, undefined);
    const second = await ask([first.past], false);
    assert.doesNotMatch(second.turn.currentMessage.content, /def discount_for/u);
    assert.match(second.turn.currentMessage.content, /: shown in turn 1, unchanged$/mu);
  });
});

describe("trust", () => {
  const RULES = "Prices are whole cents.";
  const place = (): vscode.Uri => vscode.Uri.joinPath(folder().uri, "AGENTS.md");

  async function systemPrompt(options: object): Promise<string> {
    const { process, connection } = connect();
    try {
      await initialize(connection, folder().uri.toString(), options);
      const params = { query: "how is the discount computed?", shape: "messages" };
      return (await connection.sendRequest<AssembledTurn>("context/assemble", params)).systemPrompt;
    } finally {
      connection.dispose();
      process.kill();
    }
  }

  before(async () => {
    await vscode.workspace.fs.writeFile(place(), Buffer.from(`${RULES}\n`));
  });

  after(async () => {
    await vscode.workspace.fs.delete(place());
  });

  it("of the editor decides whether a folder may instruct a model", async () => {
    const options = { ...settingsForServer(false) };
    assert.equal(options.trusted, vscode.workspace.isTrusted);
    assert.ok((await systemPrompt(options)).includes(RULES));
    assert.ok(!(await systemPrompt({ ...options, trusted: false })).includes(RULES));
  });
});

describe("a chat request", () => {
  const nothing = { command: undefined, attached: [], modelTokens: undefined, otherWords: [] };

  it("is the question that was typed", () => {
    assert.deepEqual(chatParams({ ...nothing, prompt: " how? " }, BUDGET), {
      query: "how?",
      maxTokens: BUDGET,
      taskLine: false, // the chat sends the question itself
    });
  });

  it("carries the words that the model gives", () => {
    const asked = chatParams({ ...nothing, prompt: "what throws old ones away?", otherWords: ["evict"] }, BUDGET);
    assert.deepEqual(asked.otherWords, ["evict"]);
  });

  it("asks something sensible when only a command was typed", () => {
    const fix = chatParams({ ...nothing, prompt: "", command: "fix" }, BUDGET);
    assert.deepEqual(fix, {
      query: "fix the failing test or command",
      maxTokens: BUDGET,
      taskLine: false,
      strategy: "debug",
    });
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
