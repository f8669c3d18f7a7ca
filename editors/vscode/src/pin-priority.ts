/** Moves a pin by giving it a priority between those of its new neighbours. */
import type { PinnedFile } from "./protocol";

export interface Reprioritised {
  readonly pin: PinnedFile;
  readonly priority: number;
}

const ROUND = 1_000;
const SMALLEST_GAP = 1 / ROUND;

/**
 * One up (`by` -1) or down (1) among `pins`, highest first; empty when it is at the end already. What a person moves is
 * theirs from then on, and stands among what people pinned.
 */
export function moved(all: readonly PinnedFile[], pin: PinnedFile, by: -1 | 1): readonly Reprioritised[] {
  const isPin = ({ target }: PinnedFile): boolean => target === pin.target;
  const pins = all.filter((each) => each.by === "person" || isPin(each));
  const from = pins.findIndex(isPin);
  const self = pins[from];
  const neighbour = pins[from + by];
  if (self !== undefined && self.by !== "person" && by === -1 && neighbour === undefined) {
    return [{ pin: self, priority: self.priority }];
  }
  return self === undefined || neighbour === undefined ? [] : reprioritised(pins, self, neighbour, by);
}

/**
 * The priorities to set so that `pin` comes right before (`by` -1) or right after (1) `neighbour`. Usually one; all
 * pins are spread again where there is no room between two. `pins` are highest first, priorities 0 to 1.
 */
export function reprioritised(
  pins: readonly PinnedFile[],
  pin: PinnedFile,
  neighbour: PinnedFile,
  by: -1 | 1,
): readonly Reprioritised[] {
  const wanted = pins.filter((other) => other !== pin);
  const at = wanted.indexOf(neighbour) + (by === 1 ? 1 : 0);
  const above = wanted[at - 1]?.priority ?? 1;
  const below = wanted[at]?.priority ?? 0;
  const between = rounded((above + below) / 2);
  if (above - between >= SMALLEST_GAP && between - below >= SMALLEST_GAP) {
    return [{ pin, priority: between }];
  }
  wanted.splice(at, 0, pin);
  const step = 1 / (wanted.length + 1);
  return wanted.map((each, index) => ({ pin: each, priority: rounded(1 - step * (index + 1)) }));
}

function rounded(priority: number): number {
  return Math.round(priority * ROUND) / ROUND;
}
