/**
 * What the extension `contextls.contextls` exports to other extensions. Copy this file into yours and ask:
 *
 *     const extension = vscode.extensions.getExtension<ContextlsExports>("contextls.contextls");
 *     const contextls = (await extension?.activate())?.getApi(1);
 *     const context = await contextls?.assemble({ query: "how are retries handled?", maxTokens: 4000 });
 *
 * Every promise rejects with an `Error` whose message is fit to be shown to a user.
 */
import type { CancellationToken, Event, Uri } from "vscode";

export interface ContextlsExports {
  /** Throws when this version of the API is not known; versions are kept side by side. */
  getApi(version: 1): ContextlsApi;
}

export interface ContextlsApi {
  readonly version: 1;
  /** The best prompt for a question that fits its token budget. */
  assemble(question: Question, token?: CancellationToken): Promise<AssembledContext>;
  /** The chunks of code that answer a query, best first. */
  search(query: Query, token?: CancellationToken): Promise<readonly SearchHit[]>;
  /** Remembers something that only your extension saw; secrets are redacted before it is stored. */
  record(event: EventToRecord): Promise<Recorded>;
  /** The user copied, inserted, opened or otherwise used a context. */
  readonly onDidAssemble: Event<AssembledContext>;
}

export type ArchetypeName = "code" | "debug" | "explain" | "review" | "write";

export interface Question {
  readonly query: string;
  /** Words and names that the code may have for what the query says otherwise, as a model that you ask knows them. */
  readonly otherWords?: readonly string[];
  /** The budget; the user's setting when absent. */
  readonly maxTokens?: number;
  readonly archetype?: ArchetypeName;
  /** Text of your own, as a section at the end. */
  readonly additionalContext?: string;
  /** Whether the prompt begins with the question; the user's setting when absent. `false` where you send it to a model yourself. */
  readonly taskLine?: boolean;
  /** Where the user is. */
  readonly document?: Uri;
  /** Zero-based lines and characters, as in VS Code. */
  readonly range?: {
    readonly start: { readonly line: number; readonly character: number };
    readonly end: { readonly line: number; readonly character: number };
  };
  /** Paths or sources that stay out. */
  readonly exclude?: readonly string[];
  /** The workspace folder that is meant: by default that of the document, of the active editor, or the first. */
  readonly folder?: Uri;
}

export interface AssembledContext {
  readonly id: string;
  /** The prompt, as Markdown. */
  readonly content: string;
  /** Exact for `report.tokenizer`, and never above the budget. */
  readonly tokenCount: number;
  readonly truncated: boolean;
  readonly components: readonly ContextComponent[];
  readonly report: {
    readonly warnings: readonly string[];
    readonly tokenizer: string;
    readonly tokenizerExact: boolean;
    readonly indexComplete: boolean;
  };
}

export interface ContextComponent {
  readonly type: string;
  /** `path:start-end` for code, `path#symbol` for entities, an id for everything else. */
  readonly source: string;
  readonly content: string;
  readonly tokens: number;
  /** 0 to 1. */
  readonly relevanceScore: number;
  /** Why it is there, in plain words. */
  readonly why: string;
}

export interface Query {
  readonly query: string;
  /** 1 to 1000; 10 when absent. */
  readonly limit?: number;
  readonly folder?: Uri;
}

export interface SearchHit {
  readonly path: string;
  /** One-based, inclusive. */
  readonly startLine: number;
  readonly endLine: number;
  readonly language: string;
  readonly symbol: string;
  readonly score: number;
  readonly text: string;
}

export interface EventToRecord {
  /** `shell_exec`, `error`, `file_read`, `file_write`, `note`, or a word of your own. */
  readonly type: string;
  readonly content: Readonly<Record<string, unknown>>;
  readonly outcome?: "success" | "failure";
  /** Milliseconds since the epoch; now when absent. */
  readonly timestamp?: number;
  readonly folder?: Uri;
}

/** `id` is null when the event was not kept; `reason` then says why: `ignored`, `switched off`, `paused`, `untrusted`. */
export interface Recorded {
  readonly id: string | null;
  readonly reason?: string;
}
