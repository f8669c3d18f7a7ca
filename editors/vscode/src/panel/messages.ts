/** What the extension and the page of the context panel say to each other: the only module that both sides share. */
import type { Section } from "../protocol";

export type SectionKey = Section | "omitted" | "first" | "both" | "second";

/** One piece of the prompt, one that stayed out, or one of a comparison. */
export interface ItemView {
  /** Stays the same for the same piece from one answer to the next. */
  readonly key: string;
  /** The folder of the file, with a slash at its end; empty for what has no file. */
  readonly folder: string;
  /** The file's name, or plain words for what has no file. */
  readonly name: string;
  /** Lines as `:12-40`, a symbol as `#name`, or empty. */
  readonly place: string;
  readonly symbol: string;
  readonly tokens: number;
  /** 0 and more; null for what stayed out. */
  readonly score: number | null;
  /** How the piece was made smaller, in words; empty when it is whole. */
  readonly compression: string;
  readonly why: string;
  /** The text as it stands in the prompt, without heading and fence; empty where the server gives none. */
  readonly text: string;
  readonly hasFile: boolean;
  /** What a pin or an exclusion means: `path` or `path#symbol`; empty for what has no file. */
  readonly target: string;
  readonly pinned: boolean;
  readonly helpful: boolean | null;
}

export interface SectionView {
  readonly key: SectionKey;
  readonly title: string;
  readonly tokens: number;
  /** Whether the order of the items is the user's to change. */
  readonly movable: boolean;
  readonly items: readonly ItemView[];
}

/** One stretch of the budget bar. */
export interface ShareView {
  readonly key: SectionKey;
  readonly title: string;
  readonly tokens: number;
}

export interface TotalView {
  readonly tokens: number;
  /** What the answer was made for; the setting may be another by now. */
  readonly budget: number;
  readonly tokenizer: string;
  readonly exact: boolean;
}

/** The newest turn of a chat: what its layers cost, and what of it a provider should find in its cache. */
export interface TurnView {
  readonly tokens: number;
  readonly available: number;
  /** 0 to 1; null for the first turn. */
  readonly cachedShare: number | null;
  /** Tokens that were not sent again. */
  readonly saved: number;
  readonly layers: readonly LayerView[];
}

export interface LayerView {
  readonly key: string;
  readonly title: string;
  readonly tokens: number;
}

export type Stage =
  | { readonly kind: "noFolder" }
  | { readonly kind: "starting" }
  | { readonly kind: "setUp"; readonly message: string }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "unasked" }
  | { readonly kind: "asking" }
  | { readonly kind: "indexing" }
  | { readonly kind: "nothing" }
  | { readonly kind: "shown" };

export interface ArchetypeView {
  readonly name: string;
  readonly description: string;
}

export interface PanelState {
  readonly stage: Stage;
  readonly busy: boolean;
  readonly question: string;
  /** The second question while two are compared. */
  readonly second: string | null;
  readonly archetype: string | null;
  /** What the server took where the user left the choice to it. */
  readonly usedArchetype: string | null;
  readonly archetypes: readonly ArchetypeView[];
  readonly budget: number;
  /** Whether the user has chosen the budget here; otherwise it is that of the settings. */
  readonly budgetChosen: boolean;
  /** The folder that is asked, where there are several. */
  readonly folder: string | null;
  readonly total: TotalView | null;
  readonly secondTotal: TotalView | null;
  readonly shares: readonly ShareView[];
  readonly sections: readonly SectionView[];
  readonly turn: TurnView | null;
  readonly leftOut: readonly string[];
  /** Whether there is a chat that the prompt can be sent to. */
  readonly chat: boolean;
  readonly notices: readonly string[];
}

/** What the page remembers while it is hidden, and hands back when it is shown again. */
export interface Saved {
  readonly question: string;
  readonly second: string | null;
  readonly archetype: string | null;
  readonly budget: number | null;
}

export type Strings = Readonly<Record<string, string>>;

export type ToPage =
  | { readonly type: "strings"; readonly strings: Strings }
  | { readonly type: "state"; readonly state: PanelState }
  | { readonly type: "announce"; readonly text: string }
  | { readonly type: "copied" }
  | { readonly type: "focus" };

export const ITEM_ACTIONS = [
  "open",
  "peek",
  "pin",
  "unpin",
  "exclude",
  "leaveOut",
  "up",
  "down",
  "helpful",
  "unhelpful",
] as const;
export type ItemAction = (typeof ITEM_ACTIONS)[number];

export const PLAIN_ACTIONS = ["copy", "send", "insert", "document", "retry", "setUp", "log", "openFolder", "swap"] as const;
export type PlainAction = (typeof PLAIN_ACTIONS)[number];

export type ToHost =
  | { readonly type: "ready"; readonly saved: Saved | null }
  | { readonly type: "ask"; readonly question: string; readonly second: string | null }
  | { readonly type: "archetype"; readonly name: string | null }
  | { readonly type: "budget"; readonly tokens: number }
  | { readonly type: "item"; readonly action: ItemAction; readonly key: string }
  | { readonly type: "bringBack"; readonly source: string }
  | { readonly type: PlainAction };

const LONGEST = 100_000;
const MOST_TOKENS = 10_000_000;

/** The message that `value` is, or undefined: the page is not trusted to say only what it should. */
export function toHost(value: unknown): ToHost | undefined {
  if (!isRecord(value)) {
    return undefined;
  }
  const type = value.type;
  if (isOneOf(PLAIN_ACTIONS, type)) {
    return { type };
  }
  switch (type) {
    case "ready":
      return { type, saved: savedOf(value.saved) ?? null };
    case "ask":
      return isText(value.question) && (value.second === null || isText(value.second))
        ? { type, question: value.question, second: value.second }
        : undefined;
    case "archetype":
      return value.name === null || isText(value.name) ? { type, name: value.name } : undefined;
    case "budget":
      return isTokens(value.tokens) ? { type, tokens: value.tokens } : undefined;
    case "item":
      return isOneOf(ITEM_ACTIONS, value.action) && isText(value.key)
        ? { type, action: value.action, key: value.key }
        : undefined;
    case "bringBack":
      return isText(value.source) ? { type, source: value.source } : undefined;
    default:
      return undefined;
  }
}

function savedOf(value: unknown): Saved | undefined {
  if (!isRecord(value)) {
    return undefined;
  }
  const { question, second, archetype, budget } = value;
  return isText(question) &&
    (second === null || isText(second)) &&
    (archetype === null || isText(archetype)) &&
    (budget === null || isTokens(budget))
    ? { question, second, archetype, budget }
    : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.length <= LONGEST;
}

function isTokens(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= MOST_TOKENS;
}

function isOneOf<T extends string>(known: readonly T[], value: unknown): value is T {
  return known.some((one) => one === value);
}
