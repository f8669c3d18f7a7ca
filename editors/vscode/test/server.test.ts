// The server's process: it comes back, requests survive that, and what cannot be helped is said.
import * as assert from "node:assert/strict";
import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { Memory as MemorySwitch } from "../src/memory";
import { Requests } from "../src/requests";
import { Backoff } from "../src/server/backoff";
import { type Launch, ServerFailedError, ServerGoneError, ServerMissingError, ServerOutdatedError } from "../src/server/launch";
import { Server, type ServerState } from "../src/server/server";
import { isAlive, serversOfThisHost } from "./processes";

const FIXTURES = join(__dirname, "..", "..", "test", "fixtures");
const MAX_BUNDLE_BYTES = 250_000;

describe("the server's process", function () {
  this.timeout(60_000);

  const settings = vscode.workspace.getConfiguration("contextls");
  const program = settings.get<string>("server.path") ?? "";
  const python = join(dirname(program), "python");
  const real: Launch = { command: program, args: ["serve"], origin: "setting", cwd: tmpdir() };
  const opened: Server[] = [];
  let shared: Server | undefined;

  // Two servers in one host would register the same commands: the extension's own one rests meanwhile.
  before(async () => {
    await settings.update("server.path", "/nowhere/contextls", vscode.ConfigurationTarget.Global);
    await until("the extension's own server has ended", () => serversOfThisHost().length === 0);
  });

  after(async () => {
    await settings.update("server.path", program, vscode.ConfigurationTarget.Global);
    await until("the extension's own server is back", () => serversOfThisHost().length === 1);
  });

  afterEach(async () => {
    const done = opened.filter((server) => server !== shared);
    await Promise.all(done.map((server) => server.stop()));
  });

  async function without(server: Server | undefined): Promise<void> {
    await server?.stop(); // two that run would register the same commands
    shared = undefined;
  }

  function serverFrom(launch: Launch | (() => Promise<Launch>), backoff = new Backoff(20)): Server {
    const log = vscode.window.createOutputChannel("contextls under test", { log: true });
    const locate = typeof launch === "function" ? launch : (): Promise<Launch> => Promise.resolve(launch);
    const server = new Server(log, new MemorySwitch(memento()), locate, backoff);
    opened.push(server);
    return server;
  }

  /** One for all tests that leave it running. */
  async function running(): Promise<Server> {
    shared ??= serverFrom(real);
    const server = shared;
    await server.start();
    await until("it runs", () => server.state.kind === "running");
    await indexed(server);
    return server;
  }

  async function indexed(server: Server): Promise<void> {
    const requests = new Requests(server);
    while ((await requests.status()).state !== "ready") {
      await sleep(50);
    }
  }

  it("knows every method that the extension calls", async () => {
    const server = await running();
    assert.deepEqual(server.missing, []);
    assert.match(server.state.kind === "running" ? server.state.version : "", /^\d+\.\d+/u);
  });

  it("comes back when it is killed while nobody asks anything", async () => {
    const server = await running();
    const states = statesOf(server);
    const first = kill(server);
    await until("it runs again", () => server.state.kind === "running" && server.pid !== first);
    assert.deepEqual(states, ["waiting", "starting", "running"]);
    assert.equal((await new Requests(server).status()).root.endsWith("shop"), true);
  });

  it("answers a question that it was killed over", async () => {
    const server = await running();
    process.kill(server.pid ?? assert.fail(), "SIGSTOP"); // it has the question and cannot answer it
    const asked = new Requests(server).assemble({ query: "how is the discount computed?" });
    await sleep(200);
    kill(server);
    assert.match((await asked).content, /discount_for/u);
  });

  it("does not do a second time what it was killed over", async () => {
    const server = await running();
    process.kill(server.pid ?? assert.fail(), "SIGSTOP");
    const recorded = new Requests(server).record({ type: "note", content: { text: "said as it died" } });
    await sleep(200);
    kill(server);
    await assert.rejects(recorded, (error: unknown) => {
      assert.ok(error instanceof ServerGoneError);
      assert.match(error.message, /whether it did what was asked is not known/u);
      return true;
    });
    await until("it runs again", () => server.state.kind === "running");
    const events = await new Requests(server).events(20);
    assert.ok(!events.some((event) => event.content.text === "said as it died"));
  });

  it("knows unsaved text again after a crash", async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail();
    const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, "shop", "cart.py"));
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), "def unsaved_octopus() -> None:\n    pass\n\n\n");
    await vscode.workspace.applyEdit(edit);
    try {
      const server = await running();
      const first = kill(server);
      await until("it runs again", () => server.state.kind === "running" && server.pid !== first);
      const { content } = await new Requests(server).assemble({ query: "what is unsaved_octopus?" });
      assert.match(content, /def unsaved_octopus/u);
    } finally {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand("workbench.action.files.revert");
      await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
    }
  });

  it("is gone once it was stopped", async () => {
    const server = await running();
    const pid = server.pid ?? assert.fail();
    await without(server);
    assert.ok(!isAlive(pid));
    assert.deepEqual(server.state, { kind: "stopped" });
  });

  it("comes up although it was killed while it started", async () => {
    const server = serverFrom(real);
    const started = server.start();
    await until("there is a process", () => server.pid !== undefined);
    assert.equal(server.state.kind, "starting");
    kill(server);
    await started;
    await until("it runs", () => server.state.kind === "running");
    assert.ok((await new Requests(server).archetypes()).length > 0);
  });

  it("is given up when it stops every time, with its last words", async () => {
    const dying: Launch = { command: python, args: ["-c", "import sys; sys.exit('no room for the index')"], origin: "environment" };
    const server = serverFrom(dying, new Backoff(1));
    const states = statesOf(server);
    const asked = new Requests(server).status();
    await assert.rejects(asked, /stops again and again and is not started any more: no room for the index/u);
    assert.ok(server.state.kind === "failed" && server.state.error instanceof ServerFailedError);
    assert.equal(server.state.error.origin, "environment");
    assert.equal(states.filter((state) => state === "starting").length, 7);
    await assert.rejects(new Requests(server).status(), ServerFailedError); // at once, without another six
  });

  it("starts again after it was given up, when the user asks for that", async () => {
    let launch: Launch = { command: python, args: ["-c", ""], origin: "path" };
    const server = serverFrom(() => Promise.resolve(launch), new Backoff(1));
    await server.start();
    await until("it is given up", () => server.state.kind === "failed");
    launch = real;
    await server.restart();
    assert.equal(server.state.kind, "running");
  });

  it("says what cannot be started, and what would help", async () => {
    const server = serverFrom({ command: join(FIXTURES, "old_server.py"), args: [], origin: "setting" });
    await server.start();
    const { state } = server;
    assert.ok(state.kind === "failed" && state.error instanceof ServerMissingError, JSON.stringify(state));
    assert.equal(state.error.fix, "choosePath");
    assert.match(state.error.message, /old_server\.py” could not be started: .*EACCES/u);
  });

  it("does without what an older server does not know, and names it", async () => {
    const server = serverFrom({ command: python, args: [join(FIXTURES, "old_server.py")], origin: "setting" });
    await server.start();
    assert.deepEqual(server.state, { kind: "running", version: "0.0.1" });
    assert.ok(server.missing.includes("context/workingSet/list"));
    const requests = new Requests(server);
    await assert.rejects(requests.workingSet(), (error: unknown) => {
      assert.ok(error instanceof ServerOutdatedError);
      assert.match(error.message, /\(0\.0\.1\) is older than this extension and does not know “context\/workingSet\/list”/u);
      return true;
    });
    assert.equal((await requests.status()).files, 7);
  });

  it("is not mistaken for another language server", async () => {
    const args = [join(FIXTURES, "old_server.py"), "--foreign"];
    const server = serverFrom({ command: python, args, origin: "setting" });
    await assert.rejects(new Requests(server).status(), /is a language server, but not that of contextls/u);
    await until("that one has ended", () => server.pid === undefined || !isAlive(server.pid));
  });

  it("can be asked to stop and to start at once without two of them running", async () => {
    const server = serverFrom(real);
    void server.start();
    await Promise.all([server.restart(), server.restart()]);
    await until("it runs", () => server.state.kind === "running");
    await until("there is one", () => serversOfThisHost().length === 1);
  });

  it("lets a waiting question be cancelled", async () => {
    const server = serverFrom(() => new Promise(() => undefined));
    const source = new vscode.CancellationTokenSource();
    const asked = new Requests(server).status(undefined, source.token);
    source.cancel();
    await assert.rejects(asked, vscode.CancellationError);
  });
});

describe("activation", () => {
  const bundle = join(vscode.extensions.getExtension("contextls.contextls")?.extensionPath ?? "", "dist", "extension.js");

  // A clock would tell how busy the machine is. What is loaded, and how much, is what the extension can do about it.
  it("reads little code, and leaves the language client for when a server is started", () => {
    const load = createRequire(bundle);
    const loaded = load.cache[bundle];
    Reflect.deleteProperty(load.cache, bundle);
    load(bundle);
    const again = load.cache[bundle] ?? assert.fail("the bundle was not loaded again");
    load.cache[bundle] = loaded;
    assert.deepEqual(again.children.map((each) => each.filename), []);
    assert.ok(statSync(bundle).size < MAX_BUNDLE_BYTES, `${bundle} has ${statSync(bundle).size} bytes`);
  });
});

function statesOf(server: Server): ServerState["kind"][] {
  const states: ServerState["kind"][] = [];
  server.onDidChangeState((state) => states.push(state.kind));
  return states;
}

/** Kills the process and answers with its number. */
function kill(server: Server): number {
  const pid = server.pid ?? assert.fail("there is no process to kill");
  process.kill(pid, "SIGKILL");
  return pid;
}

function memento(): vscode.Memento {
  const kept = new Map<string, unknown>();
  return {
    keys: () => [...kept.keys()],
    get: <T>(key: string, fallback?: T) => (kept.get(key) as T | undefined) ?? fallback,
    update: (key: string, value: unknown) => {
      kept.set(key, value);
      return Promise.resolve();
    },
  };
}

async function until(what: string, holds: () => boolean): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!holds()) {
    assert.ok(Date.now() < deadline, `in vain: ${what}; this host has the servers ${serversOfThisHost().join(", ")}`);
    await sleep(50);
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
