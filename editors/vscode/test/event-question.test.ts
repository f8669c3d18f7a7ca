// What is asked about something that happened, whichever command asks.
import * as assert from "node:assert/strict";
import fc from "fast-check";
import * as vscode from "vscode";
import type { ContextlsExports } from "../api/contextls";
import { eventNode } from "../src/activity/event-nodes";
import { questionForEvent } from "../src/event-question";
import type { Context, ListedEvent } from "../src/protocol";
import { copiedBy, folder } from "./support";

const ROOT = "file:///home/me/shop";
const NOISE = Array.from({ length: 200 }, (_, index) => `collected item ${index}`).join("\n");
const TRACEBACK = `Traceback (most recent call last):
  File "shop/cart.py", line 17, in discount_for
    return total / 0
ZeroDivisionError: division by zero`;

function event(given: Partial<ListedEvent>): ListedEvent {
  const base = { type: "note", sessionId: "s", timestamp: 0, outcome: null, content: {}, taskId: null, text: "text" };
  return { id: "e", ...base, ...given };
}

function run(outcome: "success" | "failure", output: Readonly<Record<string, unknown>> = {}): ListedEvent {
  return event({ type: "shell_exec", outcome, content: { command: "pytest -q", ...output } });
}

function asked(given: ListedEvent): string {
  return questionForEvent(ROOT, given).query;
}

describe("the question of an event", () => {
  it("asks to fix what failed, in a debugging prompt, and leaves the rest to the server", () => {
    const failed = questionForEvent(ROOT, run("failure", { stderr: "E assert 4 == 5" }));
    assert.equal(failed.strategy, "debug");
    assert.equal(failed.query, "Fix the error: the command `pytest -q` failed.\nE assert 4 == 5");
    assert.equal(questionForEvent(ROOT, run("success")).strategy, undefined);
  });

  it("holds the lines that tell of the error, wherever in the output they stand", () => {
    const telling = ['  File "shop/cart.py", line 17, in discount_for', "ZeroDivisionError: division by zero"];
    for (const stdout of [`${NOISE}\n${TRACEBACK}`, `${TRACEBACK}\n${NOISE}`, `${NOISE}\r\n${TRACEBACK}\r\n${NOISE}`]) {
      assert.deepEqual(asked(run("failure", { stdout })).split("\n").slice(1), telling);
    }
  });

  it("holds what was printed as errors behind what was printed otherwise, and loses neither", () => {
    const query = asked(run("failure", { stdout: `${NOISE}\nFAILED test_total`, stderr: "warning: cannot write the cache" }));
    assert.deepEqual(query.split("\n").slice(1), ["FAILED test_total", "warning: cannot write the cache"]);
  });

  it("holds the last lines where none tells more than the others", () => {
    const lines = asked(run("failure", { stdout: NOISE })).split("\n");
    assert.deepEqual(lines.slice(1), NOISE.split("\n").slice(-12));
  });

  it("is never long, however much was printed", () => {
    const outputs = fc.array(fc.oneof(fc.string({ maxLength: 2_000 }), fc.constant("an error\n".repeat(50))));
    fc.assert(
      fc.property(outputs, outputs, (stdout, stderr) => {
        const lines = asked(run("failure", { stdout: stdout.join("\n"), stderr: stderr.join("\n") })).split("\n");
        assert.ok(lines.length <= 13);
        assert.ok(lines.slice(1).every((line) => line.trim() !== "" && line.length <= 300));
      }),
    );
  });

  it("names the place of an error", () => {
    const content = { message: "broken", path: "shop/a b.py", line: 3 };
    const question = questionForEvent(ROOT, event({ type: "error", content }));
    assert.equal(question.textDocument?.uri, `${ROOT}/shop/a%20b.py`);
    assert.deepEqual(question.position, { line: 2, character: 0 });
    assert.match(question.query, /broken at shop\/a b\.py:3/u);
  });

  it("makes the same prompt from the palette as from the tree", async () => {
    const extension = vscode.extensions.getExtension<ContextlsExports>("contextls.contextls");
    assert.ok(extension);
    const api = (await extension.activate()).getApi(1);
    const content = { command: "make painted", exitCode: 2, stdout: `${TRACEBACK}\n${NOISE}` };
    const { id } = await api.record({ type: "shell_exec", outcome: "failure", content });
    assert.ok(id);
    const recorded = event({ id, type: "shell_exec", outcome: "failure", content });
    const told: Context[] = [];
    const listening = api.onDidAssemble((context) => told.push(context as Context));
    const fromTree = await copiedBy("contextls.activity.copyContext", eventNode(folder().uri.toString(), recorded));
    assert.match(fromTree, /ZeroDivisionError: division by zero/u);
    assert.equal(await copiedBy("contextls.copyForFailure"), fromTree);
    listening.dispose();
    const { query } = questionForEvent(folder().uri.toString(), recorded);
    const sent = told.map(({ metadata, strategy }) => [strategy.name, metadata.query]);
    assert.deepEqual(sent, [["debug", query], ["debug", query]]);
  });
});
