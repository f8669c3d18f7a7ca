/** Moves a pin up or down by giving it a priority between those of its new neighbours. */
import type { PinnedFile } from "../protocol";

export interface NewPriority {
  readonly pin: PinnedFile;
  readonly priority: number;
}

const ROUND = 1_000;

/** `pins` highest first. Empty when it is at the end already; all pins where there is no room between two. */
export function moved(pins: readonly PinnedFile[], pin: PinnedFile, by: -1 | 1): readonly NewPriority[] {
  const from = pins.findIndex((other) => other.path === pin.path && other.symbol === pin.symbol);
  const to = from + by;
  const self = pins[from];
  if (self === undefined || to < 0 || to >= pins.length) {
    return [];
  }
  const order = pins.filter((other) => other !== self);
  const above = order[to - 1]?.priority ?? 1;
  const below = order[to]?.priority ?? 0;
  const between = Math.round(((above + below) / 2) * ROUND) / ROUND;
  if (between < above && between > below) {
    return [{ pin: self, priority: between }];
  }
  order.splice(to, 0, self);
  return order.map((each, index) => ({
    pin: each,
    priority: Math.round(((order.length - index) / (order.length + 1)) * ROUND) / ROUND,
  }));
}
