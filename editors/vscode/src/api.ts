/** What the extension exports to other extensions; `api/contextls.d.ts` is what they see of it. */
import type * as vscode from "vscode";
import type { ContextlsApi, ContextlsExports, EventToRecord, Query, Question, Recorded } from "../api/contextls";
import { plainRange } from "./commands/place";
import { openFolderFirst, someFolder } from "./folders";
import { optional } from "./optional";
import type { AssembleParams } from "./protocol";
import type { Services } from "./services";

const DEFAULT_HITS = 10;

export function createExports(services: Services): ContextlsExports {
  const api = createApi(services);
  return {
    getApi(version: number): ContextlsApi {
      if (version !== api.version) {
        throw new Error(`contextls has no API of version ${version}; it has ${api.version}`);
      }
      return api;
    },
  };
}

function createApi({ contexts, memory, requests }: Services): ContextlsApi {
  return {
    version: 1,
    onDidAssemble: contexts.onDidAssemble,
    assemble: (question, token) => contexts.assemble(assembleParams(question), token),
    search: async (query: Query, token) => {
      const found = await requests.search(query.query, query.limit ?? DEFAULT_HITS, rootOf(query.folder), token);
      return found.hits;
    },
    record: async (event: EventToRecord): Promise<Recorded> => {
      if (!memory.records) {
        return { id: null, reason: memory.state };
      }
      const { folder, ...told } = event;
      return requests.record({ ...told, rootUri: rootOf(folder) });
    },
  };
}

function assembleParams(question: Question): AssembleParams {
  const { document, range } = question;
  return {
    query: question.query,
    rootUri: rootOf(question.folder ?? document),
    ...optional({
      otherWords: question.otherWords,
      maxTokens: question.maxTokens,
      strategy: question.archetype,
      additionalContext: question.additionalContext,
      taskLine: question.taskLine,
      textDocument: document === undefined ? undefined : { uri: document.toString() },
      range: range === undefined ? undefined : plainRange(range),
      filters: question.exclude === undefined ? undefined : { exclude: question.exclude },
    }),
  };
}

function rootOf(uri: vscode.Uri | undefined): string {
  const folder = someFolder(uri);
  if (folder === undefined) {
    throw new Error(openFolderFirst());
  }
  return folder.uri.toString();
}
