import * as assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import type { Context, Status } from "../src/protocol";
import { Contexts } from "../src/contexts";
import { ServerMissingError } from "../src/server/launch";
import { details } from "../src/status/details";
import { Indexing, type IndexingState } from "../src/status/indexing";
import type { Snapshot } from "../src/status/snapshot";
import { Truth } from "../src/status/truth";
import { conditionOf, summaryOf, tokensText } from "../src/status/words";
import { rootUri, TestServer } from "./activity-support";
import { eventually } from "./support";

const STATUS: Status = {
  root: "/home/me/shop",
  state: "ready",
  files: 1_204,
  chunks: 8_011,
  events: 3,
  languages: {},
  embedder: "",
  tokenizer: "",
  indexBytes: 0,
  indexLocation: "",
  stateLocation: "",
  skipped: {},
  writer: "this",
  scope: [],
  analyzed: 0,
  warnings: [],
  indexExtent: null,
};

function snapshot(given: Partial<Snapshot> & { readonly states?: readonly (Status["state"] | undefined)[] } = {}): Snapshot {
  const folders = (given.states ?? ["ready"]).map((state, index) => ({
    name: `folder ${index}`,
    status: state === undefined ? undefined : { ...STATUS, state },
    problem: undefined,
  }));
  const running = { kind: "running", version: "0.1.0" } as const;
  return { server: running, memory: "recording", folders, indexing: undefined, last: undefined, ...given };
}

const INDEXING: IndexingState = { percent: 45.7, steps: ["Indexing shop: Reading files: 3/7"] };

describe("the status", () => {
  it("says what is most pressing, and never that all is well while something is not", () => {
    const missing = new ServerMissingError("No server.", "setUp");
    const broken = { name: "shop", status: undefined, problem: "the index cannot be read" };
    const expected: readonly (readonly [Snapshot, string])[] = [
      [snapshot(), "ready"],
      [snapshot({ states: ["ready", "stale"] }), "stale"],
      [snapshot({ states: ["empty", "ready"] }), "empty"],
      [snapshot({ states: ["ready", "indexing"] }), "indexing"],
      [snapshot({ indexing: INDEXING }), "indexing"],
      [snapshot({ states: ["ready", undefined] }), "starting"],
      [snapshot({ folders: [broken] }), "broken"],
      [snapshot({ server: { kind: "starting" } }), "starting"],
      [snapshot({ server: { kind: "waiting", ms: 250 } }), "starting"],
      [snapshot({ server: { kind: "stopped" } }), "starting"],
      [snapshot({ server: { kind: "failed", error: missing } }), "setUp"],
      [snapshot({ server: { kind: "failed", error: new Error("no disk") }, indexing: INDEXING }), "failed"],
    ];
    for (const [given, condition] of expected) {
      assert.equal(conditionOf(given), condition);
    }
  });

  it("tells how far indexing is", () => {
    const summary = summaryOf(snapshot({ indexing: INDEXING }));
    assert.match(summary.text, /45/u);
    assert.ok(summary.busy);
    assert.match(details(snapshot({ indexing: INDEXING })).value, /Reading files: 3\/7/u);
  });

  it("tells why the server does not run, in a colour that is seen", () => {
    const failed = snapshot({ server: { kind: "failed", error: new Error("The disk is full.") } });
    assert.equal(summaryOf(failed).tone, "error");
    assert.equal(summaryOf(failed).sentence, "The disk is full.");
    const missing = snapshot({ server: { kind: "failed", error: new ServerMissingError("No server.", "setUp") } });
    assert.equal(summaryOf(missing).tone, "warning");
    assert.match(details(missing).value, /command:contextls\.setUpServer/u);
    assert.match(details(missing).value, /Nothing is recorded/u);
  });

  it("tells files and chunks where the index is complete, and the tokens of the last context", () => {
    assert.equal(summaryOf(snapshot()).sentence, "Indexed: 1,204 files in 8,011 chunks");
    const last = { tokens: 3_983, exact: true, query: "why does the test fail?" };
    assert.equal(summaryOf(snapshot({ last })).text, "3,983 tokens");
    assert.equal(tokensText(snapshot({ last: { ...last, exact: false } })), "about 3,983 tokens");
    assert.match(details(snapshot({ last })).value, /why does the test fail/u);
  });

  it("tells that questions are limited to a scope, with the way out", () => {
    const status = { ...STATUS, scope: ["packages/api", "libs"] };
    const one = [{ name: "shop", status, problem: undefined }];
    assert.match(details(snapshot({ folders: one })).value, /limited to packages\/api, libs.*command:contextls\.setScope/u);
    assert.doesNotMatch(details(snapshot()).value, /limited/u);
    const installed = [{ name: "shop", status: { ...STATUS, scope: ["dependency:requests"] }, problem: undefined }];
    assert.match(details(snapshot({ folders: installed })).value, /Questions draw on requests as well/u);
    assert.doesNotMatch(details(snapshot({ folders: installed })).value, /limited/u);
    const two = [...one, { name: "site", status: STATUS, problem: undefined }];
    assert.match(details(snapshot({ folders: two })).value, /Questions about shop are limited to/u);
  });

  it("tells that memory is paused or the workspace not trusted, with the way out", () => {
    assert.match(details(snapshot({ memory: "paused" })).value, /Memory is paused[\s\S]*Resume memory/u);
    assert.match(details(snapshot({ memory: "untrusted" })).value, /not trusted[\s\S]*command:workbench\.trust\.manage/u);
    assert.match(details(snapshot()).value, /Pause memory/u);
  });

  it("runs no command but its own from its links, whatever a folder, a question or a warning says", () => {
    const evil = "[click](command:evil) $(trash) <b>";
    const folders = [
      { name: evil, status: { ...STATUS, state: "stale" as const, warnings: [evil] }, problem: undefined },
    ];
    const text = details(snapshot({ folders, last: { tokens: 1, exact: true, query: evil } }));
    const links = [...text.value.matchAll(/(?<!\\)\]\(command:([^)]+)\)/gu)].map(([, command]) => command);
    assert.ok(links.length > 0);
    assert.ok(typeof text.isTrusted === "object");
    for (const command of links) {
      assert.ok(text.isTrusted.enabledCommands.includes(command ?? ""), command);
    }
    assert.notEqual(text.supportHtml, true);
    assert.ok(!text.value.includes("[click]"));
  });

  it("offers commands that exist", async () => {
    await vscode.extensions.getExtension("contextls.contextls")?.activate();
    const known = new Set(await vscode.commands.getCommands(true));
    const { isTrusted } = details(snapshot());
    assert.ok(typeof isTrusted === "object");
    assert.deepEqual(isTrusted.enabledCommands.filter((command) => !known.has(command)), []);
  });
});

describe("the status of a real server", () => {
  const root = mkdtempSync(join(tmpdir(), "contextls-status-"));
  let server: TestServer;

  before(async function () {
    this.timeout(60_000);
    for (let index = 0; index < 600; index += 1) {
      const folder = join(root, `part_${index % 20}`);
      mkdirSync(folder, { recursive: true });
      const functions = Array.from({ length: 6 }, (_, at) => `def work_${index}_${at}(value):\n    return value + ${at}\n`);
      writeFileSync(join(folder, `module_${index}.py`), functions.join("\n\n"));
    }
    server = await TestServer.start(vscode.Uri.file(root).toString());
  });

  after(() => {
    server.dispose();
    rmSync(root, { recursive: true, force: true });
  });

  it("follows indexing in percent, stops it when asked, and says then that the index is not complete", async function () {
    this.timeout(60_000);
    const uri = vscode.Uri.file(root).toString();
    const indexing = new Indexing(server);
    const percents = new Set<number>();
    const listening = indexing.onDidChange((state) => {
      const percent = state?.percent ?? 0;
      percents.add(percent);
      if (percent > 0) {
        indexing.stop();
      }
    });
    // A busy machine may hear of the beginning when all is done.
    await eventually("a run that was stopped", async () => {
      percents.clear();
      return server.requests.index(true, uri).then(
        () => undefined,
        () => true,
      );
    });
    await eventually("the end", () => (indexing.state === undefined ? true : undefined));
    listening.dispose();
    assert.ok(percents.size > 1 && Math.max(...percents) < 100, `percent: ${[...percents].join(", ")}`);
    assert.ok(["stale", "empty"].includes((await server.requests.status(uri)).state));
    const again = server.requests.index(false, uri);
    await eventually("progress", () => indexing.state);
    server.enter({ kind: "waiting", ms: 250 });
    assert.equal(indexing.state, undefined, "what a server did that is gone is still told");
    server.enter({ kind: "running", version: "" });
    await again;
    assert.equal((await server.requests.status(uri)).state, "ready");
    indexing.dispose();
  });
});

describe("the truth about this workspace", () => {
  let server: TestServer;

  before(async () => {
    server = await TestServer.start();
  });

  after(() => {
    server.dispose();
  });

  it("counts files and chunks, follows events, and knows the tokens of the last context", async () => {
    const memoryChanged = new vscode.EventEmitter<"recording" | "paused" | "untrusted">();
    const memory = { state: "recording" as "recording" | "paused", onDidChange: memoryChanged.event };
    const contexts = new Contexts(server.requests);
    const { onDidChangeMemory, requests } = server;
    const indexing = new Indexing(server);
    const truth = new Truth({ contexts, memory: memory as never, onDidChangeMemory, requests, server }, indexing);
    const first = await eventually("the counts", () => truth.snapshot.folders[0]?.status);
    assert.ok(first.files > 0);
    await server.requests.record({ type: "note", content: { text: "counted" }, rootUri: rootUri() });
    await eventually("one event more", () => {
      const now = truth.snapshot.folders[0]?.status?.events ?? 0;
      return now > first.events ? true : undefined;
    });
    const context: Context = await contexts.assemble({ query: "discount", rootUri: rootUri() });
    assert.equal(truth.snapshot.last?.tokens, context.tokenCount);
    const told: Snapshot[] = [];
    truth.onDidChange((each) => told.push(each));
    memory.state = "paused";
    memoryChanged.fire("paused");
    assert.equal(told.at(-1)?.memory, "paused");
    for (const each of [truth, indexing, contexts, memoryChanged]) {
      each.dispose();
    }
  });
});
