/** Which rows a command is about: those it was called on, else those where the keyboard is. */
import * as vscode from "vscode";
import { type ActivityNode, isNode } from "./node";
import type { ActivityProvider } from "./provider";

/** Where nothing has the focus, nothing is told. */
const PATIENCE_MS = 500;

type Selecting = Pick<vscode.TreeView<ActivityNode>, "selection" | "onDidChangeSelection">;

/** `args` is what VS Code hands to a command of a tree: the row, and all selected rows; nothing for a key. */
export async function chosen(
  args: readonly unknown[],
  view: Selecting,
  tree: Pick<ActivityProvider, "atRest">,
): Promise<readonly ActivityNode[]> {
  const [one, several] = args;
  if (isNode(one)) {
    const all: readonly unknown[] = Array.isArray(several) ? several : [];
    return withOthers(one, all.filter(isNode));
  }
  await tree.atRest();
  // Taken now: looking for the row with the focus may leave it selected when the tree is drawn anew meanwhile.
  const selected = view.selection;
  const focused = await rowAtKeyboard(view, selected);
  return focused === undefined ? selected : withOthers(focused, selected);
}

function withOthers(node: ActivityNode, selected: readonly ActivityNode[]): readonly ActivityNode[] {
  const others = selected.filter(({ id }) => id !== node.id);
  return others.length < selected.length ? [node, ...others] : [node];
}

/**
 * The row that has the focus. VS Code tells extensions what is selected, which the arrow keys do not change; but it
 * can be told to toggle the selection of the focused row, and then back.
 */
async function rowAtKeyboard(
  view: Selecting,
  before: readonly ActivityNode[],
): Promise<ActivityNode | undefined> {
  const after = await toggled(view);
  if (!same(await toggled(view), before)) {
    await toggled(view); // the tree was drawn anew in between, with what was selected then
  }
  return missing(after, before) ?? missing(before, after);
}

function same(some: readonly ActivityNode[], others: readonly ActivityNode[]): boolean {
  return missing(some, others) === undefined && missing(others, some) === undefined;
}

/** The first of `some` that is not among `others`. */
function missing(some: readonly ActivityNode[], others: readonly ActivityNode[]): ActivityNode | undefined {
  return some.find(({ id }) => !others.some((other) => other.id === id));
}

/** What is selected once VS Code has told of the change, which a busy window does after the command is done. */
async function toggled(view: Selecting): Promise<readonly ActivityNode[]> {
  const told = new Promise<readonly ActivityNode[]>((resolve) => {
    const answer = (): void => {
      clearTimeout(patience);
      listening.dispose();
      resolve(view.selection);
    };
    const listening = view.onDidChangeSelection(answer);
    const patience = setTimeout(answer, PATIENCE_MS);
  });
  await vscode.commands.executeCommand("list.toggleSelection");
  return told;
}
