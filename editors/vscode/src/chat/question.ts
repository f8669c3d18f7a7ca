/** A chat request as a question to the server. Pure: no host, no server. */
import type { AssembleParams } from "../protocol";

export type ChatCommand = "fix" | "explain" | "review" | "recent";

/** What the request says, with nothing of the chat's own types. */
export interface ChatQuestion {
  readonly prompt: string;
  readonly command: string | undefined;
  /** Files, relative to the workspace folder, that the user attached. */
  readonly attached: readonly string[];
  /** Tokens that the model takes in, where that is known. */
  readonly modelTokens: number | undefined;
  /** Words that the code may have for what the prompt says otherwise. */
  readonly otherWords: readonly string[];
}

/** What of a model the server is told. */
export interface ChatModel {
  readonly family: string;
  readonly vendor: string;
  readonly maxInputTokens: number;
}

interface Manner {
  readonly archetype: string;
  /** What is asked when the user typed nothing but the command. */
  readonly query: string;
  readonly changes?: "all";
}

const MANNERS: Readonly<Record<ChatCommand, Manner>> = {
  fix: { archetype: "debug", query: "fix the failing test or command" },
  explain: { archetype: "explain", query: "explain the code around the cursor" },
  review: { archetype: "review", query: "review the uncommitted changes", changes: "all" },
  recent: { archetype: "debug", query: "what did I do recently, and what is left to do?" },
};
const OVERVIEW = "what is this project about and how is it built?";
/** Room for the answer and for what was said before. */
const PART_OF_MODEL = 0.4;
const LEAST_TOKENS = 200;
const ATTACHED_BOOST = 4;

/** `budget` is the user's own; a model that takes in less gets less. The chat sends the question itself. */
export function chatParams(question: ChatQuestion, budget: number): AssembleParams {
  const manner = MANNERS[question.command as ChatCommand] as Manner | undefined;
  const typed = question.prompt.trim();
  const boosts = Object.fromEntries(question.attached.map((path) => [escapedPattern(path), ATTACHED_BOOST]));
  return {
    query: typed === "" ? (manner?.query ?? OVERVIEW) : typed,
    maxTokens: budgetFor(question.modelTokens, budget),
    taskLine: false,
    ...(question.otherWords.length === 0 ? {} : { otherWords: question.otherWords }),
    ...(manner === undefined ? {} : { strategy: manner.archetype }),
    ...(manner?.changes === undefined ? {} : { changes: manner.changes }),
    ...(question.attached.length === 0 ? {} : { boosts: { paths: boosts } }),
  };
}

/** Whether a command is about what was done, not about code that its prompt describes. */
export function namesWork(command: string | undefined): boolean {
  return command === "review" || command === "recent";
}

/** The same question as a turn of a chat with a model: `maxTokens` becomes the bound of what is retrieved. */
export function turnParams(params: AssembleParams, model: ChatModel | undefined): AssembleParams {
  const { maxTokens, ...question } = params;
  return {
    ...question,
    ...(maxTokens === undefined ? {} : { injection: { maxTokens } }),
    ...(model === undefined ? {} : { model: model.family, provider: model.vendor }),
    ...(model !== undefined && model.maxInputTokens > 0 ? { maxTokens: model.maxInputTokens } : {}),
  };
}

export function budgetFor(modelTokens: number | undefined, budget: number): number {
  if (modelTokens === undefined || modelTokens <= 0) {
    return budget;
  }
  return Math.max(LEAST_TOKENS, Math.min(budget, Math.floor(modelTokens * PART_OF_MODEL)));
}

/** `path` as a gitignore pattern that matches it alone. */
function escapedPattern(path: string): string {
  return `/${path.replace(/[\\*?[\]!#]/gu, (special) => `\\${special}`)}`;
}
