/** The chat participant `@context`: answers with the model that the user chose, on the context that the server assembled. */
import * as vscode from "vscode";
import { nothingAnswers } from "../commands/deliver";
import { isTooEarly, untilThere, waitingText } from "../commands/early";
import { editorPlace } from "../commands/place";
import { mending } from "../commands/run";
import { openFolderFirst, someFolder } from "../folders";
import type { AssembleParams, Context } from "../protocol";
import type { Services } from "../services";
import { maxTokens } from "../settings";
import { sourceLocation, sourcePlace } from "../sources";
import { chatParams } from "./question";

const ID = "contextls.context";
/** Not in the palette: it copies what a chat answer was made from. */
export const COPY_TEXT = "contextls.copyText";
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
  const question = {
    prompt: request.prompt,
    command: request.command,
    attached: attachedFiles(request, folder),
    modelTokens: model?.maxInputTokens,
  };
  const params = { ...chatParams(question, maxTokens()), rootUri: folder.uri.toString(), ...editorPlace(folder) };
  const context = await assemble(services, params, stream, token);
  if (context === undefined) {
    return { errorDetails: { message: nothingAnswers() } };
  }
  showSources(context, folder, stream);
  const asked = params.query;
  const sent = model !== undefined && (await ask(model, asked, context, chat, stream, token));
  if (!sent) {
    stream.markdown(context.content);
  }
  stream.button({ command: COPY_TEXT, title: vscode.l10n.t("Copy Context"), arguments: [context.content] });
  return { metadata: { contextId: context.id, tokens: context.tokenCount } };
}

async function assemble(
  services: Services,
  params: AssembleParams,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
): Promise<Context | undefined> {
  const ask = (): Promise<Context> => services.requests.assemble(params, token);
  let context = await mending(ask);
  if (isTooEarly(context)) {
    stream.progress(waitingText());
    context = await untilThere(ask, token);
  }
  if (context.content === "") {
    return undefined;
  }
  services.contexts.note(context, params);
  return context;
}

/** Whether the model was there to answer; what else goes wrong is the chat's to tell. */
async function ask(
  model: vscode.LanguageModelChat,
  query: string,
  context: Context,
  chat: vscode.ChatContext,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
): Promise<boolean> {
  const messages = [
    vscode.LanguageModelChatMessage.User(context.content),
    ...earlier(chat),
    vscode.LanguageModelChatMessage.User(query),
  ];
  try {
    const response = await model.sendRequest(messages, {}, token);
    for await (const part of response.text) {
      stream.markdown(part);
    }
    return true;
  } catch (error) {
    if (error instanceof vscode.LanguageModelError && error.code === vscode.LanguageModelError.NotFound.name) {
      return false;
    }
    throw error;
  }
}

/** What was said to us before in this chat, and what we answered. */
function earlier(chat: vscode.ChatContext): vscode.LanguageModelChatMessage[] {
  return chat.history.flatMap((turn) => {
    if (turn.participant !== ID) {
      return [];
    }
    if (turn instanceof vscode.ChatRequestTurn) {
      return turn.prompt === "" ? [] : [vscode.LanguageModelChatMessage.User(turn.prompt)];
    }
    const said = turn.response.map((part) => (part instanceof vscode.ChatResponseMarkdownPart ? part.value.value : ""));
    const text = said.join("");
    return text === "" ? [] : [vscode.LanguageModelChatMessage.Assistant(text)];
  });
}

function showSources(
  context: Context,
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
