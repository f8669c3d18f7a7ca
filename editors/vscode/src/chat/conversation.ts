/** Keeps a chat in a conversation of the server, as far as anything may be kept. */
import type { Services } from "../services";
import { asError } from "../server/server";
import { type Kept, messagesOf, type PastTurn, resultParams, type Said, type Thread } from "./thread";

type Keeping = Pick<Services, "requests" | "memory" | "log">;

/**
 * Keeps a turn behind `thread`, or in a new conversation that begins with the turns before it. Undefined where nothing may
 * be kept, or that failed: the chat goes on without.
 */
export async function keepTurn(
  services: Keeping,
  said: Said,
  before: readonly PastTurn[],
  thread: Thread | undefined,
  rootUri: string,
): Promise<Kept | undefined> {
  if (!services.memory.records) {
    return undefined;
  }
  try {
    const began = thread === undefined ? await begin(services, said, before, rootUri) : undefined;
    const place = thread ?? began;
    if (place === undefined) {
      return undefined;
    }
    const { conversationId } = place;
    const { result } = await services.requests.keepResult({ ...resultParams(said, place), rootUri });
    const kept = { conversation: conversationId, after: place.nodeId ?? null, last: result.nodes.at(-1) ?? result.nodeId };
    return began === undefined ? kept : { ...kept, began: before.length };
  } catch (error) {
    services.log.warn(`The chat was not kept: ${asError(error).message}`);
    return undefined;
  }
}

async function begin(
  { requests }: Keeping,
  said: Said,
  before: readonly PastTurn[],
  rootUri: string,
): Promise<{ conversationId: string; nodeId?: string }> {
  const title = before[0]?.prompt ?? said.title;
  const messages = messagesOf(before);
  if (messages.length === 0) {
    return { conversationId: (await requests.createConversation(title, rootUri)).id };
  }
  const { conversation } = await requests.importMessages(JSON.stringify(messages), title, rootUri);
  return { conversationId: conversation.id, ...(conversation.head === null ? {} : { nodeId: conversation.head }) };
}
