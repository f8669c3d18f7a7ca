/** Which rows a command is about: those it was called on, else those that are selected. */
import { type ActivityNode, isNode } from "./node";

/**
 * `args` is what VS Code hands to a command of a tree: the row, and all selected rows; nothing for a key. A key acts on
 * what is selected, which is all that VS Code tells an extension: arrow keys alone move the focus and select nothing.
 */
export function chosen(args: readonly unknown[], selection: readonly ActivityNode[]): readonly ActivityNode[] {
  const [one, several] = args;
  if (!isNode(one)) {
    return selection;
  }
  const all: readonly unknown[] = Array.isArray(several) ? several : [];
  const selected = all.filter(isNode);
  const others = selected.filter(({ id }) => id !== one.id);
  return others.length < selected.length ? [one, ...others] : [one];
}
