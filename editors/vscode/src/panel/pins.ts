/** Which pin an item of the working set is, and what priorities move it. */
import type { PinnedFile } from "../protocol";
import type { Piece } from "./model";
import { placeOf } from "./source";

/** The pin that brought `piece` into the prompt: the symbol, else the file, else the folder around it. */
export function pinOf(pins: readonly PinnedFile[], piece: Piece): PinnedFile | undefined {
  const place = placeOf(piece.type, piece.source);
  if (place === undefined) {
    return undefined;
  }
  const inFile = pins.filter(({ path }) => path === place.path);
  const wanted = place.symbol ?? null;
  return (
    inFile.find(({ symbol }) => symbol === wanted) ??
    inFile.find(({ symbol }) => symbol === null) ??
    inFile[0] ??
    pins.find(({ folder, path }) => folder && place.path.startsWith(`${path.replace(/\/$/, "")}/`))
  );
}

export interface Reprioritised {
  readonly pin: PinnedFile;
  readonly priority: number;
}

const SMALLEST_GAP = 0.001;

/**
 * The priorities to set so that `pin` comes right before (`by` -1) or right after (1) `neighbour`. Usually one; all
 * pins are spread anew where there is no room between two. `pins` are highest first, priorities 0 to 1.
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
  const between = Math.round(((above + below) / 2) * 1000) / 1000;
  if (above - between >= SMALLEST_GAP && between - below >= SMALLEST_GAP) {
    return [{ pin, priority: between }];
  }
  wanted.splice(at, 0, pin);
  const step = 1 / (wanted.length + 1);
  return wanted.map((each, index) => ({ pin: each, priority: Math.round((1 - step * (index + 1)) * 1000) / 1000 }));
}
