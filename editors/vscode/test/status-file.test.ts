// What the language status says of the file in front: a real server's answers, followed through editors, exclusions and old servers.
import * as assert from "node:assert/strict";
import { existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { Memory } from "../src/memory";
import { Server } from "../src/server/server";
import { type FileInFront, type FileInside, FrontFile } from "../src/status/file";
import { type FileWords, fileWords } from "../src/status/file-words";
import type { Condition } from "../src/status/words";
import { rootUri, TestServer } from "./activity-support";
import { eventually, folder, pause, program } from "./support";

const log = { debug: (): void => undefined };
/** Longer than it waits before it asks. */
const ASKED_MS = 800;

async function show(path: string): Promise<void> {
  await vscode.window.showTextDocument(vscode.Uri.joinPath(folder().uri, path));
}

describe("the language status of the file in front", () => {
  const manifest = join(folder().uri.fsPath, ".context", "working-set.yml");
  const hadManifest = existsSync(manifest);
  let server: TestServer;
  let front: FrontFile;
  let asked: string[];
  let most: number;

  const named = (wanted: string): Promise<FileWords> =>
    eventually(`“${wanted}”`, () => {
      const words = fileWords(front.current, "ready");
      return words?.name === wanted ? words : undefined;
    });

  before(async () => {
    await vscode.extensions.getExtension("contextls.contextls")?.activate();
    server = await TestServer.start();
    await server.requests.index(false, rootUri());
  });

  beforeEach(async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    asked = [];
    most = 0;
    let open = 0;
    const heard = {
      get state(): TestServer["state"] {
        return server.state;
      },
      onDidChangeState: server.onDidChangeState,
      request: async <R>(method: string, params: object): Promise<R> => {
        asked.push(method);
        open += 1;
        most = Math.max(most, open);
        return server.request<R>(method, params).finally(() => {
          open -= 1;
        });
      },
    };
    front = new FrontFile({ log, onDidChangeMemory: server.onDidChangeMemory, requests: server.requests, server: heard });
  });

  afterEach(async () => {
    front.dispose();
    await server.requests.include({ path: "shop/cart.py", rootUri: rootUri() });
    await server.requests.include({ path: "shop", rootUri: rootUri() });
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  after(() => {
    server.dispose();
    if (!hadManifest) {
      rmSync(manifest, { force: true });
    }
  });

  it("tells indexed and ignored files apart, and what lets an ignored one in", async () => {
    await show("shop/cart.py");
    assert.match((await named("indexed")).sentence, /^Indexed: \d+ chunk/u);
    await show("private/notes.py");
    const { command, sentence } = await named("ignored");
    assert.match(sentence, /add the line `!\/private\/` to \.contextlsignore/u);
    assert.deepEqual(command.arguments, [{ sentence, reason: "gitignore", rootUri: rootUri() }]);
    assert.ok((await vscode.commands.getCommands(true)).includes(command.command));
  });

  it("offers to include an excluded file again, also one whose folder is excluded, and that works", async () => {
    for (const path of ["shop/cart.py", "shop"]) {
      await show("shop/cart.py");
      await named("indexed");
      await server.requests.exclude({ path, rootUri: rootUri() });
      const { command } = await named("excluded");
      assert.equal(command.command, "contextls.include");
      await vscode.commands.executeCommand(command.command, ...(command.arguments as unknown[]));
      await named("indexed");
    }
  });

  it("asks about files on the disk only, one question at a time", async () => {
    const document = await vscode.workspace.openTextDocument({ content: "x = 1", language: "python" });
    await vscode.window.showTextDocument(document);
    await pause(ASKED_MS);
    assert.deepEqual(asked, []);
    assert.equal(front.current, undefined);
    await show("shop/cart.py");
    await show("README.md");
    await show("shop/invoice.py");
    server.enter({ kind: "running", version: "" });
    await named("indexed");
    assert.equal(inside(front.current).status.path, "shop/invoice.py");
    assert.equal(most, 1);
  });

  it("knows a file that lies in no open folder without asking", async () => {
    const elsewhere = join(folder().uri.fsPath, "..", "elsewhere.py");
    await vscode.workspace.fs.writeFile(vscode.Uri.file(elsewhere), Buffer.from("x = 1\n"));
    await vscode.window.showTextDocument(vscode.Uri.file(elsewhere));
    await named("not in the workspace");
    assert.deepEqual(asked, []);
    rmSync(elsewhere);
  });

  it("says nothing of the file once the server is gone, until another one runs", async () => {
    await show("shop/cart.py");
    await named("indexed");
    server.enter({ kind: "waiting", ms: 250 });
    assert.equal(front.current, undefined);
    server.enter({ kind: "running", version: "" });
    await named("indexed");
  });

  it("leaves the state of the index as it was told where the server is older", async function () {
    this.timeout(60_000);
    const python = join(dirname(program()), "python");
    const script = join(__dirname, "..", "..", "test", "fixtures", "old_server.py");
    const memory = new Memory({ get: () => undefined, update: () => Promise.resolve(), keys: () => [] } as never);
    const channel = vscode.window.createOutputChannel("contextls old server", { log: true });
    const launch = { command: python, args: [script], origin: "setting" as const };
    const old = new Server(channel, memory, () => Promise.resolve(launch));
    const silent = new FrontFile({ log, onDidChangeMemory: server.onDidChangeMemory, requests: server.requests, server: old });
    try {
      await show("private/notes.py");
      await old.start();
      assert.equal(old.state.kind, "running");
      await pause(ASKED_MS);
      assert.equal(silent.current, undefined);
      assert.equal(fileWords(silent.current, "ready"), undefined);
    } finally {
      silent.dispose();
      old.dispose();
      memory.dispose();
      channel.dispose();
    }
  });

  it("lets trouble with server or index go first, and what keeps a file out go before the index", async () => {
    await show("private/notes.py");
    await named("ignored");
    const ignored = front.current;
    const told = (file: FileInFront | undefined): readonly Condition[] =>
      CONDITIONS.filter((condition) => fileWords(file, condition) !== undefined);
    assert.deepEqual(told(ignored), ["indexing", "stale", "empty", "ready"]);
    const waiting = inside(ignored);
    assert.deepEqual(told({ ...waiting, status: { ...waiting.status, state: "waiting" } }), ["ready"]);
    assert.deepEqual(told({ ...waiting, status: { ...waiting.status, state: "indexed" } }), ["stale", "ready"]);
    assert.deepEqual(told(undefined), []);
  });
});

const CONDITIONS: readonly Condition[] = ["setUp", "failed", "starting", "indexing", "broken", "stale", "empty", "ready"];

function inside(file: FileInFront | undefined): FileInside {
  assert.ok(file?.kind === "inside");
  return file;
}
