/** A chat as a conversation of the server. The chat's own history says what was said; the server keeps it. Pure: no host. */
import type { AssembleParams, GivenMessage, ResultParams } from "../protocol";

/** Where a turn of the chat is kept: written into the metadata of its answer, which the chat keeps with its history. */
export interface Kept {
  readonly conversation: string;
  /** The node that the question followed; null at the beginning of the conversation. */
  readonly after: string | null;
  /** The last node of the turn. */
  readonly last: string;
  /** How many turns of the chat were there before the conversation began with this one; undefined where it went on. */
  readonly began?: number;
}

/** A turn of the chat as its history has it. */
export interface PastTurn {
  readonly prompt: string;
  readonly reply: string;
  readonly kept: Kept | undefined;
  /** The message that was sent, where it is not kept. */
  readonly sent: string | undefined;
}

/** The end of the conversation that the whole chat is kept in. */
export interface Thread {
  readonly conversationId: string;
  readonly nodeId: string;
}

/**
 * The conversation that says what the chat says: undefined where turns were removed from the chat, or are not kept. A chat
 * that goes on from an earlier turn goes on from its node.
 */
export function threadOf(turns: readonly PastTurn[]): Thread | undefined {
  const end = turns.at(-1)?.kept;
  if (end === undefined) {
    return undefined;
  }
  for (let at = turns.length - 1; at >= 0; at--) {
    const kept = turns[at]?.kept;
    if (kept?.conversation !== end.conversation) {
      return undefined;
    }
    if (kept.began !== undefined) {
      return kept.began === at ? { conversationId: end.conversation, nodeId: end.last } : undefined;
    }
    if (turns[at - 1]?.kept?.last !== kept.after) {
      return undefined;
    }
  }
  return undefined;
}

/** What was said before, as messages. */
export function messagesOf(turns: readonly PastTurn[]): readonly GivenMessage[] {
  return turns
    .flatMap(({ prompt, reply, sent }): GivenMessage[] => [
      { role: "user", content: sent ?? prompt },
      { role: "assistant", content: reply },
    ])
    .filter(({ content }) => content.trim() !== "");
}

/** What a question takes of the chat before it. */
export function historyParams(turns: readonly PastTurn[], thread: Thread | undefined): Partial<AssembleParams> {
  if (thread !== undefined) {
    return { ...thread };
  }
  const history = messagesOf(turns);
  return history.length === 0 ? {} : { history };
}

/** A turn that is over, to be kept. */
export interface Said {
  /** What the user typed, or what a command asks for. */
  readonly title: string;
  readonly sent: string;
  readonly reply: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly predictedCachedTokens: number;
}

export function resultParams(said: Said, thread: { conversationId: string; nodeId?: string }): ResultParams {
  const question = { author: "human", content: said.sent, context: said.context } as const;
  const answer = { author: "model", content: said.reply } as const;
  return {
    ...thread,
    messages: said.reply.trim() === "" ? [question] : [question, answer],
    predictedCachedTokens: said.predictedCachedTokens,
  };
}

/** What an answer's metadata says of its turn; undefined for what was written by others. */
export function keptOf(value: unknown): Kept | undefined {
  if (typeof value !== "object" || value === null) {
    return undefined;
  }
  const { conversation, after, last, began } = value as Record<string, unknown>;
  return typeof conversation === "string" &&
    typeof last === "string" &&
    (after === null || typeof after === "string") &&
    (began === undefined || typeof began === "number")
    ? { conversation, after, last, ...(began === undefined ? {} : { began }) }
    : undefined;
}
