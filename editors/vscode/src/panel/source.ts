/** Reads a component's `source` for people: where it is, what it is called. */
import type { Component, Section } from "../protocol";
import { type SourcePlace, sourcePlace } from "../sources";

const IN_FILES: ReadonlySet<Section> = new Set(["semantic", "entity", "working_set"]);
/** Their headings are no names of code. */
const PROSE: ReadonlySet<string> = new Set(["", "markdown", "text", "rst", "html", "json", "yaml", "toml"]);
const SYMBOL = /^[\p{L}\p{N}_$.:<>~]+$/u;

/** The place in the workspace that `source` names, or undefined for what is no place: an event, a habit, an edge. */
export function placeOf(type: Section, source: string): SourcePlace | undefined {
  if (!IN_FILES.has(type)) {
    return undefined;
  }
  return sourcePlace(source) ?? (type === "entity" && !/[./]/.test(source) ? undefined : { path: source });
}

/** The symbol that a piece of code is or lies in, or undefined where it has none or is no code. */
export function codeSymbol({ symbol, language }: Pick<Component, "symbol" | "language">): string | undefined {
  return SYMBOL.test(symbol) && !PROSE.has(language) ? symbol : undefined;
}

/** `src/app.py` as `["src/", "app.py"]`. */
export function splitPath(path: string): readonly [folder: string, name: string] {
  const slash = path.replace(/\/$/, "").lastIndexOf("/") + 1;
  return [path.slice(0, slash), path.slice(slash)];
}
