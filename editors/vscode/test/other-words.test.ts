// The words that the chat's model is asked for before the server is: what comes of each kind of answer.
import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { type Asked, otherWords } from "../src/chat/other-words";

describe("the words that the code may have", () => {
  const question = "what throws old entries away?";
  const token = new vscode.CancellationTokenSource().token;

  /** A model that says this, in two parts. */
  function model(said: string): Asked & { asked: string } {
    const text = (async function* (): AsyncGenerator<string> {
      await Promise.resolve();
      yield said.slice(0, 4);
      yield said.slice(4);
    })();
    const answering = {
      asked: "",
      sendRequest: (messages: vscode.LanguageModelChatMessage[]): Promise<vscode.LanguageModelChatResponse> => {
        const parts = messages.flatMap(({ content }) => content);
        answering.asked += parts.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : "")).join("");
        return Promise.resolve({ text, stream: text });
      },
    };
    return answering;
  }

  function words(from: Asked, asked = question): Promise<readonly string[]> {
    return otherWords(from, asked, token, 200);
  }

  it("are what the model answers, eight at most, each once", async () => {
    const asked = model("evict, LruCache evict _expire\nc d$ ttl size_limit popitem drop flush shrink");
    assert.deepEqual(await words(asked), ["evict", "LruCache", "_expire", "d$", "ttl", "size_limit", "popitem", "drop"]);
    assert.ok(asked.asked.includes(question));
  });

  it("are none where the question names the code", async () => {
    assert.deepEqual(await words(model("-")), []);
  });

  it("are not asked for where nothing or a whole log was typed", async () => {
    for (const typed of ["", "at x.py:1\n".repeat(100)]) {
      const asked = model("evict");
      assert.deepEqual(await words(asked, typed), []);
      assert.equal(asked.asked, "");
    }
  });

  it("are not waited for, and a model that fails costs nothing else", async () => {
    const silent = { sendRequest: (): Promise<never> => new Promise(() => undefined) };
    assert.deepEqual(await words(silent), []);
    const failing = { sendRequest: (): Promise<never> => Promise.reject(new Error("no quota")) };
    assert.deepEqual(await words(failing), []);
  });
});
