/** The chat participant `@context`: answers with the model that the user chose, on the context that the server assembled. */
import * as vscode from "vscode";
import { nothingAnswers } from "../commands/deliver";
import { isTooEarly, untilThere, waitingText } from "../commands/early";
import { editorPlace } from "../commands/place";
import { mending } from "../commands/run";
import { openFolderFirst, someFolder } from "../folders";
import type { AssembledTurn, AssembleParams } from "../protocol";
import { asError } from "../server/server";
import type { Services } from "../services";
import { asksForOtherWords, maxTokens } from "../settings";
import { sourceLocation, sourcePlace } from "../sources";
import { keepTurn } from "./conversation";
import { otherWords } from "./other-words";
import { chatParams, namesWork, turnParams } from "./question";
import { historyParams, keptOf, type PastTurn, type Thread, threadOf } from "./thread";

const ID = "contextls.context";
/** Not in the palette: it copies the context of a chat's question, all of it, whatever the chat was sent before. */
export const COPY_TEXT = "contextls.copyForQuestion";
const MOST_REFERENCES = 20;

export function registerParticipant(services: Services): vscode.Disposable {
  const participant = vscode.chat.createChatParticipant(ID, (request, history, stream, token) =>
    answer(services, request, history, stream, token),
  );
  participant.iconPath = new vscode.ThemeIcon("layers");
  return vscode.Disposable.from(participant);
}

async function answer(
  services: Services,
  request: vscode.ChatRequest,
  chat: vscode.ChatContext,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
): Promise<vscode.ChatResult> {
  const folder = someFolder();
  if (folder === undefined) {
    return { errorDetails: { message: openFolderFirst() } };
  }
  stream.progress(vscode.l10n.t("Assembling context"));
  const model = request.model as vscode.LanguageModelChat | undefined;
  const rootUri = folder.uri.toString();
  const before = earlier(chat);
  const question = {
    prompt: request.prompt,
    command: request.command,
    attached: attachedFiles(request, folder),
    modelTokens: model?.maxInputTokens,
    otherWords:
      model === undefined || !asksForOtherWords() || namesWork(request.command)
        ? []
        : await otherWords(model, request.prompt.trim(), token),
  };
  const plain = { ...chatParams(question, maxTokens()), rootUri, ...(await editorPlace(folder)) };
  const { turn, thread } = await assemble(services, turnParams(plain, model), before, stream, token);
  if (turn.components.length === 0 && before.length === 0) {
    return { errorDetails: { message: nothingAnswers() } };
  }
  services.contexts.note(turn, plain);
  showSources(turn, folder, stream);
  const reply = model === undefined ? undefined : await ask(model, turn, stream, token);
  if (reply === undefined) {
    stream.markdown(turn.content);
  }
  stream.button({ command: COPY_TEXT, title: vscode.l10n.t("Copy Context"), arguments: [plain] });
  const metadata = { contextId: turn.id, tokens: turn.tokenCount };
  if (reply === undefined) {
    return { metadata };
  }
  const { content: sent, context } = turn.currentMessage;
  const said = { title: plain.query, sent, reply, context, predictedCachedTokens: turn.cache.cachedTokens };
  const kept = await keepTurn(services, said, before, thread, rootUri);
  return { metadata: { ...metadata, ...(kept === undefined ? { sent } : { kept }) } };
}

/** The turn, and the conversation that it goes on. One that the server no longer has gives way to the chat's own history. */
async function assemble(
  services: Services,
  params: AssembleParams,
  before: readonly PastTurn[],
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
): Promise<{ turn: AssembledTurn; thread: Thread | undefined }> {
  const within = async (thread: Thread | undefined): Promise<{ turn: AssembledTurn; thread: Thread | undefined }> => {
    const asked = { ...params, ...historyParams(before, thread) };
    const once = (): Promise<AssembledTurn> => services.requests.assembleTurn(asked, token);
    const turn = await mending(once);
    if (!isTooEarly(turn)) {
      return { turn, thread };
    }
    stream.progress(waitingText());
    return { turn: await untilThere(once, token), thread };
  };
  const thread = threadOf(before);
  try {
    return await within(thread);
  } catch (error) {
    if (thread === undefined || token.isCancellationRequested || !isUnknown(error)) {
      throw error;
    }
    services.log.info(`The chat begins a new conversation: ${asError(error).message}`);
    return within(undefined);
  }
}

/** The model's answer, or undefined where it was not there; what else goes wrong is the chat's to tell. */
async function ask(
  model: vscode.LanguageModelChat,
  turn: AssembledTurn,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
): Promise<string | undefined> {
  const message = vscode.LanguageModelChatMessage;
  const messages = [
    ...(turn.systemPrompt === "" ? [] : [message.User(turn.systemPrompt)]), // extensions have no role for it
    ...turn.history.map(({ role, content }) => (role === "assistant" ? message.Assistant(content) : message.User(content))),
    message.User(turn.currentMessage.content),
  ];
  let said = "";
  try {
    const response = await model.sendRequest(messages, {}, token);
    for await (const part of response.text) {
      said += part;
      stream.markdown(part);
    }
    return said;
  } catch (error) {
    if (error instanceof vscode.LanguageModelError && error.code === vscode.LanguageModelError.NotFound.name) {
      return undefined;
    }
    throw error;
  }
}

/** What was said to us before in this chat, and what we answered: all that a model is sent of it comes from here. */
function earlier(chat: vscode.ChatContext): readonly PastTurn[] {
  const turns: PastTurn[] = [];
  for (const turn of chat.history) {
    if (turn.participant !== ID) {
      continue;
    }
    if (turn instanceof vscode.ChatRequestTurn) {
      turns.push({ prompt: turn.prompt, reply: "", kept: undefined, sent: undefined });
      continue;
    }
    const asked = turns.pop() ?? { prompt: "", reply: "", kept: undefined, sent: undefined };
    const said = turn.response.map((part) => (part instanceof vscode.ChatResponseMarkdownPart ? part.value.value : ""));
    const { kept, sent } = turn.result.metadata ?? {};
    const sentText = typeof sent === "string" ? sent : undefined;
    turns.push({ ...asked, reply: asked.reply + said.join(""), kept: keptOf(kept), sent: sentText });
  }
  return turns;
}

/** The server's word for a conversation or a node that it does not have (any more). */
function isUnknown(error: unknown): boolean {
  return /^(?:conversationId|nodeId)\b/u.test(asError(error).message);
}

function showSources(
  context: AssembledTurn,
  folder: vscode.WorkspaceFolder,
  stream: vscode.ChatResponseStream,
): void {
  const places = context.components
    .filter((component) => component.type === "semantic" || component.type === "working_set")
    .map((component) => sourcePlace(component.source))
    .filter((place) => place !== undefined);
  for (const place of places.slice(0, MOST_REFERENCES)) {
    stream.reference(sourceLocation(folder.uri, place));
  }
}

function attachedFiles(request: vscode.ChatRequest, folder: vscode.WorkspaceFolder): string[] {
  const found = request.references.map(({ value }) => {
    const uri = value instanceof vscode.Location ? value.uri : value instanceof vscode.Uri ? value : undefined;
    return uri !== undefined && vscode.workspace.getWorkspaceFolder(uri) === folder
      ? vscode.workspace.asRelativePath(uri, false)
      : undefined;
  });
  return [...new Set(found.filter((path) => path !== undefined))];
}
