/** Which rows a command is about: those it was called on, else those where the keyboard is. */
import * as vscode from "vscode";
import { type ActivityNode, isNode } from "./node";

/** `args` is what VS Code hands to a command of a tree: the row, and all selected rows; nothing for a key. */
export async function chosen(
  args: readonly unknown[],
  view: Pick<vscode.TreeView<ActivityNode>, "selection">,
): Promise<readonly ActivityNode[]> {
  const [one, several] = args;
  if (isNode(one)) {
    const all: readonly unknown[] = Array.isArray(several) ? several : [];
    return withOthers(one, all.filter(isNode));
  }
  const focused = await rowAtKeyboard(view);
  return focused === undefined ? view.selection : withOthers(focused, view.selection);
}

function withOthers(node: ActivityNode, selected: readonly ActivityNode[]): readonly ActivityNode[] {
  return selected.some(({ id }) => id === node.id) ? selected : [node];
}

/**
 * The row that has the focus. VS Code tells extensions what is selected, which the arrow keys do not change; but it
 * can be told to toggle the selection of the focused row, and then back.
 */
async function rowAtKeyboard(
  view: Pick<vscode.TreeView<ActivityNode>, "selection">,
): Promise<ActivityNode | undefined> {
  const toggle = (): Thenable<unknown> => vscode.commands.executeCommand("list.toggleSelection");
  const before = view.selection;
  await toggle();
  const after = view.selection;
  await toggle();
  const added = after.find(({ id }) => !before.some((other) => other.id === id));
  return added ?? before.find(({ id }) => !after.some((other) => other.id === id));
}
