import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { EventFilterSetting } from "../src/activity/filter";
import { welcomeState } from "../src/activity/index";
import { type ActivityNode, type Group, isA } from "../src/activity/node";
import { ActivityProvider } from "../src/activity/provider";
import type { ListedEvent, TaskFrame } from "../src/protocol";
import { ServerMissingError } from "../src/server/launch";
import { cli, rootUri, TestServer } from "./activity-support";
import { eventually } from "./support";

/** What a window would keep; gone with the test. */
class Kept implements vscode.Memento {
  private readonly values = new Map<string, unknown>();
  keys = (): readonly string[] => [...this.values.keys()];
  get<T>(key: string, otherwise?: T): T | undefined {
    return (this.values.get(key) as T | undefined) ?? otherwise;
  }
  update(key: string, value: unknown): Promise<void> {
    this.values.set(key, value);
    return Promise.resolve();
  }
}

let server: TestServer;
let filter: EventFilterSetting;
let tree: ActivityProvider;
/** As the view has them: asked for once. */
let groups: readonly ActivityNode[];

function groupOf(group: Group): ActivityNode {
  const found = groups.find((node) => isA(node, "group") && node.subject.group === group);
  assert.ok(found);
  return found;
}

/** The rows below a group as they are now, sections unfolded; nobody asks the server for this. */
async function rows(group: Group): Promise<readonly ActivityNode[]> {
  const below = await tree.getChildren(groupOf(group));
  return below.flatMap((node) => [node, ...deep(node)]);
}

function deep(node: ActivityNode): readonly ActivityNode[] {
  return (node.children ?? []).flatMap((child) => [child, ...deep(child)]);
}

async function row(group: Group, text: string): Promise<ActivityNode> {
  return eventually(`${text} in ${group}`, async () => (await rows(group)).find(({ label }) => label === text));
}

async function record(command: string): Promise<void> {
  await server.requests.record({ type: "shell_exec", content: { command, exitCode: 0 }, rootUri: rootUri() });
}

async function gone(group: Group, text: string): Promise<void> {
  const name = `${text} gone from ${group}`;
  await eventually(name, async () => ((await rows(group)).some(({ label }) => label === text) ? undefined : true));
}

function onEvent(node: ActivityNode): ListedEvent {
  assert.ok(isA(node, "event"));
  return node.subject.event;
}

describe("the activity tree", () => {
  before(async () => {
    await vscode.extensions.getExtension("contextls.contextls")?.activate();
    server = await TestServer.start();
    filter = new EventFilterSetting(new Kept());
    const { onDidChangeMemory, requests } = server;
    tree = new ActivityProvider({ onDidChangeMemory, requests, server }, filter);
    tree.setVisible(true);
    await cli("record", "shell_exec", "--command", "make first", "--exit-code", "0");
    groups = await eventually("the first rows", async () => {
      const found = await tree.getChildren();
      return found.length > 0 ? found : undefined;
    });
  });

  after(() => {
    tree.dispose();
    filter.dispose();
    server.dispose();
  });

  describe("without anybody refreshing it,", () => {
    it("shows a command that another process recorded", async () => {
      await cli("record", "shell_exec", "--command", "make tests", "--exit-code", "2");
      const node = await row("events", "make tests");
      assert.match(node.description ?? "", /exit 2/u);
      assert.equal(onEvent(node).outcome, "failure");
    });

    it("shows a task that a shell began, and that it is finished", async () => {
      await cli("task", "push", "paint the shop");
      const node = await row("tasks", "paint the shop");
      assert.match(node.traits, /\bcurrent\b/u);
      await server.requests.popTask("green", rootUri());
      const done = (text: string | undefined): boolean => text === "completed · green";
      await eventually("the result", async () => (await rows("tasks")).find(({ description }) => done(description)));
    });

    it("shows what is pinned and excluded by the extension's commands, and takes it away again", async () => {
      await vscode.commands.executeCommand("contextls.pin", { path: "README.md", rootUri: rootUri() });
      const pinned = await row("workingSet", "README.md");
      assert.ok(isA(pinned, "pin"));
      await vscode.commands.executeCommand("contextls.activity.exclude", pinned);
      await eventually("it excluded", async () => (await rows("workingSet")).find((node) => isA(node, "excluded")));
      assert.ok(isA(await row("workingSet", "README.md"), "excluded"));
      await vscode.commands.executeCommand("contextls.activity.remove", await row("workingSet", "README.md"));
      await gone("workingSet", "README.md");
    });

    it("keeps the same ids and the same groups, so that what is open stays open", async () => {
      const node = await row("events", "make tests");
      await record("make more");
      await row("events", "make more");
      assert.deepEqual(await tree.getChildren(), groups);
      assert.equal((await tree.getChildren())[0], groups[0]);
      assert.equal((await row("events", "make tests")).id, node.id);
      const items = (await rows("events")).map((each) => tree.getTreeItem(each).id);
      assert.equal(new Set(items).size, items.length);
    });

    it("tells the view only of the groups that changed", async () => {
      const told: (ActivityNode | undefined)[] = [];
      const listening = tree.onDidChangeTreeData((node) => told.push(node));
      await server.requests.record({ type: "note", content: { text: "only an event" }, rootUri: rootUri() });
      await row("events", "only an event");
      await eventually("a change", () => (told.length > 0 ? true : undefined));
      listening.dispose();
      assert.ok(told.every((node) => node !== undefined && isA(node, "group")), "the whole tree was drawn again");
      assert.ok(!told.some((node) => isA(node, "group") && node.subject.group === "workingSet"));
    });

    it("asks for nothing while nobody looks, and for what was missed once the user does", async () => {
      tree.setVisible(false);
      const notified = new Promise<void>((resolve) => {
        const listening = server.onDidChangeMemory(() => {
          listening.dispose();
          resolve();
        });
      });
      await record("make unseen");
      await notified;
      const shown = tree.memoryOf(rootUri())?.seenEvents ?? [];
      assert.ok(!shown.some(({ text }) => text.includes("make unseen")));
      tree.setVisible(true);
      await row("events", "make unseen");
    });
  });

  describe("at any time", () => {
    it("shows only the kinds of events that were chosen, and all of them again", async () => {
      await filter.set(["note"]);
      await gone("events", "make tests");
      const kinds = (await rows("events")).filter((node) => isA(node, "event")).map((node) => onEvent(node).type);
      assert.deepEqual(new Set(kinds), new Set(["note"]));
      assert.match((tree.getTreeItem(groupOf("events")).description ?? "") as string, /filtered/u);
      await filter.set(undefined);
      await row("events", "make tests");
    });

    it("has a welcome for every reason to be empty", () => {
      const recording = { state: "recording" } as const;
      const known = { known: true, empty: true };
      const of = (state: TestServer["state"]): { server: never } => ({ server: { state } as never });
      const running = of({ kind: "running", version: "" });
      const missing = new ServerMissingError("none", "setUp");
      const say = (memory: { state: string }, at = running, what = known): string =>
        welcomeState({ ...at, memory: memory as never }, what);
      assert.equal(say(recording), "empty");
      assert.equal(say({ state: "paused" }), "paused");
      assert.equal(say({ state: "untrusted" }), "untrusted");
      assert.equal(say(recording, running, { known: true, empty: false }), "shown");
      assert.equal(say(recording, of({ kind: "starting" }), { known: false, empty: true }), "waiting");
      assert.equal(say(recording, of({ kind: "failed", error: missing })), "setUp");
      const misnamed = new ServerMissingError("none there", "choosePath");
      assert.equal(say(recording, of({ kind: "failed", error: misnamed })), "wrongPath");
      assert.equal(say(recording, of({ kind: "failed", error: new Error("broken") })), "failed");
    });

    it("is empty while the server has failed, and back when it runs again", async () => {
      server.enter({ kind: "failed", error: new Error("gone") });
      assert.deepEqual(await tree.getChildren(), []);
      assert.ok(tree.empty);
      server.enter({ kind: "running", version: "" });
      assert.deepEqual(await tree.getChildren(), groups);
      await row("events", "make tests");
    });

    it("says in the group's own place what went wrong, and the other groups stay", async () => {
      await filter.set([3 as unknown as string]);
      const [message] = await eventually("the message", async () => {
        const found = await rows("events");
        return found[0]?.subject.type === "message" ? found : undefined;
      });
      assert.match(message?.label ?? "", /eventTypes/u);
      assert.equal(tree.empty, false);
      await row("tasks", "paint the shop");
      await filter.set(undefined);
      await row("events", "make tests");
    });
  });

  describe("in an action", () => {
    it("copies the debugging context of a failed command, and the command", async () => {
      const node = await row("events", "make tests");
      await vscode.commands.executeCommand("contextls.activity.copyContext", node);
      assert.match(await vscode.env.clipboard.readText(), /make tests/u);
      await vscode.commands.executeCommand("contextls.activity.copyCommand", node);
      assert.equal(await vscode.env.clipboard.readText(), "make tests");
    });

    it("opens the file of an event at its line", async () => {
      const content = { message: "no discount", path: "shop/cart.py", line: 14 };
      await server.requests.record({ type: "error", outcome: "failure", content, rootUri: rootUri() });
      await vscode.commands.executeCommand("contextls.activity.open", await row("events", "no discount"));
      const editor = vscode.window.activeTextEditor;
      assert.ok(editor);
      assert.match(editor.document.uri.path, /\/shop\/cart\.py$/u);
      assert.equal(editor.selection.active.line, 13);
    });

    it("opens all that a command printed as a document", async () => {
      const stdout = Array.from({ length: 100 }, (_, index) => `row ${index}`).join("\n");
      const content = { command: "print rows", exitCode: 0, stdout };
      await server.requests.record({ type: "shell_exec", content, rootUri: rootUri() });
      await vscode.commands.executeCommand("contextls.activity.open", await row("events", "print rows"));
      const text = vscode.window.activeTextEditor?.document.getText() ?? "";
      assert.match(text, /^\$ print rows\n/u);
      assert.match(text, /row 0\n/u);
      assert.match(text, /row 99\n/u);
    });

    it("opens a pinned symbol where it is defined", async () => {
      await vscode.commands.executeCommand("contextls.pin", { path: "shop/cart.py", symbol: "discount_for", rootUri: rootUri() });
      try {
        await vscode.commands.executeCommand("contextls.activity.open", await row("workingSet", "discount_for"));
        const editor = vscode.window.activeTextEditor;
        assert.ok(editor);
        assert.match(editor.document.lineAt(editor.selection.active.line).text, /def discount_for/u);
      } finally {
        await vscode.commands.executeCommand("contextls.activity.unpin", await row("workingSet", "discount_for"));
        await gone("workingSet", "discount_for");
      }
    });

    it("moves pins up and down, also for the next prompt", async () => {
      const order = async (): Promise<readonly string[]> =>
        (await server.requests.workingSet(rootUri())).files.map(({ path }) => path);
      for (const [path, priority] of [["README.md", 0.9], ["shop/cart.py", 0.5]] as const) {
        await server.requests.pin({ path, priority, rootUri: rootUri() });
      }
      try {
        await row("workingSet", "README.md");
        await vscode.commands.executeCommand("contextls.activity.raise", await row("workingSet", "cart.py"));
        assert.deepEqual(await order(), ["shop/cart.py", "README.md"]);
        await vscode.commands.executeCommand("contextls.activity.lower", await row("workingSet", "cart.py"));
        assert.deepEqual(await order(), ["README.md", "shop/cart.py"]);
      } finally {
        for (const path of ["README.md", "shop/cart.py"]) {
          await server.requests.unpin({ path, rootUri: rootUri() });
        }
        await gone("workingSet", "README.md");
      }
    });

    it("takes up a task that was set aside", async () => {
      await server.requests.pushTask("wait for paint", rootUri());
      await server.requests.blockTask("no paint", rootUri());
      const status = (wanted: TaskFrame["status"]): Promise<ActivityNode> =>
        eventually(wanted, async () =>
          (await rows("tasks")).find((node) => isA(node, "task") && node.label === "wait for paint" && node.subject.task.status === wanted),
        );
      await vscode.commands.executeCommand("contextls.activity.resumeTask", await status("blocked"));
      assert.match((await status("active")).traits, /\bcurrent\b/u);
      await server.requests.popTask(undefined, rootUri());
      await status("complete");
    });

    it("judges a pattern, which the numbers of the pattern then show", async () => {
      for (const exitCode of [1, 0]) {
        const content = { command: "pytest shop", exitCode };
        await server.requests.record({ type: "shell_exec", content, rootUri: rootUri() });
        if (exitCode === 1) {
          await server.requests.record({ type: "file_write", content: { path: "shop/cart.py" }, rootUri: rootUri() });
        }
      }
      const find = async (): Promise<ActivityNode | undefined> =>
        (await rows("patterns")).find((node) => isA(node, "pattern") && node.subject.pattern.kind === "fix");
      const pattern = await eventually("the habit", find);
      await vscode.commands.executeCommand("contextls.activity.helpful", pattern);
      await eventually("the judgement", async () => {
        const node = await find();
        return node !== undefined && isA(node, "pattern") && node.subject.pattern.helpful > 0 ? true : undefined;
      });
    });

    it("opens nothing where there is nothing any more", async () => {
      const subject = { type: "file", path: "shop/never_there.py" };
      const node = { ...(await row("events", "make tests")), subject };
      await vscode.commands.executeCommand("workbench.action.closeAllEditors");
      void vscode.commands.executeCommand("contextls.activity.open", node);
      await new Promise((resolve) => setTimeout(resolve, 300));
      assert.equal(vscode.window.activeTextEditor, undefined);
    });
  });

  describe("with a long memory", () => {
    it("shows older events page by page, each once, and keeps them when something new happens", async () => {
      for (let index = 0; index < 60; index += 1) {
        await server.requests.record({ type: "paged", content: { index }, rootUri: rootUri() });
      }
      const indexes = async (): Promise<readonly unknown[]> =>
        (await rows("events")).filter((node) => isA(node, "event")).map((node) => onEvent(node).content.index);
      const count = async (): Promise<number> => (await indexes()).length;
      await filter.set(["paged"]);
      // A list that was made while events were still recorded has as many, and fewer before it.
      await eventually("the first page", async () =>
        (await count()) === 50 && (await indexes())[0] === 59 ? true : undefined,
      );
      assert.ok((await rows("events")).some((node) => isA(node, "more")));
      await tree.showOlder(rootUri());
      await eventually("the older ones", async () => ((await count()) === 60 ? true : undefined));
      assert.ok(!(await rows("events")).some((node) => isA(node, "more")));
      await server.requests.record({ type: "paged", content: { index: 60 }, rootUri: rootUri() });
      await eventually("the newest", async () => ((await indexes())[0] === 60 ? true : undefined));
      assert.deepEqual(await indexes(), Array.from({ length: 60 }, (_, index) => 60 - index));
      await filter.set(undefined);
    });
  });
});
