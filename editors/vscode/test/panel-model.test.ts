// What the panel makes of an answer, without editor, server or page.
import * as assert from "node:assert/strict";
import * as fc from "fast-check";
import { ITEM_ACTIONS, PLAIN_ACTIONS, toHost } from "../src/panel/messages";
import { comparedOf, keyOf, movedOrder, omittedOf, piecesOf, sectionsOf } from "../src/panel/model";
import { pinOf } from "../src/panel/pins";
import { followed, NO_QUESTION, requestFor, reworded } from "../src/panel/question";
import { codeSymbol, placeOf, splitPath } from "../src/panel/source";
import { stateOf } from "../src/panel/state";
import { words } from "../src/panel/strings";
import { reprioritised } from "../src/pin-priority";
import type { Component, Context, PinnedFile } from "../src/protocol";
import { ServerMissingError } from "../src/server/launch";

const CODE = "### `src/a b.py:3-9` `Cart.total`\n```python\ndef total(self):\n    return 1\n```";

function component(source: string, changes: Partial<Component> = {}): Component {
  const told = { type: "semantic", source, content: CODE, tokens: 10, relevanceScore: 0.5, compression: null, why: "" } as const;
  const fields = { title: "Cart.total", path: "src/a b.py", startLine: 3, endLine: 9, symbol: "Cart.total", language: "python" };
  return { ...told, ...fields, body: "def total(self):\n    return 1", ...changes };
}

function answer(components: readonly Component[], changes: Partial<Context["report"]> = {}, confidence = 0.9): Context {
  const sectionTokens = { task: 0, working_set: 0, recent: 0, semantic: 0, entity: 0, relation: 0, pattern: 0, custom: 0 };
  return {
    id: "context-1",
    content: "",
    components,
    tokenCount: 20,
    truncated: false,
    confidence,
    strategy: {
      name: "code",
      shares: {},
      recencyWeight: 0.2,
      relevanceWeight: 0.6,
      salienceWeight: 0.2,
      depthLimit: 2,
      maxChunks: 40,
    },
    metadata: { query: "why?", eventsConsidered: 0, entitiesConsidered: 0, chunksSearched: 0, assemblyTimeMs: 1 },
    report: {
      omitted: [],
      warnings: [],
      sectionTokens,
      stepMs: {},
      cached: false,
      tokenizer: "o200k_base",
      tokenizerExact: true,
      indexComplete: true,
      indexExtent: null,
      layers: [],
      assembly: null,
      ...changes,
    },
  };
}

function pin(path: string, priority: number, changes: Partial<PinnedFile> = {}): PinnedFile {
  const rest = { symbol: null, folder: false, role: "context", truncateStrategy: "end", maxLines: null, problem: null, by: "person", why: null } as const;
  const target = changes.symbol === undefined || changes.symbol === null ? path : `${path}#${changes.symbol}`;
  const place = { target, pattern: false, startLine: null, endLine: null, includedFrom: null } as const;
  return { path, priority, ...place, ...rest, ...changes };
}

describe("a source of the panel", () => {
  it("is a place where it names one, and words where it does not", () => {
    assert.deepEqual(placeOf("semantic", "src/a b.py:3-9"), { path: "src/a b.py", startLine: 3, endLine: 9 });
    assert.deepEqual(placeOf("entity", "src/a.py#Cart.total"), { path: "src/a.py", symbol: "Cart.total" });
    assert.deepEqual(placeOf("working_set", "Makefile"), { path: "Makefile" });
    assert.equal(placeOf("recent", "event-1"), undefined);
    assert.equal(placeOf("relation", "src/a.py#f calls src/b.py#g"), undefined);
    assert.equal(placeOf("pattern", "pattern-2f"), undefined);
  });

  it("has a symbol where it is code", () => {
    assert.equal(codeSymbol({ symbol: "Cart.total", language: "python" }), "Cart.total");
    assert.equal(codeSymbol({ symbol: "Shop", language: "markdown" }), undefined);
    assert.equal(codeSymbol({ symbol: "a title of words", language: "python" }), undefined);
    assert.deepEqual(splitPath("src/app/a.py"), ["src/app/", "a.py"]);
    assert.deepEqual(splitPath("docs/"), ["", "docs/"]);
  });
});

describe("the sections of the panel", () => {
  it("stand in the order of the prompt, with their pieces as the server gave them", () => {
    const context = answer([
      component("a.py:1-2"),
      component("event-1", { type: "recent", title: "Read: a.py", symbol: "", language: "", body: "" }),
      component("b.py:3-4", { compression: "skeleton", why: "words: `total`" }),
    ]);
    const sections = sectionsOf(context, words(), new Map([["a.py:1-2", true]]));
    assert.deepEqual(sections.map(({ key }) => key), ["recent", "semantic"]);
    const [event, first, second] = sections.flatMap(({ items }) => items);
    assert.deepEqual([event?.name, event?.hasFile], ["Read: a.py", false]);
    assert.deepEqual([first?.target, second?.target, event?.target], ["a.py", "b.py#Cart.total", ""]);
    assert.deepEqual([first?.name, first?.place, first?.symbol, first?.helpful], ["a.py", ":1-2", "Cart.total", true]);
    assert.deepEqual([second?.compression, second?.why, second?.helpful], ["skeleton", "words: total", null]);
    assert.deepEqual(sections.map(({ movable }) => movable), [false, true]);
  });

  it("end with what stayed out, and why", () => {
    const omitted = [{ type: "entity", source: "a.py#f", reason: "budget", tokens: 7 }] as const;
    const [section] = omittedOf(answer([], { omitted }), words());
    assert.deepEqual([section?.tokens, section?.items[0]?.symbol, section?.items[0]?.why], [7, "f", "no room in the budget"]);
    assert.deepEqual(omittedOf(answer([]), words()), []);
  });

  it("compare two answers: each piece is in exactly one of three groups", () => {
    const sources = fc.uniqueArray(fc.constantFrom("a.py:1-2", "b.py:1-2", "c.py:1-2", "d.py:1-2", "e.py:1-2"));
    fc.assert(
      fc.property(sources, sources, (left, right) => {
        const groups = comparedOf(answer(left.map((s) => component(s))), answer(right.map((s) => component(s))), words(), new Map());
        const [first = [], both = [], second = []] = groups.map(({ items }) => items.map(({ key }) => key));
        const keys = (all: readonly string[]): string[] => all.map((source) => keyOf({ type: "semantic", source })).sort();
        assert.deepEqual([...first, ...both].sort(), keys(left));
        assert.deepEqual([...second, ...both].sort(), keys(right));
        assert.ok(groups.every(({ tokens, items }) => tokens === 10 * items.length));
      }),
    );
  });

  it("move one piece past its neighbour and no other", () => {
    const context = answer([component("a.py:1-2"), component("event-1", { type: "recent" }), component("b.py:1-2"), component("c.py:1-2")]);
    const piece = (source: string) => piecesOf(context).get(`semantic|${source}`) ?? assert.fail();
    assert.deepEqual(movedOrder(context, piece("b.py:1-2"), -1), ["b.py:1-2", "a.py:1-2", "c.py:1-2"]);
    assert.deepEqual(movedOrder(context, piece("b.py:1-2"), 1), ["a.py:1-2", "c.py:1-2", "b.py:1-2"]);
    assert.equal(movedOrder(context, piece("a.py:1-2"), -1), undefined);
    assert.equal(movedOrder(context, piece("c.py:1-2"), 1), undefined);
  });
});

describe("a pin that is moved", () => {
  it("is found behind a symbol, a file, or a folder around it", () => {
    const pins = [pin("src/a.py", 0.9, { symbol: "f" }), pin("src/b.py", 0.8), pin("docs", 0.7, { folder: true })];
    const found = (source: string): string | undefined => pinOf(pins, { type: "working_set", source, symbol: undefined })?.path;
    assert.equal(found("src/a.py#f"), "src/a.py");
    assert.equal(found("src/b.py:1-9"), "src/b.py");
    assert.equal(found("docs/x/y.md"), "docs");
    assert.equal(found("docsx/y.md"), undefined);
  });

  it("always lands right beside its neighbour, whatever the priorities were", () => {
    const priorities = fc.array(fc.integer({ min: 0, max: 20 }).map((n) => n / 20), { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(priorities, fc.nat(), fc.constantFrom(-1 as const, 1 as const), (given, seed, by) => {
        const pins = [...given].sort((a, b) => b - a).map((priority, index) => pin(`${index}.py`, priority));
        const from = by === -1 ? 1 + (seed % (pins.length - 1)) : seed % (pins.length - 1);
        const moved = pins[from] ?? assert.fail();
        const neighbour = pins[from + by] ?? assert.fail();
        const changes = new Map(reprioritised(pins, moved, neighbour, by).map(({ pin: { path }, priority }) => [path, priority]));
        const now = pins.map((each) => ({ path: each.path, priority: changes.get(each.path) ?? each.priority }));
        const wanted = pins.filter((each) => each !== moved).map(({ path }) => path);
        wanted.splice(from + by, 0, moved.path);
        const sorted = [...now].sort((a, b) => b.priority - a.priority || wanted.indexOf(a.path) - wanted.indexOf(b.path));
        assert.deepEqual(sorted.map(({ path }) => path), wanted);
        assert.notEqual(changes.get(moved.path), changes.get(neighbour.path) ?? neighbour.priority);
        assert.ok(now.every(({ priority }) => priority >= 0 && priority <= 1));
      }),
    );
  });
});

describe("a question of the panel", () => {
  it("asks with archetype, budget, order and what is left out, where the user is", () => {
    const question = { ...NO_QUESTION, text: "why?", archetype: "debug", leftOut: ["a.py:1-2"], order: { semantic: ["b", "c"] } };
    assert.deepEqual(requestFor(question, 900, { position: { line: 1, character: 2 } }), {
      query: "why?",
      maxTokens: 900,
      strategy: "debug",
      filters: { exclude: ["a.py:1-2"] },
      order: ["b", "c"],
      position: { line: 1, character: 2 },
    });
  });

  it("says nothing of what nobody chose", () => {
    assert.deepEqual(requestFor({ ...NO_QUESTION, text: "why?" }, 900, {}), { query: "why?", maxTokens: 900 });
  });

  it("starts afresh in new words, but keeps archetype and budget", () => {
    const old = { ...NO_QUESTION, text: "a", archetype: "debug", budget: 700, leftOut: ["x"], order: { recent: ["y"] } };
    assert.deepEqual(reworded(old, "b"), { ...NO_QUESTION, text: "b", archetype: "debug", budget: 700 });
  });

  it("goes on as another command asked, changes of a review included", () => {
    const asked = { query: "q", task: "This is about `q`.", changes: "staged", maxTokens: 500, strategy: "review", filters: { exclude: ["x"], paths: ["src/"] } } as const;
    const question = followed("q", { ...asked, position: { line: 0, character: 0 }, order: ["s"] });
    assert.deepEqual(requestFor(question, 500, {}), { ...asked, order: ["s"] });
  });
});

describe("messages of the page", () => {
  it("are taken as they are meant", () => {
    for (const type of PLAIN_ACTIONS) {
      assert.deepEqual(toHost({ type }), { type });
    }
    for (const action of ITEM_ACTIONS) {
      assert.deepEqual(toHost({ type: "item", action, key: "k" }), { type: "item", action, key: "k" });
    }
    assert.deepEqual(toHost({ type: "ask", question: "q", second: null }), { type: "ask", question: "q", second: null });
    assert.deepEqual(toHost({ type: "budget", tokens: 10 }), { type: "budget", tokens: 10 });
  });

  it("are dropped when they are anything else", () => {
    const wrong = [
      null,
      "copy",
      { type: "delete" },
      { type: "budget", tokens: -1 },
      { type: "budget", tokens: 1.5 },
      { type: "item", action: "format", key: "k" },
      { type: "ask", question: 3, second: null },
      { type: "ask", question: "x".repeat(100_001), second: null },
    ];
    for (const message of wrong) {
      assert.equal(toHost(message), undefined, JSON.stringify(message));
    }
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const type = (value as { type?: unknown } | null | undefined)?.type;
        assert.ok(toHost(value) === undefined || typeof type === "string");
      }),
    );
  });

  it("bring back only what was saved whole", () => {
    const saved = { question: "q", second: null, archetype: null, budget: 500 };
    assert.deepEqual(toHost({ type: "ready", saved: { ...saved, scroll: 3 } }), { type: "ready", saved });
    assert.deepEqual(toHost({ type: "ready", saved: { question: "q" } }), { type: "ready", saved: null });
  });
});

describe("the state of the panel", () => {
  const known = {
    server: { kind: "running", version: "1" } as const,
    folder: { name: "shop", several: false },
    question: NO_QUESTION,
    second: undefined,
    budget: 4000,
    shownBudget: 4000,
    archetypes: [],
    context: undefined,
    secondContext: undefined,
    failure: undefined,
    busy: false,
    marks: new Map<string, boolean>(),
    turn: undefined,
    chat: false,
    words: words(),
  };
  const stage = (changes: object): string => stateOf({ ...known, ...changes }).stage.kind;

  it("says what is missing", () => {
    const setUp = new ServerMissingError("not set up", "setUp");
    assert.equal(stage({ folder: undefined }), "noFolder");
    assert.equal(stage({}), "unasked");
    assert.equal(stage({ server: { kind: "starting" } }), "starting");
    assert.equal(stage({ server: { kind: "failed", error: setUp } }), "setUp");
    assert.equal(stage({ server: { kind: "failed", error: new Error("gone") } }), "failed");
    assert.equal(stage({ failure: new Error("no") }), "failed");
    assert.equal(stage({ question: { ...NO_QUESTION, text: "q" }, busy: true }), "asking");
    assert.equal(stage({ context: answer([]) }), "nothing");
    assert.equal(stage({ context: answer([], { indexComplete: false }) }), "indexing");
    assert.equal(stage({ context: answer([component("a.py:1-2")]) }), "shown");
  });

  it("keeps the last answer while the server is away, and says so", () => {
    const state = stateOf({ ...known, context: answer([component("a.py:1-2")]), server: { kind: "waiting", ms: 250 } });
    assert.equal(state.stage.kind, "shown");
    assert.deepEqual(state.notices, [words().serverDown]);
  });

  it("says that an answer may be incomplete, and what the server warns of", () => {
    const context = answer([component("a.py:1-2")], { indexComplete: false, warnings: ["git is slow"] });
    assert.deepEqual(stateOf({ ...known, context }).notices, [words().indexing, "git is slow"]);
  });

  it("says where little matches the question, unless the prompt says so itself", () => {
    const notices = (source: string, confidence: number): readonly string[] =>
      stateOf({ ...known, context: answer([component(source)], {}, confidence) }).notices;
    assert.deepEqual(notices("a.py:1-2", 0.1), [words().little]);
    assert.deepEqual(notices("a.py:1-2", 0.6), []);
    assert.deepEqual(notices("nothing", 0), []);
  });

  it("names the folder only where there are several", () => {
    assert.equal(stateOf(known).folder, null);
    assert.equal(stateOf({ ...known, folder: { name: "shop", several: true } }).folder, "shop");
  });
});
