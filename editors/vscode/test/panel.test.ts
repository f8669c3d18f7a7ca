// The panel's session against a real server: what the user does there reaches the server and comes back.
import * as assert from "node:assert/strict";
import { rmSync } from "node:fs";
import * as vscode from "vscode";
import { assemble } from "../src/commands/deliver";
import { editorPlace } from "../src/commands/place";
import { Acts } from "../src/panel/acts";
import { Live } from "../src/panel/live";
import type { ItemView, PanelState, SectionView } from "../src/panel/messages";
import type { Session } from "../src/panel/session";
import type { Requests } from "../src/requests";
import { eventually, folder, pause } from "./support";
import { OwnServer } from "./panel-support";

const QUESTION = "how is the discount of a large order computed?";
/** Less than what lets a cursor settle. */
const QUICK_MS = 400;

describe("the panel's session", () => {
  let server: OwnServer;
  let requests: Requests;
  let session: Session;
  let acts: Acts;
  let here = true;

  const at = (): string => folder().uri.toString();
  const section = (key: string, state: PanelState = session.state): SectionView | undefined =>
    state.sections.find((each) => each.key === key);
  const items = (key: string): readonly ItemView[] => section(key)?.items ?? [];
  const names = (key: string): readonly string[] => items(key).map((item) => item.key);
  const item = (key: string, part: string): ItemView =>
    items(key).find((each) => each.key.includes(part)) ?? assert.fail(`${part} is not in ${key}: ${names(key).join()}`);

  before(async () => {
    server = await OwnServer.start();
    requests = server.requests;
    await eventually("an index", async () => ((await requests.status(at())).state === "ready" ? true : undefined));
  });

  beforeEach(() => {
    here = true;
    session = server.session(
      () => (here ? { folder: folder(), place: () => editorPlace(folder()) } : undefined),
      server.contexts,
    );
    acts = new Acts(requests, session, () => undefined);
  });

  afterEach(async () => {
    session.dispose();
    const { files, excluded } = await requests.workingSet(at());
    for (const { path, symbol } of files) {
      await requests.unpin({ path, rootUri: at(), ...(symbol === null ? {} : { symbol }) });
    }
    for (const { path, symbol } of excluded) {
      await requests.include({ path, rootUri: at(), ...(symbol === null ? {} : { symbol }) });
    }
  });

  after(async () => {
    await server.stop();
    rmSync(vscode.Uri.joinPath(folder().uri, ".context").fsPath, { recursive: true, force: true });
  });

  it("goes from no question over looking to an answer within the budget", async () => {
    const fresh = server.session();
    assert.equal(fresh.state.stage.kind, "unasked");
    const seen: string[] = [];
    fresh.onDidChange(({ stage, busy }) => seen.push(`${stage.kind}${busy ? " busy" : ""}`));
    await fresh.ask(QUESTION, undefined);
    assert.deepEqual(seen, ["asking busy", "shown"]);
    const { total, budget, shares } = fresh.state;
    assert.ok(total !== null && total.tokens > 0 && total.tokens <= budget);
    assert.ok(shares.reduce((sum, { tokens }) => sum + tokens, 0) <= total.tokens);
    fresh.dispose();
  });

  it("says that the server is away, keeps the answer, and asks again after a failure", async () => {
    await session.ask(QUESTION, undefined);
    const fresh = server.session();
    try {
      server.enter({ kind: "waiting", ms: 250 });
      assert.equal(fresh.state.stage.kind, "starting");
      assert.equal(session.state.stage.kind, "shown");
      assert.equal(session.state.notices.length, 1);
      await session.change({ archetype: "poetry" });
      assert.equal(session.state.stage.kind, "failed");
      await session.change({ archetype: undefined });
    } finally {
      server.enter({ kind: "running", version: "" });
      fresh.dispose();
    }
    assert.deepEqual(session.state.notices, []);
  });

  it("says so where no folder is open", async () => {
    here = false;
    await session.ask(QUESTION, undefined);
    assert.equal(session.state.stage.kind, "noFolder");
  });

  it("follows what another command has copied, with the choices it was asked with", async () => {
    await assemble(server, { query: QUESTION, maxTokens: 700, strategy: "explain", rootUri: at() });
    const { question, budget, archetype, stage } = session.state;
    assert.deepEqual([question, budget, archetype, stage.kind], [QUESTION, 700, "explain", "shown"]);
  });

  it("asks with the archetype and the budget that were chosen", async () => {
    await session.ask(QUESTION, undefined);
    await session.change({ archetype: "explain", budget: 300 });
    assert.equal(session.shown?.strategy.name, "explain");
    assert.ok(session.shown.tokenCount <= 300);
  });

  it("shows an answer beside the budget it was made for, whatever the setting has become", async () => {
    const settings = vscode.workspace.getConfiguration("contextls");
    const fresh = server.session();
    try {
      await fresh.ask(QUESTION, undefined);
      await settings.update("maxTokens", 300, vscode.ConfigurationTarget.Global);
      await eventually("the new budget", () => (fresh.state.budget === 300 ? true : undefined));
      assert.equal(fresh.state.total?.budget, 4_000);
      for (const wrong of [5, "many", -1, 40.5]) {
        await settings.update("maxTokens", wrong, vscode.ConfigurationTarget.Global);
        await eventually("the budget instead", () => (fresh.state.budget === 4_000 ? true : undefined));
        await fresh.refresh();
        assert.deepEqual([fresh.state.stage.kind, fresh.state.total.budget], ["shown", 4_000], String(wrong));
      }
    } finally {
      await settings.update("maxTokens", undefined, vscode.ConfigurationTarget.Global);
      fresh.dispose();
    }
  });

  it("tells what went wrong, and answers again afterwards", async () => {
    await session.ask(QUESTION, undefined);
    await session.change({ archetype: "poetry" });
    const { stage } = session.state;
    assert.match(stage.kind === "failed" ? stage.message : stage.kind, /strategy.*poetry/);
    await session.change({ archetype: undefined });
    assert.equal(session.state.stage.kind, "shown");
  });

  it("moves a piece in the prompt itself", async () => {
    await session.ask(QUESTION, undefined);
    const [first, second] = items("semantic");
    assert.ok(first && second);
    await acts.act("down", first.key);
    assert.deepEqual(names("semantic").slice(0, 2), [second.key, first.key]);
    const content = session.shown?.content ?? "";
    const place = (view: ItemView): number => content.indexOf(`${view.folder}${view.name}${view.place}`);
    assert.ok(place(second) < place(first), content);
  });

  it("leaves a piece out this time, and brings it back", async () => {
    await session.ask(QUESTION, undefined);
    const { key } = item("semantic", "shop/cart.py");
    const source = session.piece(key)?.source ?? "";
    await acts.act("leaveOut", key);
    assert.deepEqual(session.state.leftOut, [source]);
    assert.ok(!names("semantic").includes(key));
    assert.ok(!session.shown?.components.some((component) => component.source === source));
    await session.bringBack(source);
    assert.ok(names("semantic").includes(key));
  });

  it("pins a symbol into the working set, moves it by priority, and unpins it", async () => {
    await session.ask(QUESTION, undefined);
    await requests.pin({ path: "README.md", rootUri: at() });
    await acts.act("pin", item("semantic", "shop/cart.py").key);
    const pins = async (): Promise<readonly string[]> =>
      (await requests.workingSet(at())).files.map(({ path, symbol }) => (symbol === null ? path : `${path}#${symbol}`));
    const before = await pins();
    assert.equal(before.length, 2);
    assert.ok(before.some((each) => each.startsWith("shop/cart.py")));
    assert.deepEqual(items("working_set").map(({ pinned }) => pinned), [true, true]);
    await acts.act("down", names("working_set")[0] ?? "");
    assert.deepEqual(await pins(), [...before].reverse());
    await acts.act("unpin", item("working_set", "README.md").key);
    assert.deepEqual((await pins()).length, 1);
  });

  it("brings in what found no room, by a pin", async () => {
    await session.change({ budget: 110 });
    await session.ask(QUESTION, undefined);
    const out = items("omitted").find(({ hasFile, target }) => hasFile && !target.startsWith("README")) ?? assert.fail();
    assert.notEqual(out.why, "");
    await acts.act("pin", out.key);
    assert.ok(items("working_set").length > 0 || items("omitted").some(({ key }) => key.startsWith("working_set|")));
    await session.change({ budget: 4000 });
    assert.equal(items("working_set")[0]?.target, out.target);
  });

  it("always excludes what it is told to exclude", async () => {
    await session.ask("what is in the README?", undefined);
    await acts.act("exclude", item("semantic", "README.md").key);
    assert.deepEqual((await requests.workingSet(at())).excluded.map(({ path }) => path), ["README.md"]);
    assert.ok(!session.shown?.content.includes("A shop with a cart and invoices."));
  });

  it("remembers a judgement", async () => {
    await session.ask(QUESTION, undefined);
    const { key } = item("semantic", "shop/cart.py");
    await acts.act("helpful", key);
    assert.equal(item("semantic", key).helpful, true);
    await acts.act("unhelpful", key);
    assert.equal(item("semantic", key).helpful, false);
  });

  it("compares two questions, swaps them, and is done with it", async () => {
    await session.ask("how is the discount computed?", "what does the customer see at checkout?");
    const tokens = (key: string): number => section(key)?.tokens ?? -1;
    const [first, second] = [tokens("first"), tokens("second")];
    assert.ok(first + tokens("both") > 0 && second + tokens("both") > 0);
    assert.notEqual(session.state.secondTotal, null);
    await session.swap();
    assert.equal(session.state.question, "what does the customer see at checkout?");
    assert.deepEqual([tokens("first"), tokens("second")], [second, first]);
    await session.ask(session.state.question, undefined);
    assert.equal(section("first"), undefined);
    assert.ok(section("semantic"));
  });

  it("opens a piece at its line", async () => {
    await session.ask(QUESTION, undefined);
    const view = item("semantic", "shop/cart.py");
    await acts.act("open", view.key);
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor);
    assert.ok(editor.document.uri.path.endsWith("/shop/cart.py"));
    assert.equal(editor.selection.active.line + 1, Number(/:(\d+)-/.exec(view.place)?.[1]));
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("takes up what the page remembers after a reload", async () => {
    const fresh = server.session();
    await fresh.resume({ question: QUESTION, second: null, archetype: "explain", budget: 500 });
    const { question, archetype, budget, stage, archetypes } = fresh.state;
    assert.deepEqual([question, archetype, budget, stage.kind], [QUESTION, "explain", 500, "shown"]);
    assert.ok(archetypes.some(({ name, description }) => name === "debug" && description !== ""));
    fresh.dispose();
  });

  it("shows only the newest of several questions in a row", async () => {
    await Promise.all([session.ask("cart", undefined), session.ask("checkout", undefined), session.ask(QUESTION, undefined)]);
    assert.equal(session.shown?.metadata.query, QUESTION);
    assert.equal(session.state.busy, false);
  });
});

/** Moves the cursor from line to line, each time before it has settled; false where a busy machine was too slow for that. */
async function move(editor: vscode.TextEditor, lines: readonly number[]): Promise<boolean> {
  for (const line of lines) {
    const began = Date.now();
    const moved = new Promise<void>((resolve) => {
      const watch = vscode.window.onDidChangeTextEditorSelection(() => {
        watch.dispose();
        resolve();
      });
    });
    editor.selection = new vscode.Selection(line, 0, line, 0);
    await moved;
    if (Date.now() - began > QUICK_MS) {
      // Back to where no try moves to: a cursor that is set where it stands already tells nobody.
      editor.selection = new vscode.Selection(0, 0, 0, 0);
      await pause(700);
      return false;
    }
  }
  return true;
}

describe("a panel that follows the editor", () => {
  it("asks again once the cursor has settled, not while nobody looks, and then once it is seen", async () => {
    let asked = 0;
    const changes = new vscode.EventEmitter<never>();
    const live = new Live(() => (asked += 1), changes.event);
    const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder().uri, "shop", "cart.py"));
    const editor = await vscode.window.showTextDocument(document);
    await pause(700);
    assert.equal(asked, 0);
    live.setVisible(true);
    await eventually("a first question", () => (asked > 0 ? true : undefined));
    await pause(700);
    assert.equal(asked, 1);
    const once = await eventually("three quick moves", async () => {
      const before = asked;
      return (await move(editor, [1, 2, 3])) ? before : undefined;
    });
    await eventually("another question", () => (asked > once ? true : undefined));
    await pause(700);
    assert.equal(asked, once + 1);
    const then = await eventually("two quick moves", async () => {
      const before = asked;
      live.quiet();
      return (await move(editor, [5, 6])) ? before : undefined;
    });
    await pause(700);
    assert.equal(asked, then);
    live.dispose();
    changes.dispose();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });
});
