/**
 * Requests, answers and notifications of the server as types: see docs/protocol.md of the project.
 *
 * Made of the server's own dataclasses by tools/update_protocol.py: change those, not this file.
 */
/* eslint-disable max-lines -- nobody reads it as a whole */

/** A question. What is absent is left to the settings or the engine. */
export interface AssembleParams {
  /** The question. */
  readonly query: string;
  /** The budget; the setting `maxTokens` when absent. */
  readonly maxTokens?: number;
  /** Whose events count as this session's. */
  readonly sessionId?: string;
  /**
   * The name of an archetype (`code`, `debug`, `explain`, `review`, `write`), or overrides: the fields of the answer's
   * `strategy`, with `name` as the archetype that they go on top of. `shares` are percentages that add up to 100;
   * sections that are not named get nothing of their own. `salientWeight` stands for `salienceWeight`, and
   * `budgetAllocation` (`recent`, `semantic`, `entities`, `relations`, `patterns`; what is left of 100 goes to
   * patterns) for `shares`.
   */
  readonly strategy?: string | Readonly<Record<string, unknown>>;
  /** Text of your own, as a section at the end. */
  readonly additionalContext?: string;
  /** What may enter the prompt. */
  readonly filters?: Filters;
  /** Factors from 0 to 10 on the score; where several speak of a piece they multiply, to 10 at most. */
  readonly boosts?: Boosts;
  /** The active file. */
  readonly textDocument?: TextDocument;
  /** Where the cursor is in it. Either this or `range`. */
  readonly position?: Position;
  /** What is selected in it; it leads the code of the prompt. */
  readonly range?: Range;
  /** The workspace folder that is meant, see Several folders. */
  readonly rootUri?: string;
  /**
   * An encoding or a model name; the setting when absent. Where a model's tokenizer is not public, tokens are estimated
   * on the safe side and `tokenizerExact` is false.
   */
  readonly tokenizer?: string;
  /** Sources in the order in which they shall be read within their section; the others follow as usual. */
  readonly order?: readonly string[];
  /**
   * These changes lead the prompt, as for a review: what is in git's index and not committed, what is not in the index
   * (unsaved text and new files included), or both. They come first in Recent Activity and get 60 % of the budget
   * unless the strategy has shares of its own; the code beside them is what they touch, who uses it and what tests it
   * (how). Where there are none, or some cannot be shown (no text, in conflict), a warning says so.
   */
  readonly changes?: Changes;
  /** Shows progress under the client's own token; cancelling it cancels the request. */
  readonly workDoneToken?: string | number;
  /** As in LSP; nothing is sent under it. */
  readonly partialResultToken?: string | number;
}

/** Limits on what may enter a prompt. An absent or empty one restricts nothing. */
export interface Filters {
  /** Only events from then on, in milliseconds since the epoch, inclusive. */
  readonly since?: number;
  /** Only events until then, in the same way. */
  readonly until?: number;
  /** Only events of these types. */
  readonly eventTypes?: readonly string[];
  /** Only entities of these types. */
  readonly entityTypes?: readonly string[];
  /** Sources or paths that stay out. */
  readonly exclude?: readonly string[];
  /**
   * Gitignore patterns, `!` takes back: in every section only what speaks of a matching file; what speaks of no file,
   * such as a command or a note, stays.
   */
  readonly paths?: readonly string[];
}

/** Factors from 0 to 10 on the score of what they name; where several speak of a piece they multiply, to 10 at most. */
export interface Boosts {
  /** Files by gitignore pattern. */
  readonly paths?: Readonly<Record<string, number>>;
  /** Whole sections by component type. */
  readonly sections?: Readonly<Partial<Record<Section, number>>>;
  /** Single pieces by a component's `source`. */
  readonly sources?: Readonly<Record<string, number>>;
}

/** The sections of a prompt, in the order in which they appear, by component type. */
export type Section = "task" | "working_set" | "recent" | "semantic" | "entity" | "relation" | "pattern" | "custom";
export const SECTIONS: readonly Section[] = [
  "task",
  "working_set",
  "recent",
  "semantic",
  "entity",
  "relation",
  "pattern",
  "custom",
];

/** A document, as in LSP. */
export interface TextDocument {
  readonly uri: string;
  readonly version?: number;
}

/** A place between two characters. Zero-based, as in LSP. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** The text between two positions, as in LSP. */
export interface Range {
  readonly start: Position;
  readonly end: Position;
}

/**
 * Which uncommitted changes: from the newest commit to the index, from there to the files as they are, or all of it.
 */
export type Changes = "staged" | "unstaged" | "all";

/** The result. `token_count` is the count of `content` by the named tokenizer, never above the budget. */
export interface Context {
  readonly content: string;
  readonly components: readonly Component[];
  readonly tokenCount: number;
  readonly truncated: boolean;
  readonly strategy: Strategy;
  readonly metadata: Metadata;
  readonly report: Report;
  /** What `context/update` takes to go on from here. */
  readonly id: string;
}

/**
 * One piece of the prompt. `tokens` counts `content` alone; headings and separators are counted in the whole. `content`
 * is the piece as the prompt shows it. `title`, one line, and `body` say the same without the marks of the prompt;
 * `path` and lines are there where the piece is of a file, `symbol` where it is or lies in one.
 */
export interface Component {
  readonly type: Section;
  /** `path:start-end` for chunks, `path#symbol` for entities, an id for everything else. */
  readonly source: string;
  readonly content: string;
  readonly tokens: number;
  readonly relevanceScore: number;
  /** How it was made smaller. */
  readonly compression: "skeleton" | "head" | "fold" | "summary" | null;
  /** What put it here, in one short phrase for people. */
  readonly why: string;
  /** One line that names the piece, without the prompt's marks. */
  readonly title: string;
  readonly path: string | null;
  readonly startLine: number | null;
  readonly endLine: number | null;
  /** The definition that the piece is or lies in, or empty. */
  readonly symbol: string;
  readonly language: string;
  /** What the piece says, without the prompt's marks. */
  readonly body: string;
}

/**
 * Weights, per-section budget shares and limits. `shares` are percentages of the token budget and add up to 100; what a
 * section leaves unused goes to the best remaining items of any section. Weights are relative to each other.
 */
export interface Strategy {
  readonly name: string;
  readonly shares: Readonly<Partial<Record<Section, number>>>;
  readonly recencyWeight: number;
  readonly relevanceWeight: number;
  readonly salienceWeight: number;
  readonly depthLimit: number;
  readonly maxChunks: number;
}

/** Figures for debugging, with the names of the specification. */
export interface Metadata {
  readonly query: string;
  readonly eventsConsidered: number;
  readonly entitiesConsidered: number;
  readonly chunksSearched: number;
  readonly assemblyTimeMs: number;
}

/** How the prompt came about: what stayed out, what went wrong, where the time went. */
export interface Report {
  readonly omitted: readonly Omission[];
  readonly warnings: readonly string[];
  readonly sectionTokens: Readonly<Record<string, number>>;
  readonly stepMs: Readonly<Record<string, number>>;
  readonly tokenizer: string;
  readonly tokenizerExact: boolean;
  readonly indexComplete: boolean;
  /** The answer of a moment ago, given again because nothing has changed since. */
  readonly cached: boolean;
}

/** A candidate that did not go in, and why. */
export interface Omission {
  readonly type: Section;
  readonly source: string;
  readonly reason: "budget" | "duplicate" | "excluded" | "limit";
  readonly tokens: number;
}

/** A context that is brought up to date with one event. */
export interface UpdateParams {
  /** The `id` of one of the last 64 contexts; an older one is an error that asks to assemble again. */
  readonly contextId: string;
  /** As the parameters of `context/recordEvent`, without `rootUri`. */
  readonly event: RecordParams;
  /** The budget; that of the context when absent. */
  readonly maxTokens?: number;
  /** The workspace folder that the context is of. */
  readonly rootUri?: string;
}

/** Something that only the client saw. */
export interface RecordParams {
  /** `shell_exec`, `error`, `file_read`, `file_write`, or a word of your own. */
  readonly type: string;
  /** How it ended. */
  readonly outcome?: Outcome;
  /** Milliseconds since the epoch; now when absent. */
  readonly timestamp?: number;
  /** The one that is going on in the workspace when absent. */
  readonly sessionId?: string;
  /**
   * For `shell_exec`: `command` and `exitCode`, and if known `stdout`, `stderr`, `cwd`, `durationMs`, nothing else; for
   * `error` at least `message`; for `file_read` and `file_write` at least `path`, inside the workspace; for other types
   * anything.
   */
  readonly content: Readonly<Record<string, unknown>>;
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/** How an event ended. */
export type Outcome = "success" | "failure";

/** A text that is to fit a budget. */
export interface CompressParams {
  /** The text, of at most 10,000,000 characters. */
  readonly text: string;
  /** The budget. */
  readonly maxTokens: number;
  /** Says that the text is code in this language. Either this or `path`. */
  readonly language?: string;
  /** Says by its name what the text is. */
  readonly path?: string;
  /** An encoding or a model name; the setting when absent. */
  readonly tokenizer?: string;
  /** Where it does not fit, ask the chat model in the settings. */
  readonly summarize?: boolean;
}

/** A text within a budget. `method`: none, skeleton, fold, sentences, head, ends, cut or, where asked for, summary. */
export interface CompressedText {
  readonly text: string;
  readonly tokenCount: number;
  readonly truncated: boolean;
  readonly method: string;
  readonly tokenizer: string;
  readonly tokenizerExact: boolean;
  /** Why a summary that was asked for is not there, or its structure is not known. */
  readonly warning: string | null;
}

/** Texts that are to be counted. */
export interface CountParams {
  /** The text. Either this or `texts`. */
  readonly text?: string;
  /** The texts, at most 10,000. */
  readonly texts?: readonly string[];
  /** An encoding or a model name; the setting when absent. */
  readonly tokenizer?: string;
}

/** The tokens of each text, in their order, and of all. */
export interface TokenCounts {
  readonly counts: readonly number[];
  readonly total: number;
  readonly tokenizer: string;
  readonly tokenizerExact: boolean;
}

/** Nothing to choose. */
export type NoParams = Readonly<Record<string, never>>;

/** The named strategies. */
export interface ArchetypeList {
  readonly archetypes: readonly Archetype[];
}

/** A named strategy and what it is good for. */
export interface Archetype {
  readonly name: string;
  readonly description: string;
  readonly strategy: Strategy;
}

/** A query for chunks. */
export interface SearchParams {
  /** What is searched for. */
  readonly query: string;
  /** At most so many, 1 to 1,000; 10 when absent. */
  readonly limit?: number;
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/** The hits of a search and how long it took, in milliseconds. */
export interface SearchResult {
  readonly query: string;
  readonly hits: readonly SearchHit[];
  readonly ms: number;
  readonly indexComplete: boolean;
}

/** One chunk found, best first. */
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

/** The event was kept under this id. */
export interface Recorded {
  readonly id: string;
}

/** The event was not kept, and why. */
export interface NotRecorded {
  readonly id: null;
  readonly reason: string;
}

/** Only the workspace that is meant. */
export interface RootParams {
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/** The truth about one workspace. */
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

/** The file that is asked about. */
export interface FileStatusParams {
  /** The document, open or not. */
  readonly textDocument: TextDocument;
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/**
 * Whether prompts can draw on one file and, if not, why. `sentence` is one line for people. `reason` is the word that
 * counts in `Status.skipped`, `missing`, `excluded`, or what the system said of a file that it would not let be read;
 * `None` where nothing stands in the way. `chunks` are those in the index now.
 */
export interface FileStatus {
  readonly path: string;
  /** `waiting` is for the next update of the index; `excluded` is by the working set. */
  readonly state: "indexed" | "waiting" | "leftOut" | "excluded";
  readonly reason: string | null;
  readonly sentence: string;
  readonly chunks: number;
}

/** A page of what happened. */
export interface EventsParams {
  /** At most so many, 1 to 10,000; 50 when absent. */
  readonly limit?: number;
  /**
   * The `id` of an event: what comes after it in this order. The last `id` of one page brings the next; a page with
   * fewer than `limit` events is the last.
   */
  readonly before?: string;
  /** Which events. */
  readonly filters?: EventFilters;
  /** Only the events of this session. */
  readonly sessionId?: string;
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/** Which events are listed. */
export interface EventFilters {
  /** From then on, in milliseconds since the epoch, inclusive. */
  readonly since?: number;
  /** Until then, in the same way. */
  readonly until?: number;
  /** Only these types. */
  readonly eventTypes?: readonly string[];
}

/** Events, newest first. */
export interface EventList {
  readonly events: readonly ListedEvent[];
}

/** An event as a list shows it. */
export interface ListedEvent {
  readonly id: string;
  readonly type: string;
  readonly sessionId: string;
  readonly timestamp: number;
  readonly content: Readonly<Record<string, unknown>>;
  readonly outcome: Outcome | null;
  readonly taskId: string | null;
  /** Says in one plain line what happened. */
  readonly text: string;
}

/** Memories that are to be deleted. */
export interface ClearParams {
  /** The index; true when absent. */
  readonly index?: boolean;
  /** The events, for good; false when absent. */
  readonly events?: boolean;
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/** The counts of what was deleted. */
export interface ClearReport {
  readonly index: boolean;
  readonly events: number;
}

/** Which entities are listed. */
export interface EntitiesParams {
  /** Those that this text mentions, surest first; all, by salience, when absent. */
  readonly query?: string;
  /** Only these types. */
  readonly types?: readonly string[];
  /** At most so many, 1 to 10,000; 50 when absent. */
  readonly limit?: number;
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/** The entities that were asked for. */
export interface EntityList {
  readonly entities: readonly EntityView[];
}

/**
 * A thing worth naming: file, symbol (`type` is its kind), package, person, command, error, test. `salience`, and
 * `centrality`, `activity` and `churn` that it is made of, lie in 0..1. `match` says how a query means it: `exact`,
 * `folded`, `qualified`, `split` or `fuzzy`.
 */
export interface EntityView {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly path: string | null;
  readonly line: number | null;
  readonly signature: string;
  readonly doc: string;
  readonly salience: number;
  readonly centrality: number;
  readonly activity: number;
  readonly churn: number;
  readonly properties: Readonly<Record<string, string>>;
  readonly match: string | null;
}

/** An entity whose surroundings are asked for. */
export interface GraphParams {
  /** Its id, or a name, `Class.method`, path or `path:line`. */
  readonly name: string;
  /** 1 to 5 steps; 1 when absent. */
  readonly depth?: number;
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/** The neighbourhood of `start`. `alternatives` are ids of other entities that the name may have meant. */
export interface GraphView {
  readonly start: EntityView;
  readonly alternatives: readonly string[];
  readonly entities: readonly EntityView[];
  readonly relations: readonly RelationView[];
}

/**
 * An edge between two entities, by their ids. `weight` in 0..1 falls with the `steps` from the start. Of `applications`
 * occasions `support` spoke for it; both are 0 where nothing is counted.
 */
export interface RelationView {
  readonly source: string;
  readonly target: string;
  readonly type: string;
  readonly weight: number;
  readonly support: number;
  readonly applications: number;
  readonly steps: number;
}

/** Which habits are listed. */
export interface PatternsParams {
  /** At most so many, 1 to 10,000; 50 when absent. */
  readonly limit?: number;
  /** Only those that name this file. */
  readonly path?: string;
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/** The habits of a workspace, surest first. */
export interface PatternList {
  readonly patterns: readonly Pattern[];
}

/**
 * A habit in words. `files` and `words` say when it applies, `commands` what it names to run. Of `applications`
 * occasions it held in `successes`; `passed` counts the runs that ended well where it is about a command. `helpful` and
 * `unhelpful` are what people said about it. `last_seen` is in milliseconds since the epoch, 0 where only commits speak
 * for it.
 */
export interface Pattern {
  readonly id: string;
  readonly kind: PatternKind;
  readonly description: string;
  readonly files: readonly string[];
  readonly commands: readonly string[];
  readonly words: readonly string[];
  readonly applications: number;
  readonly successes: number;
  readonly passed: number | null;
  readonly unit: PatternUnit;
  readonly helpful: number;
  readonly unhelpful: number;
  readonly lastSeen: number;
  readonly confidence: number;
}

/** The sort of a habit. */
export type PatternKind = "together" | "test" | "command" | "fix" | "sequence" | "task";

/** Occasions that were counted. */
export type PatternUnit = "times" | "commits";

/** Whether a piece of a prompt helped. */
export interface FeedbackParams {
  /** The piece, as in `components`. Either this or `id`. */
  readonly source?: string;
  /** The `id` of a pattern. */
  readonly id?: string;
  /** Whether it helped. */
  readonly helpful: boolean;
  /** The context that it was in. */
  readonly contextId?: string;
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/** The judgement that was kept. */
export interface FeedbackGiven {
  readonly source: string;
  readonly helpful: boolean;
}

/** Begin a task below the current one. */
export interface PushTask {
  /** What is to be done; 2,000 characters are kept. */
  readonly goal: string;
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/** The task that was pushed, popped, blocked or resumed, and the one that is worked on now. */
export interface TaskChange {
  readonly task: TaskFrame;
  readonly current: TaskFrame | null;
}

/** One task. `result` is what completing it left, `reason` why it is blocked; a root has `depth` 0. */
export interface TaskFrame {
  readonly id: string;
  readonly goal: string;
  readonly parent: string | null;
  readonly children: readonly string[];
  readonly status: TaskStatus;
  readonly result: string | null;
  readonly reason: string | null;
  readonly depth: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly completedAt: number | null;
}

/** How a task stands. */
export type TaskStatus = "active" | "complete" | "blocked";

/** Complete the current task. */
export interface PopTask {
  /** What later tasks will know of it. */
  readonly result?: string;
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/** Set the current task aside because it cannot go on. */
export interface BlockTask {
  /** Why it cannot go on. */
  readonly reason?: string;
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/** Make a task current again that was set aside. */
export interface ResumeTask {
  /** The `id` of the task. */
  readonly id: string;
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/** The task that is worked on. */
export interface CurrentTask {
  readonly current: TaskFrame | null;
}

/** The tasks from the root to the current one. */
export interface TaskPath {
  readonly tasks: readonly TaskFrame[];
}

/** Every task, each right below its parent, and the id of the one that is worked on. */
export interface TaskList {
  readonly tasks: readonly TaskFrame[];
  readonly current: string | null;
}

/** The pins, highest priority first, and the exclusions. `location` is the file that says so; it may not exist yet. */
export interface WorkingSetView {
  readonly files: readonly PinnedFile[];
  readonly excluded: readonly ExcludedFile[];
  readonly location: string;
  readonly warnings: readonly string[];
}

/** A pinned file, folder or symbol. `priority` lies in 0..1; `problem` says why it does not enter prompts. */
export interface PinnedFile {
  readonly path: string;
  readonly symbol: string | null;
  readonly folder: boolean;
  readonly priority: number;
  readonly role: Role;
  readonly truncateStrategy: TruncateStrategy;
  readonly maxLines: number | null;
  readonly problem: string | null;
}

/** As what a pinned file is read: instructions of one kind or another, or plain context. */
export type Role = "system" | "developer" | "user" | "context";

/** Where a pinned file is cut when it does not fit: not at all, its start, its middle or its end. */
export type TruncateStrategy = "never" | "start" | "middle" | "end";

/** A file, folder or symbol that appears in no prompt. */
export interface ExcludedFile {
  readonly path: string;
  readonly symbol: string | null;
  readonly folder: boolean;
}

/** A target that is to be pinned; of one that is pinned already, the fields to change. */
export interface Pin {
  /** Relative to the workspace folder, with `/`; may end in `#symbol`. Either this or `uri`. */
  readonly path?: string;
  /** The same of a document or folder. */
  readonly uri?: string;
  /** A symbol of that file by its qualified name (`Cart.add_article`). Either this or `position`. */
  readonly symbol?: string;
  /** Stands for the innermost symbol around this place. */
  readonly position?: Position;
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
  /** 0 to 1; 0.8 when absent. */
  readonly priority?: number;
  /** As what it is read; `context` when absent. */
  readonly role?: Role;
  /**
   * What goes when there is too little room: `start`, `middle` (the default), `end`, or `never`: whole or not at all.
   */
  readonly truncateStrategy?: TruncateStrategy;
  /** A hard limit. */
  readonly maxLines?: number;
}

/** A file, a folder, or a symbol in a file. */
export interface Target {
  /** Relative to the workspace folder, with `/`; may end in `#symbol`. Either this or `uri`. */
  readonly path?: string;
  /** The same of a document or folder. */
  readonly uri?: string;
  /** A symbol of that file by its qualified name (`Cart.add_article`). Either this or `position`. */
  readonly symbol?: string;
  /** Stands for the innermost symbol around this place. */
  readonly position?: Position;
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/** The document that is in front. */
export interface FocusParams {
  /** The document. */
  readonly uri: string;
}

/** All diagnostics of one document. */
export interface DiagnosticsParams {
  /** The document. */
  readonly uri: string;
  /** As in LSP; an empty list when all are gone. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A diagnostic of LSP. Only what has a type here is read. */
export interface Diagnostic {
  readonly range: DiagnosticRange;
  readonly message: string;
  /** 1 (error), 2 (warning), 3 or 4; 1 when absent. */
  readonly severity?: number;
  /** The tool that found it. */
  readonly source?: string;
  /** The tool's code for it. */
  readonly code?: unknown;
  readonly codeDescription?: unknown;
  readonly tags?: unknown;
  readonly relatedInformation?: unknown;
  readonly data?: unknown;
}

/** Where a diagnostic is: only the line on which it begins is read. */
export interface DiagnosticRange {
  readonly start: DiagnosticStart;
  readonly end?: unknown;
}

/** Where a diagnostic begins. */
export interface DiagnosticStart {
  readonly line: number;
  readonly character?: unknown;
}

/** The argument of the command `contextls.copyContext`. */
export interface CopyParams {
  /** The question. */
  readonly query: string;
  /** The active file. */
  readonly uri?: string;
  /** What is selected in it. */
  readonly range?: Range;
  /** The budget; the setting `maxTokens` when absent. */
  readonly maxTokens?: number;
}

/** The argument of the command `contextls.reindex`. */
export interface ReindexParams {
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
  /** Throw the old index away first. */
  readonly rebuild?: boolean;
}

/** The result of one indexing run. */
export interface IndexReport {
  readonly files: number;
  readonly changed: number;
  readonly removed: number;
  readonly chunks: number;
  /** Reason → number of files left out. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Files that were read only in part, and why. */
  readonly problems: readonly string[];
  readonly ms: number;
}

/** The memories of a workspace that are no longer what they were. */
export interface MemoryChange {
  readonly rootUri: string;
  readonly changed: readonly MemoryPart[];
}

/** A part of the memory that a view may show. */
export type MemoryPart = "index" | "events" | "tasks" | "workingSet" | "patterns";
