/** Which rows a command is about: those it was called on, else those that are selected. */
import { type ActivityNode, isA, isNode, type NodeOf, type Subject } from "./node";

/** `args` is what VS Code hands to a command of a tree: the row, and all selected rows. */
export function chosen(args: readonly unknown[], selection: readonly ActivityNode[]): readonly ActivityNode[] {
  const [one, several] = args;
  if (!isNode(one)) {
    return selection;
  }
  const all: readonly unknown[] = Array.isArray(several) ? several : [];
  const nodes = all.filter(isNode);
  return nodes.some(({ id }) => id === one.id) ? nodes : [one];
}

export function chosenOf<T extends Subject["type"]>(
  type: T,
  args: readonly unknown[],
  selection: readonly ActivityNode[],
): readonly NodeOf<T>[] {
  return chosen(args, selection).filter((node): node is NodeOf<T> => isA(node, type));
}
