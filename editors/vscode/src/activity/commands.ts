/** The commands of the tree's menus and keys. */
import * as vscode from "vscode";
import { registerCommand } from "../commands/run";
import type { Services } from "../services";
import { chosen } from "./chosen";
import { EventDocuments } from "./documents";
import { EventActions } from "./event-actions";
import { chooseEventKinds, type EventFilterSetting } from "./filter";
import { type ActivityNode, GROUPS, isA, type NodeOf, type Subject } from "./node";
import { KEEP_FOCUS, open } from "./open";
import { PinActions } from "./pin-actions";
import type { ActivityProvider } from "./provider";
import { TaskActions } from "./task-actions";

const TOLD_MS = 5_000;

export function registerTreeCommands(
  services: Services,
  provider: ActivityProvider,
  filter: EventFilterSetting,
  view: vscode.TreeView<ActivityNode>,
): vscode.Disposable {
  const documents = new EventDocuments();
  const pins = new PinActions(services, provider);
  const tasks = new TaskActions(services, provider);
  const events = new EventActions(services, provider);
  const command = (name: string, work: (nodes: readonly ActivityNode[]) => Promise<void>): vscode.Disposable =>
    registerCommand(services, `contextls.activity.${name}`, async (...args) => {
      const nodes = await chosen(args, view);
      if (nodes.length > 0) {
        await work(nodes);
      } else {
        vscode.window.setStatusBarMessage(vscode.l10n.t("Select a row first: click it, or press Space on it."), TOLD_MS);
      }
    });
  const each = <T extends Subject["type"]>(
    name: string,
    type: T,
    work: (node: NodeOf<T>) => Promise<void>,
  ): vscode.Disposable =>
    command(name, async (nodes) => {
      const found = nodes.find((node): node is NodeOf<T> => isA(node, type));
      if (found !== undefined) {
        await work(found);
      }
    });
  return vscode.Disposable.from(
    documents,
    events,
    registerCommand(services, "contextls.activity.open", async (...args) => {
      const keepFocus = args[1] === KEEP_FOCUS;
      await withFirst(await chosen(args, view), (node) => open(services.requests, node, documents, keepFocus));
    }),
    command("copyContext", (nodes) => withFirst(nodes, (node) => events.copyContext(node))),
    command("copyCommand", (nodes) => withFirst(nodes, (node) => events.copyCommand(node))),
    command("insertCommand", (nodes) => withFirst(nodes, (node) => events.insertCommand(node))),
    command("copyText", (nodes) => events.copyText(nodes)),
    command("pin", (nodes) => pins.change("pin", nodes)),
    command("unpin", (nodes) => pins.change("unpin", nodes)),
    command("exclude", (nodes) => pins.change("exclude", nodes)),
    command("include", (nodes) => pins.change("include", nodes)),
    command("remove", async (nodes) => {
      await pins.change("unpin", ofType(nodes, "pin"));
      await pins.change("include", ofType(nodes, "excluded"));
    }),
    command("undo", (nodes) => withFirst(nodes, (node) => pins.undo(node))),
    each("raise", "pin", (node) => pins.move(node, -1)),
    each("lower", "pin", (node) => pins.move(node, 1)),
    each("setPriority", "pin", (node) => pins.askPriority(node)),
    each("setRole", "pin", (node) => pins.askRole(node)),
    each("setTruncation", "pin", (node) => pins.askTruncation(node)),
    command("pushTask", (nodes) => withFirst(nodes, (node) => tasks.push(node))),
    each("popTask", "task", (node) => tasks.pop(node)),
    each("blockTask", "task", (node) => tasks.block(node)),
    each("resumeTask", "task", (node) => tasks.resume(node)),
    each("helpful", "pattern", (node) => events.judge(node, true)),
    each("unhelpful", "pattern", (node) => events.judge(node, false)),
    each("more", "more", (node) => provider.showOlder(node.rootUri)),
    registerCommand(services, "contextls.activity.refresh", () => {
      provider.touchAll(GROUPS);
      return Promise.resolve();
    }),
    registerCommand(services, "contextls.activity.filter", () => chooseFilter(provider, filter)),
  );
}

async function chooseFilter(provider: ActivityProvider, filter: EventFilterSetting): Promise<void> {
  const seen = provider.memories.flatMap(({ seenEvents }) => seenEvents.map(({ type }) => type));
  const choice = await chooseEventKinds(filter.types, seen);
  if (choice !== undefined) {
    await filter.set(choice.types);
  }
}

async function withFirst(nodes: readonly ActivityNode[], work: (node: ActivityNode) => Promise<void>): Promise<void> {
  const [node] = nodes;
  if (node !== undefined) {
    await work(node);
  }
}

function ofType(nodes: readonly ActivityNode[], type: Subject["type"]): readonly ActivityNode[] {
  return nodes.filter(({ subject }) => subject.type === type);
}
