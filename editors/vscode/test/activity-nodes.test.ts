import * as assert from "node:assert/strict";
import type { MarkdownString } from "vscode";
import { chosen } from "../src/activity/chosen";
import { eventNodes } from "../src/activity/event-list";
import { eventNode } from "../src/activity/event-nodes";
import { eventKinds } from "../src/activity/filter";
import type { ActivityNode } from "../src/activity/node";
import { placeOf } from "../src/activity/open";
import { patternNodes } from "../src/activity/pattern-nodes";
import { targetOf } from "../src/activity/pin-actions";
import { taskNodes } from "../src/activity/task-nodes";
import { excerpt } from "../src/activity/tooltip";
import { workingSetNodes } from "../src/activity/working-set-nodes";
import { moved } from "../src/pin-priority";
import type { ListedEvent, PinnedFile, TaskFrame } from "../src/protocol";

const ROOT = "file:///home/me/shop";
const NOON = new Date(2026, 4, 20, 12).getTime();
const DAY = 86_400_000;

function event(id: string, given: Partial<ListedEvent>): ListedEvent {
  const base = { type: "note", sessionId: "s", timestamp: NOON, outcome: null, content: {}, taskId: null, text: "text" };
  return { id, ...base, ...given };
}

function run(id: string, exitCode: number, stderr = "", timestamp = NOON): ListedEvent {
  const outcome = exitCode === 0 ? "success" : "failure";
  const content = { command: "pytest -q", exitCode, stdout: "", stderr, durationMs: 4_200 };
  return event(id, { type: "shell_exec", outcome, content, timestamp, text: `Executed: pytest -q exit ${exitCode}` });
}

function task(id: string, given: Partial<TaskFrame>): TaskFrame {
  const base = { goal: id, parent: null, children: [], status: "active", result: null, reason: null, depth: 0 } as const;
  return { id, ...base, createdAt: NOON, completedAt: null, ...given };
}

function pin(path: string, priority: number, given: Partial<PinnedFile> = {}): PinnedFile {
  const base = { symbol: null, folder: false, role: "context", truncateStrategy: "middle", maxLines: null, problem: null, by: "person", why: null } as const;
  const target = given.symbol === undefined || given.symbol === null ? path : `${path}#${given.symbol}`;
  const place = { target, pattern: false, startLine: null, endLine: null, includedFrom: null } as const;
  return { path, priority, ...place, ...base, ...given };
}

function icon(node: ActivityNode | undefined): string | undefined {
  return node?.icon?.id;
}

function tip(node: ActivityNode | undefined): MarkdownString {
  assert.ok(node?.tooltip);
  return node.tooltip;
}

describe("an event as a row", () => {
  it("shows a failed command with its exit code, and one that succeeded without", () => {
    const failed = eventNode(ROOT, run("e1", 1));
    assert.equal(failed.label, "pytest -q");
    assert.match(failed.description ?? "", /exit 1/u);
    assert.equal(icon(failed), "error");
    assert.match(failed.traits, /\bfailure\b/u);
    const passed = eventNode(ROOT, run("e2", 0));
    assert.doesNotMatch(passed.description ?? "", /exit/u);
    assert.equal(icon(passed), "terminal");
    assert.doesNotMatch(passed.traits, /\bfailure\b/u);
  });

  it("shows a file by its name, with the folder behind it", () => {
    const node = eventNode(ROOT, event("e", { type: "file_write", content: { path: "shop/cart.py" } }));
    assert.equal(node.label, "cart.py");
    assert.match(node.description ?? "", /^shop · /u);
    assert.match(node.traits, /\bfile\b/u);
  });

  it("shows an error with its message and place, and a problem that is solved as good news", () => {
    const content = { message: "totl is not defined", path: "shop/cart.py", line: 14, state: "appeared" };
    const error = eventNode(ROOT, event("e", { type: "error", outcome: "failure", content }));
    assert.equal(error.label, "totl is not defined");
    assert.match(error.description ?? "", /^cart\.py:14/u);
    assert.equal(icon(eventNode(ROOT, event("e", { type: "diagnostic", content }))), "warning");
    const solved = event("e", { type: "diagnostic", content: { ...content, state: "solved" } });
    assert.equal(icon(eventNode(ROOT, solved)), "pass");
  });

  it("shows what it does not know by the server's own words, whatever the content", () => {
    for (const content of [{}, { path: 3 }, { command: null, exitCode: "x" }, { message: [] }]) {
      for (const type of ["shell_exec", "error", "diagnostic", "note", "file_read", "git_commit", "deployed"]) {
        assert.equal(eventNode(ROOT, event("e", { type, content, text: "said by the server" })).label, "said by the server");
      }
    }
  });

  it("tells time, exit code and the end of the output in its tooltip, and trusts nothing in it", () => {
    const output = Array.from({ length: 40 }, (_, index) => `line ${index}`).join("\n");
    const text = tip(eventNode(ROOT, run("e", 2, `${output}\n\`\`\`\n[run](command:evil)`)));
    assert.match(text.value, /Exit code: 2/u);
    assert.match(text.value, /Took: 4\.2 s/u);
    assert.match(text.value, /line 39/u);
    assert.doesNotMatch(text.value, /line 3\n/u);
    assert.notEqual(text.isTrusted, true);
    assert.notEqual(text.supportHtml, true);
    assert.match(text.value, /````/u); // the fence outgrows the one in the output
    const note = event("e", { text: "Note: [run](command:evil) **bold** <b>" });
    assert.match(tip(eventNode(ROOT, note)).value, /\\\[run\\\]\\\(command:evil\\\) \\\*\\\*bold/u);
  });

  it("keeps the end of a long output and cuts long lines", () => {
    assert.equal(excerpt(""), "");
    assert.equal(excerpt("one\ntwo\n"), "one\ntwo");
    assert.ok(excerpt("x".repeat(1_000)).length < 200);
    assert.match(excerpt(Array.from({ length: 30 }, String).join("\n")), /^…\n/u);
  });
});

describe("a page of events", () => {
  it("lists today's one by one and earlier days below a row of their own", () => {
    const events = [run("e3", 0), run("e2", 0, "", NOON - DAY), run("e1", 0, "", NOON - DAY)];
    const [first, second, ...rest] = eventNodes(ROOT, events, { more: false, now: NOON });
    assert.equal(first?.subject.type, "event");
    assert.equal(second?.label, "Yesterday");
    assert.deepEqual(second.children?.map(({ id }) => id), [`${ROOT}|event|e2`, `${ROOT}|event|e1`]);
    assert.deepEqual(rest, []);
  });

  it("shows what happened to a file in a day as one row, which tells all of it below", () => {
    const touch = (id: string, type: string, content: object = {}, timestamp = NOON): ListedEvent =>
      event(id, { type, timestamp, content: { path: "shop/cart.py", ...content } });
    const events = [
      touch("e6", "file_write"),
      run("e5", 1),
      touch("e4", "file_edit", { summary: "edited `Cart.total` (+6 −2)" }),
      event("e3", { type: "file_read", content: { path: "shop/invoice.py" } }),
      touch("e2", "error", { message: "totl is not defined" }),
      touch("e1", "file_read"),
      touch("e0", "file_read", {}, NOON - DAY),
    ];
    const rows = eventNodes(ROOT, events, { more: false, now: NOON });
    assert.deepEqual(rows.map(({ label }) => label), ["cart.py", "pytest -q", "invoice.py", "totl is not defined", "Yesterday"]);
    const [file] = rows;
    assert.match(file?.description ?? "", /^shop · edited · \d/u);
    assert.deepEqual(file?.subject, { type: "file", path: "shop/cart.py" });
    assert.deepEqual(file.children?.map(({ label }) => label), ["saved", "edited Cart.total (+6 −2)", "read"]);
    assert.equal(file.children[1]?.id, `${ROOT}|event|e4`);
  });

  it("ends with a row that asks for more where there is more", () => {
    assert.equal(eventNodes(ROOT, [run("e", 0)], { more: true, now: NOON }).at(-1)?.subject.type, "more");
    assert.equal(eventNodes(ROOT, [run("e", 0)], { more: false, now: NOON }).length, 1);
  });
});

describe("the stack of tasks", () => {
  const tasks = [
    task("old", { status: "complete", result: "done so" }),
    task("root", { children: ["leaf", "aside"] }),
    task("leaf", { parent: "root", depth: 1 }),
    task("aside", { parent: "root", depth: 1, status: "blocked", reason: "waits" }),
  ];

  it("is a tree in which the current one is marked and what is finished lies apart", () => {
    const [root, done] = taskNodes(ROOT, { tasks, current: "leaf" });
    assert.deepEqual(root?.children?.map(({ label, description }) => [label, description]), [
      ["leaf", "current"],
      ["aside", "set aside · waits"],
    ]);
    assert.match(root.children[0]?.traits ?? "", /\bcurrent\b/u);
    assert.equal(done?.label, "Completed");
    assert.equal(done.children?.[0]?.description, "completed · done so");
  });
});

describe("the working set as rows", () => {
  const set = {
    files: [
      pin("rules.md", 1, { role: "system", truncateStrategy: "never", maxLines: 20 }),
      pin("shop/gone.py", 0.5, { problem: "no such file" }),
      pin("shop/cart.py", 0.5, { symbol: "Cart.add" }),
      pin("web/", 0.2, { folder: true }),
    ],
    excluded: [{ path: "shop/invoice.py", symbol: null, folder: false, target: "shop/invoice.py", includedFrom: null }],
    location: "/home/me/shop/.context/working-set.yml",
    warnings: ["line 3: expected a path"],
    updates: [],
    server: [],
  };

  it("are in the order of the server, with problems as warnings, and what is excluded below", () => {
    const rows = workingSetNodes(ROOT, set);
    assert.deepEqual(
      rows.map(({ label }) => label),
      ["line 3: expected a path", "rules.md", "gone.py", "Cart.add", "web/", "Excluded"],
    );
    assert.equal(rows[1]?.description, "1.00 · system · whole or not at all · 20 lines at most");
    assert.equal(icon(rows[2]), "warning");
    assert.match(rows[2]?.description ?? "", /no such file/u);
    assert.equal(rows.at(-1)?.children?.[0]?.label, "invoice.py");
  });

  it("say who pinned something that no person did, and why", () => {
    const file = pin("docs/api.md", 0.7, { by: "model", why: "the routes are in it" });
    const [row] = workingSetNodes(ROOT, { ...set, warnings: [], files: [file] });
    assert.equal(row?.description, "0.70 · by a model");
    assert.match(tip(row).value, /Why: the routes are in it/u);
    assert.match(row.traits, /\bbyModel\b/u);
    const [mine] = workingSetNodes(ROOT, { ...set, warnings: [], files: [pin("a.py", 0.7)] });
    assert.doesNotMatch(mine?.traits ?? "", /byModel/u);
  });

  it("tell what the server does of its own accord in a section of their own", () => {
    const entry = { id: "event-3", kind: "output", text: "pytest -q", priority: 0.3, why: "it failed", by: "server" } as const;
    const rows = workingSetNodes(ROOT, { ...set, server: [entry] });
    const section = rows.find(({ label }) => label === "By the Server");
    assert.deepEqual(section?.children?.map(({ label, description }) => [label, description]), [["pytest -q", "0.30 · it failed"]]);
    assert.equal(icon(section.children[0]), "terminal");
  });

  it("of a model join those of people once a person moves them", () => {
    const [mine, first, second] = [pin("a", 0.4), pin("b", 0.9, { by: "model" }), pin("c", 0.2, { by: "model" })];
    assert.deepEqual(moved([mine, first, second], second, -1), [{ pin: second, priority: 0.7 }]);
    assert.deepEqual(moved([mine, first, second], second, 1), []);
    assert.deepEqual(moved([mine, first, second], mine, 1), []);
    assert.deepEqual(moved([first, second], second, -1), [{ pin: second, priority: 0.2 }]);
  });

  it("tell lines, patterns and what comes from an included file, and name each as requests take it", () => {
    const files = [
      pin("shop/cart.py", 0.9, { target: "shop/cart.py:10-40", startLine: 10, endLine: 40 }),
      pin("src/**/*.py", 0.8, { pattern: true, problem: null }),
      pin("rules.md", 0.7, { includedFrom: ".context/team.yml" }),
    ];
    const [lines, pattern, included] = workingSetNodes(ROOT, { ...set, files, excluded: [], warnings: [] });
    assert.ok(lines && pattern && included);
    assert.equal(lines.label, "cart.py:10-40");
    assert.deepEqual(placeOf(lines), { path: "shop/cart.py", folder: false, startLine: 10, endLine: 40 });
    assert.equal(targetOf(lines)?.path, "shop/cart.py:10-40");
    assert.deepEqual([pattern.label, icon(pattern)], ["src/**/*.py", "files"]);
    assert.equal(placeOf(pattern), undefined, "a pattern is no file to open");
    assert.equal(targetOf(pattern)?.path, "src/**/*.py");
    assert.match(included.description ?? "", /from \.context\/team\.yml/u);
  });

  it("move by a priority between those of the new neighbours, and only where there is one", () => {
    const [first, second, third] = [pin("a", 0.9), pin("b", 0.5), pin("c", 0.1)];
    assert.deepEqual(moved([first, second, third], third, -1), [{ pin: third, priority: 0.7 }]);
    assert.deepEqual(moved([first, second, third], second, -1), [{ pin: second, priority: 0.95 }]);
    assert.deepEqual(moved([first, second, third], first, -1), []);
    assert.deepEqual(moved([first, second, third], third, 1), []);
  });

  it("are all given new priorities where there is no room between two", () => {
    const pins = [pin("a", 1), pin("b", 1), pin("c", 1)];
    const [, , last] = pins;
    assert.ok(last);
    const changed = moved(pins, last, -1);
    assert.deepEqual(changed.map(({ pin: { path } }) => path), ["a", "c", "b"]);
    const priorities = changed.map(({ priority }) => priority);
    assert.deepEqual([...priorities].sort((one, other) => other - one), priorities);
    assert.equal(new Set(priorities).size, 3);
    assert.ok(priorities.every((priority) => priority > 0 && priority < 1));
  });
});

describe("patterns as rows", () => {
  it("show what was counted and how sure it is, and the files below", () => {
    const [row] = patternNodes(ROOT, [
      {
        id: "p",
        kind: "fix",
        description: "After `pytest` failed, a change to `shop/cart.py` made it pass",
        files: ["shop/cart.py"],
        commands: ["pytest"],
        words: ["pytest"],
        applications: 4,
        successes: 3,
        passed: null,
        unit: "times",
        helpful: 1,
        unhelpful: 0,
        lastSeen: NOON,
        confidence: 0.38,
      },
    ]);
    assert.equal(row?.label, "After pytest failed, a change to shop/cart.py made it pass");
    assert.equal(row.description, "3 of 4 times · 38%");
    assert.deepEqual(row.children?.map(({ label, description }) => [label, description]), [["cart.py", "shop"]]);
    assert.match(tip(row).value, /1 × helpful, 0 × not helpful/u);
  });
});

describe("the kinds to choose from", () => {
  it("name every kind that was seen exactly once", () => {
    const types = eventKinds(["deployed", "note", "deployed"]).flatMap((kind) => kind.types);
    assert.equal(new Set(types).size, types.length);
    assert.ok(types.includes("deployed"));
  });
});

describe("the rows that a command is about", () => {
  const row = (id: string): ActivityNode => eventNode(ROOT, event(id, {}));
  const [one, two, three] = [row("a"), row("b"), row("c")];

  it("are those that are selected where a key was pressed", async () => {
    assert.deepEqual(await chosen([], { selection: [two, three] }), [two, three]);
    assert.deepEqual(await chosen([], { selection: [] }), []);
  });

  it("are those that are selected also while they are drawn again", async () => {
    const drawn = Date.now() + 200;
    const view = {
      get selection(): readonly ActivityNode[] {
        return Date.now() < drawn ? [] : [two];
      },
    };
    assert.deepEqual(await chosen([], view), [two]);
  });

  it("are the row whose menu was used, and all that is selected if that is one of them", async () => {
    const selection = [two, three];
    assert.deepEqual(await chosen([one], { selection }), [one]);
    assert.deepEqual(await chosen([one, undefined], { selection }), [one]);
    assert.deepEqual(await chosen([one, selection], { selection }), [one]);
    assert.deepEqual(await chosen([two, [one, two, three]], { selection }), [two, one, three]);
  });

  it("are none, and never the selected ones, where the row whose button was pressed is not known at the moment", async () => {
    assert.deepEqual(await chosen([undefined, [two]], { selection: [two] }), []);
    assert.deepEqual(await chosen([null], { selection: [two] }), []);
  });
});
