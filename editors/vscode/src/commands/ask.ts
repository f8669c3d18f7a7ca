/** Commands that begin with a question: its context is copied, sent to the chat, inserted or opened. */
import * as vscode from "vscode";
import { chosenFolder, diskFolders, folderOf } from "../folders";
import { optional } from "../optional";
import type { AssembleParams } from "../protocol";
import type { Services } from "../services";
import { allFolders } from "../settings";
import { assemble, copy, insert, send } from "./deliver";
import type { ContextDocuments } from "./documents";
import { activeEditor, editorPlace } from "./place";
import { ask, Questions } from "./questions";
import { registerCommand } from "./run";

export function registerAskCommands(services: Services, documents: ContextDocuments): vscode.Disposable {
  const questions = new Questions(services.extension.workspaceState);
  return vscode.Disposable.from(
    registerCommand(services, "contextls.copyForQuery", async (given) => {
      const params = await paramsFor(questions, given, vscode.l10n.t("Copy context for a question"));
      if (params !== undefined) {
        await copy(services, params);
      }
    }),
    registerCommand(services, "contextls.sendForQuery", async (given) => {
      const params = await paramsFor(questions, given, vscode.l10n.t("Send context for a question to the chat"));
      const context = params === undefined ? undefined : await assemble(services, params);
      if (context !== undefined) {
        await send(services, context);
      }
    }),
    registerCommand(services, "contextls.insertForQuery", async (given) => {
      const editor = activeEditor();
      if (editor === undefined) {
        return;
      }
      const params = await paramsFor(questions, given, vscode.l10n.t("Insert context at the cursor"));
      const context = params === undefined ? undefined : await assemble(services, params);
      if (context !== undefined) {
        await insert(services, context, editor);
      }
    }),
    registerCommand(services, "contextls.openForQuery", async (given) => {
      const params = await paramsFor(questions, given, vscode.l10n.t("Open context as a document"));
      if (params !== undefined) {
        await documents.open(params);
      }
    }),
  );
}

/** `given` is the question where another extension or a keybinding runs the command with one. */
async function paramsFor(questions: Questions, given: unknown, title: string): Promise<AssembleParams | undefined> {
  const together = allFolders() && diskFolders().length > 1;
  const folder = together ? folderOf() : await chosenFolder();
  if (folder === undefined && !together) {
    return undefined;
  }
  const query = typeof given === "string" ? given.trim() : await ask(questions, title);
  if (query === undefined || query === "") {
    return undefined;
  }
  await questions.keep(query);
  const place = folder === undefined ? {} : await editorPlace(folder);
  return { query, ...place, ...(together ? { roots: "all" } : optional({ rootUri: folder?.uri.toString() })) };
}
