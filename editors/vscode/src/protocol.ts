/**
 * Requests, answers and notifications of the server as types: see docs/protocol.md of the project.
 *
 * Made of the server's own structs by tools/update_protocol.py: change those, not this file.
 */
/* eslint-disable max-lines -- nobody reads it as a whole */

/**
 * A question and the shape of its answer. With `markdown` and `tagged`, what the messages of `history` or
 * `conversationId` show already is only pointed to.
 */
export interface AssembleParams {
  /** The question. */
  readonly query: string;
  /** The budget; that of the working set when absent, else the setting `maxTokens`. The working set may bound it. */
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
  /** The active file. Where nothing of it can enter a prompt, `report.warnings` says why. */
  readonly textDocument?: TextDocument;
  /**
   * Where the cursor is in it. A question that points there (“explain this function”, “was macht diese Methode?”) is
   * answered with that code and what hangs on it, no other is drawn to it. Either this or `range`.
   */
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
  /**
   * Words and names that the code may have for what `query` says otherwise, such as `evict` and `LruCache` for "throws
   * old entries away"; a model that asks knows some. Those that the workspace holds count nearly as much as words of
   * the query (how much that helps).
   */
  readonly otherWords?: readonly string[];
  /** Sources in the order in which they shall be read within their section; the others follow as usual. */
  readonly order?: readonly string[];
  /**
   * These changes lead the prompt, as for a review: `staged`, what is in git's index and not committed; `unstaged`,
   * what is not in the index (unsaved text and new files included); `all`, both; or the name of a branch, a tag or a
   * commit: all that is new since the checked-out branch left it. They come first in Recent Activity and get 60 % of
   * the budget unless the strategy has shares of its own; the code beside them is what they touch, who uses it and what
   * tests it (how). Where there are none, a sentence in their place says so; where some cannot be shown (too large, in
   * conflict), a warning does.
   */
  readonly changes?: string;
  /**
   * Folders and packages that this question is limited to (how); the saved scope when absent, the whole workspace when
   * empty.
   */
  readonly scope?: readonly string[];
  /**
   * For `markdown` without a history: whether packages installed in the workspace that the question names answer as
   * well (how).
   */
  readonly dependencies?: boolean;
  /**
   * For `markdown` and `tagged`: what the first line of the prompt says, where `query` is none that a person would
   * write, such as the message of a compiler.
   */
  readonly task?: string;
  /**
   * For `markdown` and `tagged`: whether the prompt begins with what is asked; the setting `taskLine` when absent. A
   * client that sends the question to a model itself leaves it out.
   */
  readonly taskLine?: boolean;
  /** Shows progress under the client's own token; cancelling it cancels the request. */
  readonly workDoneToken?: string | number;
  /** As in LSP; nothing is sent under it. */
  readonly partialResultToken?: string | number;
  /**
   * `markdown` (one text; the default), `tagged` (one text in blocks by role), `messages` (system prompt, history,
   * current message), `document` (continuous text without roles); see shapes.
   */
  readonly shape?: Shape;
  /**
   * For `markdown` without a history: the folders that answer together, `all` or a list of them, instead of `rootUri`;
   * see Several folders.
   */
  readonly roots?: string | readonly string[];
  /** The messages before this one, oldest first. */
  readonly history?: readonly GivenMessage[];
  /** A stored conversation whose path is the history. Either this or `history`. */
  readonly conversationId?: string;
  /** The last node of that path; the newest when absent. */
  readonly nodeId?: string;
  /**
   * For `messages` and `document`: what the model is: `unified` (the default), `manager`, or `worker` with a
   * `workerTask`.
   */
  readonly role?: AgentRole;
  /** For `messages` and `document`: what a worker is to do. */
  readonly workerTask?: string;
  /**
   * The model's name: its window is the budget (of one text, the most that it may have), its tokenizer counts unless
   * `tokenizer` says otherwise.
   */
  readonly model?: string;
  /** For `messages` and `document`: answered as it came. */
  readonly provider?: string;
  /** For `messages` and `document`: answered as it came. */
  readonly modelConfig?: Readonly<Record<string, unknown>>;
  /**
   * For `messages` and `document`: definitions of tools; answered as they came and counted. Permissions go by `name`.
   */
  readonly tools?: readonly (Readonly<Record<string, unknown>>)[];
  /** For `messages`, and with a `model` for `markdown` and `tagged`: what of the window stays free. */
  readonly reserves?: Reserves;
  /** For `messages` and `document`: where and how retrieved pieces stand. */
  readonly injection?: Injection;
  /** For `messages` and `document`: the most tokens that a layer may have; what does not fit is named in the report. */
  readonly layerBudgets?: Readonly<Partial<Record<Layer, number>>>;
  /** For `messages`: what is so at this moment. */
  readonly circumstances?: Circumstances;
  /** To whom this is shown; the setting `identityPermissions` says what that may be. */
  readonly identity?: string;
  /** Only what these rows grant may be shown, such as `code:src/**`, `activity`; everything when absent (rows). */
  readonly permissionsGranted?: readonly string[];
  /** For `messages` and `document`: what goes when the history does not fit; `truncateMiddle` when absent. */
  readonly truncationStrategy?: Truncation;
  /** For `messages` and `document`: so many of the newest messages always stay; 4 when absent. */
  readonly minimumRecentNodes?: number;
  /** For `document`: tokens kept free for what the model writes; the setting when absent. */
  readonly tokenBuffer?: number;
  /** For `document`: unsaved text, which ends the document. */
  readonly buffer?: string;
  /** For `document`: what stands between two texts; nothing when absent. */
  readonly separator?: string;
  /** For `document`: whether it begins with the system prompt; false when absent. */
  readonly bufferModeSystemContext?: boolean;
  /** For `messages` and `document`: answered as it came. */
  readonly sessionLabel?: string;
  /** For `messages` and `document`: answered as it came. */
  readonly parentTurnId?: string;
  /** For `messages` and `document`: answered as it came. */
  readonly toolsetName?: string;
  /** For `messages` and `document`: answered as it came, also as the current message's `source`. */
  readonly sourceEventId?: string;
}

/** Limits on what may enter a prompt. An absent or empty one restricts nothing. */
export interface Filters {
  /** Only events from then on, in milliseconds since the epoch, inclusive. */
  readonly since?: number;
  /** Only events until then, in the same way. */
  readonly until?: number;
  /** Only events of these types. */
  readonly eventTypes?: readonly string[];
  /** Only events that happened while this task was the current one. */
  readonly taskId?: string;
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
export type Section = "task" | "working_set" | "recent" | "semantic" | "entity" | "relation" | "pattern" | "package" | "custom";
export const SECTIONS: readonly Section[] = [
  "task",
  "working_set",
  "recent",
  "semantic",
  "entity",
  "relation",
  "pattern",
  "package",
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

/** The form of an answer. */
export type Shape = "markdown" | "messages" | "document" | "tagged";

/** A message of the history as a client sends it. */
export interface GivenMessage {
  /** Who said it. */
  readonly role: MessageRole;
  /** What was said. */
  readonly content: string;
  /** Its tokens, where the client knows them; counted when absent. */
  readonly tokens?: number;
  /** Calls that the model made in it. */
  readonly toolCalls?: readonly ToolCall[];
  /** The call that a message of a tool answers. */
  readonly toolCallId?: string;
}

/** The speaker of a message. */
export type MessageRole = "user" | "assistant" | "tool";

/** A call that a model made: its id, the tool, and the arguments as JSON text. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments?: string;
}

/** The role of the model in this turn: it talks to people, works on one task for a manager, or does both. */
export type AgentRole = "manager" | "worker" | "unified";

/** Tokens of the model's window that are kept free. */
export interface Reserves {
  /** For the answer; 8,000 or an eighth of the window when absent. */
  readonly response?: number;
  /** For what tools return; the same when absent. */
  readonly tools?: number;
}

/** The place and the form of retrieved pieces in a turn. */
export interface Injection {
  /**
   * `after_history` (in the current message, the default of `messages`), `before_history` (the default of `document`)
   * or `system`; the last two cost the provider's cache all that follows.
   */
  readonly position?: InjectionPosition;
  /** `raw` (in full, as Markdown), `summary` (one line each) or `structured` (JSON, one object a line). */
  readonly format?: InjectionFormat;
  /** The most that they may have; the setting `maxTokens` when absent, 0 for none. */
  readonly maxTokens?: number;
}

/** The place of retrieved pieces. */
export type InjectionPosition = "system" | "before_history" | "after_history";

/** The form of retrieved pieces: one line each, in full, or JSON. */
export type InjectionFormat = "summary" | "raw" | "structured";

/** The layers of a prompt, from what hardly ever changes to what always does. */
export type Layer = "workspace" | "persona" | "session" | "memory" | "event";

/** Facts of this moment, for the current message. */
export interface Circumstances {
  /** The current time in ISO 8601; the server's clock when absent. */
  readonly time?: string;
  /** The user's time zone. */
  readonly timezone?: string;
  /** Where the user speaks: an editor, a channel; not for a `worker`. */
  readonly platform?: string;
  /** What can be done there. */
  readonly platformActions?: readonly string[];
  /** What hooks of the client add, by their names. */
  readonly hookData?: Readonly<Record<string, unknown>>;
}

/** The part that goes when a conversation is too long: its middle, its beginning, or none (then it is an error). */
export type Truncation = "truncateMiddle" | "rollingWindow" | "stopAtLimit";

/** The result. `token_count` is the count of `content` by the named tokenizer, never above the budget. */
export interface Context {
  readonly content: string;
  readonly components: readonly Component[];
  readonly tokenCount: number;
  /** A piece was cut, or stayed out for want of room or because of a limit. */
  readonly truncated: boolean;
  readonly strategy: Strategy;
  readonly metadata: Metadata;
  readonly report: Report;
  /** What `context/update` takes to go on from here. */
  readonly id: string;
  /**
   * The chance, from 0 to 1, that the best piece of the prompt is of use for the question, as learned from questions to
   * other repositories (how); near 1 where it points at something itself (a selection, a failure, changes), 0 where
   * nothing matches.
   */
  readonly confidence: number;
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
  /**
   * How it was made smaller; `earlier`: an earlier message of the conversation shows it, and a line says where;
   * `start`, `middle` or `end`: what a pinned piece lost.
   */
  readonly compression: "skeleton" | "head" | "fold" | "summary" | "earlier" | "start" | "middle" | "end" | null;
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

/** The account of a prompt: what stayed out, what went wrong, where the time went. */
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
  /** Every part of the prompt by layer, also what stayed out, in every shape. */
  readonly layers: readonly LayerUse[];
  /** The same as one account, as the specification of the working set has it. */
  readonly assembly: AssemblyReport | null;
  /** How much is indexed; null where `indexComplete` is true, or while files are still counted. */
  readonly indexExtent: IndexExtent | null;
}

/** A candidate that did not go in, and why. */
export interface Omission {
  readonly type: Section;
  readonly source: string;
  readonly reason: "budget" | "limit" | "unlikely" | "duplicate" | "earlier" | "excluded" | "permission";
  readonly tokens: number;
}

/** The contents of one layer. `tokens` are those of the layer in the prompt, headings included. */
export interface LayerUse {
  readonly layer: Layer;
  readonly tokens: number;
  readonly items: readonly LayerItem[];
  /** The most that the request allows it. */
  readonly budget: number | null;
}

/** One thing of a layer, and what became of it. `tokens` are those in the prompt. */
export interface LayerItem {
  readonly name: string;
  readonly tokens: number;
  readonly state: "included" | "truncated" | "excluded";
  /** What it had before it was made smaller or left out. */
  readonly originalTokens: number | null;
  /** Why it was made smaller or left out, or where it stands. */
  readonly reason: string;
}

/** The prompt as an account: its budget, what is in it, what is not, and what to know about it. */
export interface AssemblyReport {
  readonly budget: BudgetUse;
  readonly included: readonly IncludedPart[];
  readonly excluded: readonly ExcludedPart[];
  /** Those of the report; how many parts found no room, and how many were cut to less than half. */
  readonly warnings: readonly string[];
}

/** A budget in tokens, what of it a prompt takes, and what it leaves. */
export interface BudgetUse {
  readonly max: number;
  readonly used: number;
  readonly remaining: number;
}

/** A part of a prompt. `path` is what names it: lines of a file, a file, or an id. */
export interface IncludedPart {
  readonly path: string;
  readonly tokens: number;
  readonly truncated: boolean;
  /** What it had before it was made smaller. */
  readonly originalTokens: number | null;
}

/** A piece that stays out of a prompt, and why. */
export interface ExcludedPart {
  readonly path: string;
  /** In words. */
  readonly reason: string;
  /** What it would have taken, where that is known. */
  readonly tokens: number | null;
}

/** The part of a workspace that answers draw on while its index is not complete, in files. */
export interface IndexExtent {
  readonly indexed: number;
  readonly found: number;
}

/** The result for a turn. `content` is that of the current message, or the document. */
export interface AssembledTurn {
  readonly content: string;
  readonly components: readonly Component[];
  readonly tokenCount: number;
  /** A piece was cut, or stayed out for want of room or because of a limit. */
  readonly truncated: boolean;
  readonly strategy: Strategy;
  readonly metadata: Metadata;
  readonly report: Report;
  /** What `context/update` takes to go on from here. */
  readonly id: string;
  /**
   * The chance, from 0 to 1, that the best piece of the prompt is of use for the question, as learned from questions to
   * other repositories (how); near 1 where it points at something itself (a selection, a failure, changes), 0 where
   * nothing matches.
   */
  readonly confidence: number;
  readonly shape: Shape;
  /** Byte-identical until what it is made of changes. */
  readonly systemPrompt: string;
  /** What it is made of, by digest, for `context_json`. */
  readonly systemContext: Readonly<Record<string, unknown>>;
  readonly history: readonly Message[];
  readonly currentMessage: Message;
  readonly tools: readonly (Readonly<Record<string, unknown>>)[];
  readonly model: string | null;
  readonly provider: string | null;
  readonly modelConfig: Readonly<Record<string, unknown>>;
  readonly tokenBudget: TokenBudget;
  readonly cache: CachePrediction;
  readonly role: AgentRole;
  readonly sessionLabel: string | null;
  readonly parentTurnId: string | null;
  readonly toolsetName: string | null;
  readonly permissionsGranted: readonly string[] | null;
  readonly sourceEventId: string | null;
  readonly workspacePath: string;
}

/** A message as it is to be sent. `context` says what was put into it, to be kept with it. */
export interface Message {
  readonly role: MessageRole;
  readonly content: string;
  readonly tokens: number;
  /** The nodes of the conversation that it was made of. */
  readonly nodes: readonly string[];
  readonly toolCalls: readonly ToolCall[];
  readonly toolCallId: string | null;
  /** The event that it came from. */
  readonly source: string | null;
  /** What was injected, for `context_json`. */
  readonly context: Readonly<Record<string, unknown>>;
}

/** The division of a model's window. */
export interface TokenBudget {
  readonly modelLimit: number;
  readonly reserveResponse: number;
  readonly reserveTools: number;
  /** What is left for the prompt. */
  readonly available: number;
  readonly used: UsedTokens;
  /** Available less used; never negative. */
  readonly remaining: number;
}

/** Tokens by layer. The physical layers (`system_prompt`, `history`, `event`, `tools`) add up to the total. */
export interface UsedTokens {
  readonly systemPrompt: number;
  readonly history: number;
  readonly event: number;
  readonly tools: number;
  readonly total: number;
  /** By conceptual layer. */
  readonly layers: Readonly<Record<string, number>>;
}

/** The prefix that a provider should find in its cache, judged by the turns sent before. */
export interface CachePrediction {
  readonly cachedTokens: number;
  /** Of the turn's tokens, 0 to 1. */
  readonly share: number;
  /** The first part that is not what it was; empty where all that was sent came again. */
  readonly brokenBy: "" | "first turn" | "tools" | "system" | "history" | "current message";
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
   * For `shell_exec`: `command`, and if known `exitCode` (without it the command may still run), `stdout`, `stderr`,
   * `cwd`, `durationMs`, `runs` (the command lines that it stands for; read from the project where it is missing),
   * nothing else; for `error` at least `message`; for `file_read` and `file_write` at least `path`, inside the
   * workspace, or its `file:` URI; for other types anything.
   */
  readonly content: Readonly<Record<string, unknown>>;
  /**
   * The client's own name for this event, such as a UUID: where an event with this key is stored already, its `id` is
   * answered and nothing is stored again.
   */
  readonly key?: string;
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/** The outcome of an event. */
export type Outcome = "success" | "failure";

/** A text that is to fit a budget. */
export interface CompressParams {
  /** The text, of at most 10,000,000 characters. */
  readonly text: string;
  /** The budget. */
  readonly maxTokens: number;
  /** Says that the text is code in this language, by name or extension. Either this or `path`. */
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

/** No parameters. */
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
  /**
   * Folders and packages that this question is limited to (how); the saved scope when absent, the whole workspace when
   * empty.
   */
  readonly scope?: readonly string[];
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/** The hits of a search and how long it took, in milliseconds. */
export interface SearchResult {
  readonly query: string;
  readonly hits: readonly SearchHit[];
  readonly ms: number;
  readonly indexComplete: boolean;
  /** The folders that were searched; empty for all. */
  readonly scope: readonly string[];
  /** How much is indexed; null where `indexComplete` is true, or while files are still counted. */
  readonly indexExtent: IndexExtent | null;
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
  /** The process that follows changes on disk; where it is `another`, this one reads what that one wrote. */
  readonly writer: IndexWriter;
  /** The folders that questions are limited to; empty for all. */
  readonly scope: readonly string[];
  /** Files that this process itself has read and parsed for the index. */
  readonly analyzed: number;
  readonly warnings: readonly string[];
  /** How much is indexed; null where all is, or while files are still counted. */
  readonly indexExtent: IndexExtent | null;
}

/** The process that keeps an index in step with the disk, of those that have the workspace open. */
export type IndexWriter = "this" | "another" | "none";

/** The file that is asked about. */
export interface FileStatusParams {
  /** The document, open or not. */
  readonly textDocument: TextDocument;
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/**
 * The state of one file: whether prompts can draw on it and, if not, why. `sentence` is one line for people. `reason`
 * is the word that counts in `Status.skipped`, `missing`, `excluded`, or what the system said of a file that it would
 * not let be read; `None` where nothing stands in the way. `chunks` are those in the index now.
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
  /** Only while this task was the current one. */
  readonly taskId?: string;
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
  /** The conversations, for good; false when absent. */
  readonly conversations?: boolean;
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/** The counts of what was deleted. */
export interface ClearReport {
  readonly index: boolean;
  readonly events: number;
  readonly conversations: number;
}

/** The scope of a workspace: asked for or, where `scope` is given, saved. */
export interface ScopeParams {
  /**
   * Folders by their paths and packages by their names (`package:NAME` where a folder is called the same) that
   * questions are limited to from now on; empty for the whole workspace.
   */
  readonly scope?: readonly string[];
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/** The saved scope. Without `folders` there is none: questions are about the whole workspace. */
export interface ScopeView {
  readonly folders: readonly ScopeFolder[];
  /** Indexed files in it; all of them where there is none. */
  readonly files: number;
  readonly totalFiles: number;
  /** What it can be made of: folders at the top, and packages by their manifests. */
  readonly choices: readonly ScopeFolder[];
  readonly warnings: readonly string[];
}

/** A folder that a scope has or may have. `package` is its name by its manifest, or empty; `files` are indexed. */
export interface ScopeFolder {
  readonly path: string;
  readonly package: string;
  readonly files: number;
}

/** Whether the user trusts a folder. */
export interface SetTrustParams {
  /** Whether what lies in the folder may instruct a model. */
  readonly trusted: boolean;
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/** The trust from now on, until the server ends or the client changes it. */
export interface TrustState {
  readonly rootUri: string;
  readonly trusted: boolean;
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
  /** So many relations of a kind at an entity, the heaviest; 8 when absent. */
  readonly limit?: number;
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/**
 * The neighbourhood of `start`. `alternatives` are ids of other entities that the name may have meant. `omitted` counts
 * the relations that there are beside `relations`: at `start` all, elsewhere those that were come by.
 */
export interface GraphView {
  readonly start: EntityView;
  readonly alternatives: readonly string[];
  readonly entities: readonly EntityView[];
  readonly relations: readonly RelationView[];
  readonly omitted: readonly OmittedRelations[];
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

/** So many relations of a type that are left out, at one entity: it is their `source` or their `target`. */
export interface OmittedRelations {
  readonly source: string | null;
  readonly target: string | null;
  readonly type: string;
  readonly count: number;
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
  /** The `id` of a pattern, as `context/patterns` answers. */
  readonly id?: string;
  /** Whether it helped. */
  readonly helpful: boolean;
  /**
   * The `id` of the context that it was in. It is kept as it is given: the server knows those of its last answers
   * alone.
   */
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

/** The status of a task. */
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

/** The working set as a whole. */
export interface ListSet {
  /** The conversation of which `server` is told; the one that goes on when absent. */
  readonly conversationId?: string;
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/**
 * The pins, those of people first, highest priority first, and the exclusions. `location` is the file that says so; it
 * may not exist yet.
 */
export interface WorkingSetView {
  readonly files: readonly PinnedFile[];
  readonly excluded: readonly ExcludedFile[];
  readonly location: string;
  readonly warnings: readonly string[];
  /** The newest updates by models that can be undone, newest first. */
  readonly updates: readonly AppliedUpdate[];
  /** What the server does to it in the conversation that goes on. */
  readonly server: readonly ServerEntry[];
}

/** A pinned file, folder or symbol. `priority` lies in 0..1; `problem` says why it does not enter prompts. */
export interface PinnedFile {
  /** Relative to the workspace; a pattern where `pattern` is true. */
  readonly path: string;
  readonly symbol: string | null;
  readonly folder: boolean;
  readonly priority: number;
  readonly role: Role;
  readonly truncateStrategy: TruncateStrategy;
  readonly maxLines: number | null;
  readonly problem: string | null;
  /** What a request names it by in `path`: `a.py`, `a.py#Cart.total`, `a.py:10-40`, `docs/`. */
  readonly target: string;
  /** Whether it stands for all files that match `path`. */
  readonly pattern: boolean;
  /** The first of the lines, where it is only some of a file. */
  readonly startLine: number | null;
  /** The last of them. */
  readonly endLine: number | null;
  /** The included file that pins it, which contextls never changes; null where the working set's own file does. */
  readonly includedFrom: string | null;
  /** Who pinned it. */
  readonly by: Updater;
  /** Why a model pinned it; null for what a person pinned. */
  readonly why: string | null;
}

/** How a pinned file is read: as instructions of one kind or another, or as plain context. */
export type Role = "system" | "developer" | "user" | "context";

/** The part of a pinned file that goes when it does not fit: none, its start, its middle or its end. */
export type TruncateStrategy = "never" | "start" | "middle" | "end";

/** The author of an entry in the working set, or of its priority. */
export type Updater = "person" | "model" | "server";

/** A file, folder or symbol that appears in no prompt. */
export interface ExcludedFile {
  readonly path: string;
  readonly symbol: string | null;
  readonly folder: boolean;
  /** What a request names it by in `path`. */
  readonly target: string;
  /** The included file that excludes it, which contextls never changes. */
  readonly includedFrom: string | null;
}

/** An update by a model that can be undone. */
export interface AppliedUpdate {
  /** Names it for `context/workingSet/undo`. */
  readonly id: string;
  readonly by: Updater;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  readonly steps: readonly UpdateStep[];
}

/** One thing that an update did. `priority` is the one it set, null where it set none. */
export interface UpdateStep {
  readonly action: UpdateAction;
  /** What it did that to: `a.py`, `a.py#Cart.total`, `docs/`. */
  readonly target: string;
  readonly priority: number | null;
  readonly why: string;
}

/** A change that a model makes to the working set. */
export type UpdateAction = "add_to_working_set" | "remove_from_working_set" | "adjust_priority";

/** An entry that the server made in the working set of a conversation, of its own accord. */
export interface ServerEntry {
  /** Names it for `context/workingSet/undo`. */
  readonly id: string;
  /** `output` (a command's newest output is kept at hand), `raised` or `lowered` (a model's pin). */
  readonly kind: string;
  /** The command, or what is pinned. */
  readonly text: string;
  /** The one that counts in this conversation. */
  readonly priority: number;
  readonly why: string;
  readonly by: Updater;
}

/** A target that is to be pinned; of one that is pinned already, the fields to change. */
export interface Pin {
  /**
   * Relative to the workspace folder, with `/`; may end in `#symbol` or `:10-40`, or be a pattern (`docs/*.md`). Either
   * this or `uri`.
   */
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
  /**
   * Relative to the workspace folder, with `/`; may end in `#symbol` or `:10-40`, or be a pattern (`docs/*.md`). Either
   * this or `uri`.
   */
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

/** Updates by a model. */
export interface UpdateSet {
  /**
   * What a model asks for, in this order: all of it is done, or nothing. Each has `action`, `path`, `why`, and where
   * they belong `priority` and `role`.
   */
  readonly updates: readonly Update[];
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/** One update that a model asks for. */
export interface Update {
  /**
   * What to do. What a person pinned or excluded is theirs: it is never removed, lowered or raised, and stands before
   * whatever a model adds.
   */
  readonly action: UpdateAction;
  /** A file, a folder (`docs/`) or a symbol (`a.py#Cart.total`), relative to the workspace folder. */
  readonly path: string;
  /** Why, in one sentence; the person reads it. */
  readonly why: string;
  /** 0 to 1, needed by `adjust_priority`; 0.7 when something is added without it. */
  readonly priority?: number;
  /** As what it is read, where it is added: `context`; other roles are given by people alone. */
  readonly role?: Role;
}

/** The result of updates: all of them were applied, or none. */
export interface UpdateAnswer {
  readonly applied: boolean;
  /** Names the update for `context/workingSet/undo`; null where none was applied. */
  readonly id: string | null;
  /** Those because of which none was applied. */
  readonly refused: readonly RefusedUpdate[];
  readonly workingSet: WorkingSetView;
}

/** An update that was refused, by its place among those that were asked for. */
export interface RefusedUpdate {
  readonly index: number;
  readonly path: string;
  /** Why, in words for the model that asked. */
  readonly reason: string;
}

/** Which update is to be undone. */
export interface Undo {
  /**
   * That of an update, or of what the server did, as `context/workingSet/list` names it; the newest update by a model
   * when absent.
   */
  readonly id?: string;
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/** The result of an undo. */
export interface UndoAnswer {
  /** The update that was undone; null where there was none. */
  readonly id: string | null;
  readonly steps: readonly UpdateStep[];
  /** What stays because it was changed since, in words. */
  readonly kept: readonly string[];
  readonly workingSet: WorkingSetView;
}

/** A conversation to begin. */
export interface CreateChat {
  /** What it is about; the first line is kept. */
  readonly title?: string;
  /** The system prompt of the agent; it comes first. */
  readonly agentContext?: string;
  /** The system context of this tree; it comes after the agent's. */
  readonly systemContext?: string;
  /** How it is read, where the request does not say so. */
  readonly preferences?: ReadingPreferences;
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/** How a conversation is read; what is absent is left to the conversation and to the settings. */
export interface ReadingPreferences {
  /** What goes when it is too long. */
  readonly truncation?: Truncation;
  /** So many newest nodes `truncateMiddle` always keeps. */
  readonly minimumRecentNodes?: number;
  /** Tokens of the limit that are left for the answer. */
  readonly tokenBuffer?: number;
  /** Whether documents (shape `document`) begin with the system context. */
  readonly bufferModeSystemContext?: boolean;
}

/** One conversation. `head` is its current node: what is appended without a parent follows it. */
export interface Conversation {
  readonly id: string;
  readonly title: string;
  /** The system prompt of the agent. */
  readonly agentContext: string;
  /** The system context of this tree; it comes after the agent's. */
  readonly systemContext: string;
  readonly preferences: Preferences;
  /** Where it was imported from; empty when it was not. */
  readonly origin: string;
  readonly head: string | null;
  /** The nodes that were not pruned. */
  readonly nodes: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
}

/** Preferences for reading a conversation. `None` leaves one to the request and, failing that, to the settings. */
export interface Preferences {
  /** What goes when it is too long. */
  readonly truncation: Truncation | null;
  /** So many newest nodes `truncateMiddle` always keeps. */
  readonly minimumRecentNodes: number | null;
  /** Tokens of the limit that are left for the answer. */
  readonly tokenBuffer: number | null;
  /** Whether documents (shape `document`) begin with the system context. */
  readonly bufferModeSystemContext: boolean;
}

/** Every conversation, the one that changed last first. */
export interface ConversationList {
  readonly conversations: readonly Conversation[];
}

/** Changes to what concerns a whole conversation; what is absent stays. */
export interface ConfigureChat {
  /** The `id` of the conversation. */
  readonly conversationId: string;
  /** Another title. */
  readonly title?: string;
  /** Another system prompt of the agent. */
  readonly agentContext?: string;
  /** Another system context of the tree. */
  readonly systemContext?: string;
  /** Other preferences, all of them. */
  readonly preferences?: ReadingPreferences;
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/** What is said next. */
export interface AppendNode {
  /** The `id` of the conversation. */
  readonly conversationId: string;
  /** Who says it. */
  readonly author: Author;
  /** The text; of a model and a tool it may be empty. */
  readonly content: string;
  /** The node that it follows; the head when absent. */
  readonly parentId?: string;
  /** `continuation` when absent. */
  readonly edge?: Edge;
  /** The nodes that it was made from: `nodeId` and `role` (`primary`, `context` or `instruction`). */
  readonly sources?: readonly NodeSource[];
  /** The calls that a model makes in it: `id`, `name`, `arguments` as JSON text. */
  readonly toolCalls?: readonly MadeCall[];
  /** Of a tool: the call that it answers. */
  readonly toolCallId?: string;
  /** Anything to be kept with the node. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** How it came about. */
  readonly trace?: Readonly<Record<string, unknown>>;
  /** What was injected into or attached to it. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/** The author of a node; a model sees them as user, assistant and tool. */
export type Author = "human" | "model" | "tool";

/** The tie of a node to its parent. What an annotation says is shown only where it is included. */
export type Edge = "continuation" | "annotation";

/** A node that another one is made from. */
export interface NodeSource {
  /** Its `id`. */
  readonly nodeId: string;
  /** `primary` when absent: the node that it follows. */
  readonly role?: SourceRole;
}

/** The role of a source for the node that was made from it: the node before it, a reference, or a directive. */
export type SourceRole = "primary" | "context" | "instruction";

/** A call that a model makes. */
export interface MadeCall {
  /** What the result names. */
  readonly id: string;
  /** The tool. */
  readonly name: string;
  /** JSON text. */
  readonly arguments?: string;
}

/** One node of a conversation, as its current version says it. */
export interface ChatNode {
  readonly id: string;
  readonly conversationId: string;
  readonly parentId: string | null;
  readonly author: Author;
  readonly kind: NodeKind;
  readonly edge: Edge;
  readonly content: string;
  /** 1 for what was said first; each edit counts up. */
  readonly version: number;
  readonly excluded: boolean;
  readonly pruned: boolean;
  readonly pinned: boolean;
  /** Whether an annotation is shown all the same. */
  readonly included: boolean;
  /** Tokenizer → tokens of the content, as far as counted. */
  readonly tokens: Readonly<Record<string, number>>;
  readonly sources: readonly Source[];
  readonly toolCalls: readonly ToolCall[];
  readonly toolCallId: string | null;
  /** Whatever the client keeps with the node. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** How the node came about, as the client said. */
  readonly trace: Readonly<Record<string, unknown>> | null;
  /** What was injected into or attached to this message. */
  readonly context: Readonly<Record<string, unknown>> | null;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** The kind of a node: something said, or the summary of what was said before. */
export type NodeKind = "message" | "compaction";

/** A node that another one was made from. */
export interface Source {
  readonly nodeId: string;
  readonly role: SourceRole;
}

/** Only the node that is meant. */
export interface NodeParams {
  /** The `id` of the conversation. */
  readonly conversationId: string;
  /** The `id` of the node. */
  readonly nodeId: string;
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/** A path from the root to a node. */
export interface PathParams {
  /** The `id` of the conversation. */
  readonly conversationId: string;
  /** The end of the path; the head of the conversation when absent. */
  readonly nodeId?: string;
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/**
 * A path from the root to a node. `turns` are the ids of the nodes that begin a turn: one of a human, and all that
 * follow until the next one.
 */
export interface Thread {
  readonly conversationId: string;
  readonly nodeId: string | null;
  /** The ids of all nodes, root first. */
  readonly ancestry: readonly string[];
  readonly turns: readonly string[];
  /** Where the text after the latest summary begins; null without a summary. */
  readonly firstKeptTurnId: string | null;
  readonly nodes: readonly ChatNode[];
}

/** Only the conversation that is meant. */
export interface OneChat {
  /** The `id` of the conversation. */
  readonly conversationId: string;
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/** Every node of a conversation, oldest first; the pruned ones too. */
export interface Tree {
  readonly conversation: Conversation;
  readonly nodes: readonly ChatNode[];
}

/** A path that is to be read as messages. */
export interface HistoryParams {
  /** The `id` of the conversation. */
  readonly conversationId: string;
  /** The end of the path; the head of the conversation when absent. */
  readonly nodeId?: string;
  /** The model's limit, for system context, messages and answer together; no limit when absent. */
  readonly maxTokens?: number;
  /** How it is cut; they go before those of the conversation. */
  readonly preferences?: ReadingPreferences;
  /** An encoding or a model name; the setting when absent. */
  readonly tokenizer?: string;
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/** A path as the messages that a model sees, truncated where a limit was given. */
export interface HistoryView {
  readonly conversationId: string;
  readonly nodeId: string | null;
  readonly system: string;
  readonly instructions: readonly string[];
  readonly messages: readonly ShownMessage[];
  readonly excluded: readonly HiddenNode[];
  /** The nodes that the first message sums up. */
  readonly summaryOf: readonly string[];
  /** The nodes that truncation left out. */
  readonly dropped: readonly string[];
  /** What stands where they were; empty without truncation. */
  readonly marker: string;
  readonly truncated: boolean;
  readonly tokenizer: string;
  /** Of all messages; the system context comes on top. */
  readonly tokens: number;
  readonly systemTokens: number;
}

/** One message as a model sees it, without secrets. A marker of truncation is made of no node. */
export interface ShownMessage {
  /** `user`, `assistant` or `tool`. */
  readonly role: string;
  readonly content: string;
  /** Those that it was made of, in order. */
  readonly nodes: readonly string[];
  /** Of its content and its calls. */
  readonly tokens: number;
  readonly pinned: boolean;
  readonly toolCalls: readonly ToolCall[];
  readonly toolCallId: string | null;
}

/** A node of a path that no message shows, and why. */
export interface HiddenNode {
  readonly nodeId: string;
  readonly reason: string;
}

/** A node to leave out of prompts, or to take back in. */
export interface ExcludeNode {
  /** The `id` of the conversation. */
  readonly conversationId: string;
  /** The `id` of the node. */
  readonly nodeId: string;
  /** False takes it back in. */
  readonly excluded?: boolean;
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/** An annotation to show, or not any more. */
export interface IncludeNode {
  /** The `id` of the conversation. */
  readonly conversationId: string;
  /** The `id` of the node. */
  readonly nodeId: string;
  /** False hides it again. */
  readonly included?: boolean;
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/** A node that stays whatever is cut or summed up, or does not any more. */
export interface PinNode {
  /** The `id` of the conversation. */
  readonly conversationId: string;
  /** The `id` of the node. */
  readonly nodeId: string;
  /** False lets it go again. */
  readonly pinned?: boolean;
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/** A node to take out of sight with everything below it, or to bring back. */
export interface PruneNode {
  /** The `id` of the conversation. */
  readonly conversationId: string;
  /** The `id` of the node. */
  readonly nodeId: string;
  /** False brings it back, with everything below it. */
  readonly pruned?: boolean;
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/** The number of nodes that were taken out of sight or brought back, and the conversation as it is now. */
export interface Pruned {
  readonly nodes: number;
  readonly conversation: Conversation;
}

/** Another text for a node. Either `content` or `version`. */
export interface EditNode {
  /** The `id` of the conversation. */
  readonly conversationId: string;
  /** The `id` of the node. */
  readonly nodeId: string;
  /** The new version; either this or `version`. */
  readonly content?: string;
  /** An older version to go back to. */
  readonly version?: number;
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/** Old turns to sum up. */
export interface CompactChat {
  /** The `id` of the conversation. */
  readonly conversationId: string;
  /** The end of the path; the head of the conversation when absent. */
  readonly nodeId?: string;
  /** Tokens that the history may take afterwards; 60 % of `available`, or of what it takes now, when absent. */
  readonly target?: number;
  /** Tokens that it must not exceed: if what has to stay does, that is an error. */
  readonly available?: number;
  /** So many newest turns stay whole; the setting `compactionKeepTurns` when absent. */
  readonly keepTurns?: number;
  /** A summary of your own; one is made when absent. */
  readonly summary?: string;
  /** The turn that your summary ends before; the first that fits when absent. */
  readonly firstKeptTurnId?: string;
  /** An encoding or a model name; the setting when absent. */
  readonly tokenizer?: string;
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/** A compaction: its node, what it stands for, and the tokens of the history before and after. */
export interface CompactionView {
  readonly nodeId: string;
  readonly firstKeptTurnId: string;
  /** The nodes that the summary stands for. */
  readonly covered: readonly string[];
  readonly method: SummaryMethod;
  readonly trigger: Trigger;
  readonly summary: string;
  readonly targetTokens: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly warnings: readonly string[];
}

/** The maker of a summary: rules that only quote, the configured chat model, or the client. */
export type SummaryMethod = "extractive" | "model" | "client";

/** The reason for a compaction. */
export type Trigger = "context_limit" | "overflow_recovery" | "manual";

/** What a model gave back. */
export interface ResultParams {
  /** The `id` of the conversation. */
  readonly conversationId: string;
  /** The node that it answers; the head when absent. */
  readonly nodeId?: string;
  /** What was said, in order: `author`, `content`, and what else `append` takes for a node. */
  readonly messages?: readonly SaidMessage[];
  /**
   * Calls with what became of them (`call`, `result`, `failed`). What `messages` say already is not written twice;
   * where they make the call alone, the result follows it.
   */
  readonly toolCalls?: readonly CallOutcome[];
  /** What the provider counted. */
  readonly usage?: ReportedUsage;
  /** Why the model stopped. */
  readonly stopReason?: string;
  /** What went wrong, if the turn failed. */
  readonly error?: string;
  /** What had been predicted, to be kept beside what was cached. */
  readonly predictedCachedTokens?: number;
  /** Whether the provider refused because the prompt was too long: the conversation is compacted then. */
  readonly overflow?: boolean;
  /** With `overflow`: the tokens that the history must fit into. */
  readonly available?: number;
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/** Something that was said. */
export interface SaidMessage {
  /** Who says it. */
  readonly author: Author;
  /** The text; of a model and a tool it may be empty. */
  readonly content: string;
  /** The calls that a model makes in it. */
  readonly toolCalls?: readonly MadeCall[];
  /** Of a tool: the call that it answers. */
  readonly toolCallId?: string;
  /** Anything to be kept with the node. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** How it came about. */
  readonly trace?: Readonly<Record<string, unknown>>;
  /** What was injected into or attached to it. */
  readonly context?: Readonly<Record<string, unknown>>;
}

/** A call that was made and what came of it. */
export interface CallOutcome {
  readonly call: MadeCall;
  readonly result: string;
  readonly failed?: boolean;
}

/** The tokens that a provider counted. */
export interface ReportedUsage {
  /** All of the input, cached or not. */
  readonly inputTokens?: number;
  /** Of the input, those read from the prompt cache. */
  readonly cachedInputTokens?: number;
  /** Of the answer. */
  readonly outputTokens?: number;
  /** Of both. */
  readonly totalTokens?: number;
}

/** A result as it was stored, and the compaction that an overflow led to. */
export interface ResultKept {
  readonly result: ResultView;
  readonly compaction: CompactionView | null;
}

/**
 * A result as it was stored. `cached_share` is the part of the input that came from the provider's cache;
 * `predicted_share` what had been predicted, where the client passed that on.
 */
export interface ResultView {
  readonly id: string;
  readonly nodeId: string;
  /** The nodes that were appended. */
  readonly nodes: readonly string[];
  readonly usage: Usage;
  readonly stopReason: string;
  readonly error: string | null;
  readonly predictedCachedTokens: number | null;
  readonly cachedShare: number | null;
  readonly predictedShare: number | null;
  readonly createdAt: number;
}

/** The tokens that a provider counted. */
export interface Usage {
  /** All of the input, cached or not. */
  readonly inputTokens: number | null;
  /** Of the input, those read from the prompt cache. */
  readonly cachedInputTokens: number | null;
  /** Of the answer. */
  readonly outputTokens: number | null;
  /** Of both. */
  readonly totalTokens: number | null;
}

/** What models gave back, oldest first. */
export interface ResultList {
  readonly results: readonly ResultView[];
}

/** A conversation of another program. */
export interface ImportChat {
  /** The text of the file. */
  readonly content: string;
  /** Its form; seen from its beginning when absent. */
  readonly format?: ChatFormat;
  /** The name of the file, to be kept as `origin`. */
  readonly name?: string;
  /** What it is about; taken from the file when absent. */
  readonly title?: string;
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/** A form in which conversations come in. */
export type ChatFormat = "messages" | "claudeCode" | "tree";

/** A conversation that was read from a file, and what of it was left out and why. */
export interface Imported {
  readonly conversation: Conversation;
  readonly nodes: number;
  readonly warnings: readonly string[];
}

/** A conversation to give away. */
export interface ExportChat {
  /** The `id` of the conversation. */
  readonly conversationId: string;
  /** The end of the path; the head of the conversation when absent. */
  readonly nodeId?: string;
  /** `messages` (OpenAI-style, of the path) when absent; `tree` has everything. */
  readonly format?: ExportFormat;
  /** The workspace folder that is meant. */
  readonly rootUri?: string;
}

/** A form in which conversations go out. */
export type ExportFormat = "messages" | "tree";

/** A conversation as JSON text. */
export interface Exported {
  readonly content: string;
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
  /** What the first line of the prompt says instead. */
  readonly task?: string;
  /** The active file. */
  readonly uri?: string;
  /** What is selected in it. */
  readonly range?: Range;
  /** The budget; that of the working set when absent, else the setting `maxTokens`. The working set may bound it. */
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
  /** Files that were read only in part, and a shared index that was left alone, and why. */
  readonly problems: readonly string[];
  readonly ms: number;
  /** Of the changed files, those taken from a shared index instead of being analysed. */
  readonly taken: number;
}

/** The memories of a workspace that have changed. */
export interface MemoryChange {
  readonly rootUri: string;
  readonly changed: readonly MemoryPart[];
}

/** A part of the memory that a view may show. */
export type MemoryPart = "index" | "events" | "tasks" | "workingSet" | "patterns" | "conversations" | "scope";
