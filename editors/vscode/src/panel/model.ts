/** Turns an answer of the server into what the panel shows. Pure: no editor, no server, no page. */
import { type Component, type Context, type Omission, type Section, SECTIONS } from "../protocol";
import type { ItemView, SectionKey, SectionView, ShareView, TotalView } from "./messages";
import { codeSymbol, placeOf, splitPath } from "./source";

/** What people read instead of the server's words. */
export interface Words {
  readonly sections: Readonly<Record<SectionKey, string>>;
  readonly compressions: Readonly<Record<string, string>>;
  readonly reasons: Readonly<Record<string, string>>;
}

/** The symbol that a piece is or belongs to. What begins at the first line is taken for its file: more than a symbol. */
function symbolOf(piece: Named): string | undefined {
  const place = placeOf(piece.type, piece.source);
  return place?.symbol ?? (place?.startLine === 1 ? undefined : codeSymbol(piece));
}

/** What names a piece; of what stayed out, the place alone is known. */
type Named = Pick<Component, "type" | "source" | "title" | "symbol" | "language">;

function omittedName({ type, source }: Omission): Named {
  return { type, source, title: source, symbol: "", language: "" };
}

/** What an item of the panel stands for. */
export interface Piece {
  readonly type: Section;
  readonly source: string;
  /** The symbol that a pin or an exclusion of it means; undefined for the whole file. */
  readonly symbol: string | undefined;
}

/** Marks that the user made on pieces in this sitting, by source. */
export type Marks = ReadonlyMap<string, boolean>;

export function keyOf(piece: { readonly type: string; readonly source: string }): string {
  return `${piece.type}|${piece.source}`;
}

/** The pieces behind all items of `context`, by key. */
export function piecesOf(context: Context): ReadonlyMap<string, Piece> {
  const pieces = new Map<string, Piece>();
  for (const named of [...context.report.omitted.map(omittedName), ...context.components]) {
    const { type, source } = named;
    pieces.set(keyOf(named), { type, source, symbol: symbolOf(named) });
  }
  return pieces;
}

export function sectionsOf(context: Context, words: Words, marks: Marks): readonly SectionView[] {
  return SECTIONS.flatMap((key) => {
    const items = unique(context.components.filter((component) => component.type === key));
    return items.length === 0
      ? []
      : [
          {
            key,
            title: words.sections[key],
            tokens: (context.report.sectionTokens[key] ?? 0) || sum(items),
            movable: items.length > 1 && key !== "custom",
            items: items.map((item) => itemOf(item, words, marks)),
          },
        ];
  });
}

/** What stayed out, as a section of its own; nothing when everything is in. */
export function omittedOf(context: Context, words: Words): readonly SectionView[] {
  const omitted = unique(context.report.omitted);
  return omitted.length === 0
    ? []
    : [
        {
          key: "omitted",
          title: words.sections.omitted,
          tokens: sum(omitted),
          movable: false,
          items: omitted.map((item) => omissionOf(item, words)),
        },
      ];
}

/** Two answers side by side: what only the first has, what both have, what only the second has. */
export function comparedOf(
  first: Context,
  second: Context,
  words: Words,
  marks: Marks,
): readonly SectionView[] {
  const inFirst = new Set(first.components.map(keyOf));
  const inSecond = new Set(second.components.map(keyOf));
  const groups = {
    first: first.components.filter((item) => !inSecond.has(keyOf(item))),
    both: first.components.filter((item) => inSecond.has(keyOf(item))),
    second: second.components.filter((item) => !inFirst.has(keyOf(item))),
  };
  return (["first", "both", "second"] as const).map((key) => {
    const items = unique(groups[key]);
    const views = items.map((item) => itemOf(item, words, marks));
    return { key, title: words.sections[key], tokens: sum(items), movable: false, items: views };
  });
}

export function sharesOf(sections: readonly SectionView[]): readonly ShareView[] {
  return sections.map(({ key, title, tokens }) => ({ key, title, tokens }));
}

export function totalOf(context: Context, budget: number): TotalView {
  const { tokenizer, tokenizerExact } = context.report;
  return { tokens: context.tokenCount, budget, tokenizer, exact: tokenizerExact };
}

/** The sources of the section of `piece`, with `piece` moved by one place; undefined where it cannot go further. */
export function movedOrder(context: Context, piece: Piece, by: -1 | 1): readonly string[] | undefined {
  const sources = unique(context.components.filter(({ type }) => type === piece.type)).map(({ source }) => source);
  const from = sources.indexOf(piece.source);
  const to = from + by;
  if (from < 0 || to < 0 || to >= sources.length) {
    return undefined;
  }
  sources.splice(from, 1);
  sources.splice(to, 0, piece.source);
  return sources;
}

function itemOf(component: Component, words: Words, marks: Marks): ItemView {
  const { type, source, tokens, body } = component;
  return {
    key: keyOf(component),
    ...namesOf(component),
    tokens,
    score: component.relevanceScore,
    compression: component.compression === null ? "" : (words.compressions[component.compression] ?? component.compression),
    why: component.why.replaceAll("`", ""),
    text: body.trim(),
    pinned: type === "working_set",
    helpful: marks.get(source) ?? null,
  };
}

function omissionOf(omission: Omission, words: Words): ItemView {
  return {
    key: keyOf(omission),
    ...namesOf(omittedName(omission)),
    tokens: omission.tokens,
    score: null,
    compression: "",
    why: words.reasons[omission.reason] ?? omission.reason,
    text: "",
    pinned: false,
    helpful: null,
  };
}

function namesOf(
  piece: Named,
): Pick<ItemView, "folder" | "name" | "place" | "symbol" | "hasFile" | "target"> {
  const place = placeOf(piece.type, piece.source);
  if (place === undefined) {
    const name = piece.title.replaceAll("`", "") || piece.source;
    return { folder: "", name, place: "", symbol: "", hasFile: false, target: "" };
  }
  const [folder, name] = splitPath(place.path);
  const lines = place.startLine === undefined ? "" : `:${place.startLine}-${place.endLine ?? place.startLine}`;
  const symbol = symbolOf(piece);
  const target = symbol === undefined ? place.path : `${place.path}#${symbol}`;
  return { folder, name, place: lines, symbol: place.symbol ?? piece.symbol, hasFile: true, target };
}

function unique<T extends { readonly type: string; readonly source: string }>(items: readonly T[]): readonly T[] & T[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}

function sum(items: readonly { readonly tokens: number }[]): number {
  return items.reduce((total, { tokens }) => total + tokens, 0);
}
