/** Which rows a command is about: those it was called on, else those that are selected. */
import type { TreeView } from "vscode";
import { type ActivityNode, isNode } from "./node";

/** While rows are drawn again VS Code does not know them, and nothing seems to be selected. */
const PATIENCE_MS = 2_000;
const LOOK_MS = 25;

/**
 * `args` is what VS Code hands to a command of a tree: the row, and all selected rows; nothing for a key. A key acts on
 * what is selected, which is all that VS Code tells an extension: arrow keys alone move the focus and select nothing.
 * Without any where there is nothing selected, or where the row whose button was pressed was just being drawn again.
 */
export async function chosen(
  args: readonly unknown[],
  view: Pick<TreeView<ActivityNode>, "selection">,
): Promise<readonly ActivityNode[]> {
  if (args.length === 0) {
    return selected(view);
  }
  const [one, several] = args;
  if (!isNode(one)) {
    return []; // never the selected rows in the place of the one that was meant
  }
  const all: readonly unknown[] = Array.isArray(several) ? several : [];
  const rows = all.filter(isNode);
  const others = rows.filter(({ id }) => id !== one.id);
  return others.length < rows.length ? [one, ...others] : [one];
}

async function selected(view: Pick<TreeView<ActivityNode>, "selection">): Promise<readonly ActivityNode[]> {
  const until = Date.now() + PATIENCE_MS;
  while (view.selection.length === 0 && Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return view.selection;
}
