/** What goes to the server and comes back, as types: see docs/protocol.md of the project, whose names these are. */

export const ASSEMBLE = "context/assemble";
export const RECORD_EVENT = "context/recordEvent";

export type SectionType = "task" | "working_set" | "recent" | "semantic" | "entity" | "relation" | "pattern" | "custom";
export type Outcome = "success" | "failure";

/** Zero-based, as in LSP. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Range {
  readonly start: Position;
  readonly end: Position;
}

export interface AssembleParams {
  readonly query: string;
  readonly maxTokens?: number;
  readonly strategy?: string | Readonly<Record<string, unknown>>;
  readonly textDocument?: { readonly uri: string };
  readonly position?: Position;
  readonly range?: Range;
  readonly additionalContext?: string;
  readonly filters?: { readonly exclude?: readonly string[]; readonly paths?: readonly string[] };
  /** Factors from 0 to 10 on the score; `paths` by gitignore pattern. */
  readonly boosts?: { readonly paths?: Readonly<Record<string, number>> };
  readonly order?: readonly string[];
  readonly changes?: "staged" | "unstaged" | "all";
  readonly rootUri?: string;
}

export interface Component {
  readonly type: SectionType;
  /** `path:start-end` for code, `path#symbol` for entities, an id for everything else. */
  readonly source: string;
  readonly content: string;
  readonly tokens: number;
  readonly relevanceScore: number;
  readonly compression: string | null;
  readonly why: string;
}

export interface Omission {
  readonly type: SectionType;
  readonly source: string;
  readonly reason: "budget" | "duplicate" | "excluded" | "limit";
  readonly tokens: number;
}

export interface Strategy {
  readonly name: string;
  readonly shares: Readonly<Partial<Record<SectionType, number>>>;
}

export interface AssembledContext {
  readonly id: string;
  readonly content: string;
  readonly components: readonly Component[];
  readonly tokenCount: number;
  readonly truncated: boolean;
  readonly strategy: Strategy;
  readonly metadata: { readonly query: string; readonly assemblyTimeMs: number };
  readonly report: {
    readonly omitted: readonly Omission[];
    readonly warnings: readonly string[];
    readonly sectionTokens: Readonly<Record<SectionType, number>>;
    readonly tokenizer: string;
    readonly tokenizerExact: boolean;
    readonly indexComplete: boolean;
  };
}

export interface SearchHit {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly language: string;
  readonly kind: string;
  readonly symbol: string;
  readonly score: number;
  readonly text: string;
}

export interface SearchResult {
  readonly query: string;
  readonly hits: readonly SearchHit[];
  readonly ms: number;
  readonly indexComplete: boolean;
}

export interface NewEvent {
  readonly type: string;
  readonly content: Readonly<Record<string, unknown>>;
  readonly outcome?: Outcome;
  /** Milliseconds since the epoch. */
  readonly timestamp?: number;
  readonly rootUri?: string;
}

/** `id` is null when the event was not kept; `reason` then says why. */
export interface Recorded {
  readonly id: string | null;
  readonly reason?: string;
}

export interface MemoryEvent {
  readonly id: string;
  readonly type: string;
  readonly sessionId: string;
  readonly timestamp: number;
  readonly outcome: Outcome | null;
  readonly content: Readonly<Record<string, unknown>>;
  readonly taskId: string | null;
  readonly text: string;
}

export interface Task {
  readonly id: string;
  readonly goal: string;
  readonly parent: string | null;
  readonly children: readonly string[];
  readonly status: "active" | "complete" | "blocked";
  readonly result: string | null;
  readonly reason: string | null;
  readonly depth: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly completedAt: number | null;
}

export interface TaskList {
  /** Each right below its parent. */
  readonly tasks: readonly Task[];
  /** The id of the one that is worked on. */
  readonly current: string | null;
}

export interface TaskChange {
  readonly task: Task;
  readonly current: Task | null;
}

export interface Pattern {
  readonly id: string;
  readonly kind: string;
  readonly description: string;
  readonly files: readonly string[];
  readonly commands: readonly string[];
  readonly applications: number;
  readonly successes: number;
  /** How many of the runs of its command succeeded, where it has one. */
  readonly passed: number | null;
  readonly unit: "times" | "commits";
  readonly helpful: number;
  readonly unhelpful: number;
  /** Milliseconds since the epoch. */
  readonly lastSeen: number;
  readonly confidence: number;
}

/** What is pinned or excluded: a file, a folder, or a symbol in a file. */
export interface Target {
  readonly path?: string;
  readonly uri?: string;
  readonly symbol?: string;
  readonly position?: Position;
  readonly rootUri?: string;
}

export interface Pin extends Target {
  readonly priority?: number;
  readonly role?: "system" | "developer" | "user" | "context";
  readonly truncateStrategy?: "never" | "start" | "middle" | "end";
  readonly maxLines?: number;
}

export interface PinnedFile {
  readonly path: string;
  readonly symbol: string | null;
  readonly folder: boolean;
  readonly priority: number;
  readonly role: string;
  readonly truncateStrategy: string;
  readonly maxLines: number | null;
  readonly problem: string | null;
}

export interface ExcludedFile {
  readonly path: string;
  readonly symbol: string | null;
  readonly folder: boolean;
}

export interface WorkingSet {
  readonly files: readonly PinnedFile[];
  readonly excluded: readonly ExcludedFile[];
  readonly location: string;
  readonly warnings: readonly string[];
}

export interface Status {
  readonly root: string;
  readonly state: "empty" | "indexing" | "ready" | "stale";
  readonly files: number;
  readonly chunks: number;
  readonly events: number;
  /** Files by language. */
  readonly languages: Readonly<Record<string, number>>;
  readonly embedder: string;
  readonly tokenizer: string;
  readonly indexBytes: number;
  readonly indexLocation: string;
  readonly stateLocation: string;
  readonly skipped: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
}

/** Whether prompts can draw on one file and, if not, why. */
export interface FileStatus {
  readonly path: string;
  readonly state: "indexed" | "waiting" | "leftOut" | "excluded";
  readonly reason: string | null;
  /** For people. */
  readonly sentence: string;
  readonly chunks: number;
}

export interface Archetype {
  readonly name: string;
  readonly description: string;
}

export interface IndexReport {
  readonly files: number;
  readonly changed: number;
  readonly removed: number;
  readonly chunks: number;
  readonly ms: number;
}

export interface Cleared {
  readonly index: boolean;
  readonly events: number;
}

export type MemoryPart = "index" | "events" | "tasks" | "workingSet" | "patterns";

/** The server's notification `context/didChangeMemory`. */
export interface MemoryChange {
  readonly rootUri: string;
  readonly changed: readonly MemoryPart[];
}

/** `values` without those that are undefined: the server takes a missing field for "not said", never null. */
export function optional<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
