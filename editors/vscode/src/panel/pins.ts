/** Which pin an item of the working set is. */
import type { PinnedFile } from "../protocol";
import type { Piece } from "./model";
import { placeOf } from "./source";

/** The pin that brought `piece` into the prompt: the symbol, else the file, else the folder around it. */
export function pinOf(pins: readonly PinnedFile[], piece: Piece): PinnedFile | undefined {
  const place = placeOf(piece.type, piece.source);
  if (place === undefined) {
    return undefined;
  }
  const named = pins.find(({ target }) => target === piece.source);
  if (named !== undefined) {
    return named;
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
