/** What becomes of an assembled context, and how the user is told of it. */
import * as vscode from "vscode";
import type { AssembleParams, Context } from "../protocol";
import type { Services } from "../services";
import { isTooEarly, untilThere, waitingText } from "./early";
import { withLogButton, withProgress } from "./run";

const BRIEF_MS = 5_000;
const LONG_MS = 12_000;
const MOST_WARNINGS = 3;
/** How the server says that a scope is on. */
const SAYS_SCOPE = "scope: only ";

/**
 * Assembles with progress that can be cancelled. While the index is so young that there is nothing to answer with, it
 * waits; where there is nothing at all, the user is told, and the answer is undefined. Rejects as `Requests.assemble` does.
 */
export async function assemble(
  services: Pick<Services, "contexts" | "requests">,
  params: AssembleParams,
): Promise<Context | undefined> {
  const ask = (token: vscode.CancellationToken): Promise<Context> => services.requests.assemble(params, token);
  const first = await withProgress(vscode.l10n.t("Assembling context"), ask);
  const context = isTooEarly(first) ? await withProgress(waitingText(), (token) => untilThere(ask, token)) : first;
  if (context.content === "") {
    tellNothing(context);
    return undefined;
  }
  services.contexts.note(context, params);
  return context;
}

/** Assembles, copies, says how much it was. */
export async function copy(services: Services, params: AssembleParams): Promise<void> {
  const context = await assemble(services, params);
  if (context !== undefined) {
    await vscode.env.clipboard.writeText(context.content);
    tellCopied(services, context);
  }
}

/** Copies a context that was assembled by other means, such as a code action; an empty one replaces nothing. */
export async function handOver(services: Services, context: Context): Promise<void> {
  if (context.content === "") {
    tellNothing(context);
    return;
  }
  services.contexts.note(context);
  await vscode.env.clipboard.writeText(context.content);
  tellCopied(services, context);
}

export function nothingAnswers(): string {
  return vscode.l10n.t("Nothing here answers this question.");
}

/** A scope is named: it may be why. */
function tellNothing({ report }: Context): void {
  const scope = report.warnings.filter((warning) => warning.includes("scope")).join(" · ");
  void vscode.window.showInformationMessage(scope === "" ? nothingAnswers() : `${nothingAnswers()} (${scope})`);
}

export function tellCopied(services: Services, context: Context): void {
  tellDone(services, context, vscode.l10n.t("Context copied: {0} tokens", tokens(context)));
}

/** Opens the chat with the prompt in its input, byte for byte what would be copied; to send it is left to the user. */
export async function send(services: Services, context: Context): Promise<void> {
  await services.chat.fill(context.content);
  tellDone(services, context, vscode.l10n.t("Context is in the chat: {0} tokens", tokens(context)));
}

/** Puts `context` at every cursor of `editor`, as one step to undo; on the clipboard where that is not possible. */
export async function insert(services: Services, context: Context, editor: vscode.TextEditor): Promise<void> {
  const places = new Map(editor.selections.map(({ active }) => [editor.document.offsetAt(active), active]));
  const done =
    !editor.document.isClosed &&
    (await editor.edit((edit) => {
      for (const place of places.values()) {
        edit.insert(place, context.content);
      }
    }));
  if (done) {
    tellDone(services, context, vscode.l10n.t("Context inserted: {0} tokens", tokens(context)));
    return;
  }
  await vscode.env.clipboard.writeText(context.content);
  void vscode.window.showWarningMessage(
    vscode.l10n.t("The context could not be inserted there; it is on the clipboard instead."),
  );
}

/** Says in words what the user must know of a context besides that it is there. */
export function tellDone(services: Services, context: Context, done: string): void {
  const { indexComplete, indexExtent, warnings: all } = context.report;
  // That a scope is on is nothing to warn of.
  const scope = all.filter((warning) => warning.startsWith(SAYS_SCOPE));
  const warnings = all.filter((warning) => !warning.startsWith(SAYS_SCOPE));
  const copied = [done, ...scope].join("; ");
  const told = indexComplete
    ? copied
    : indexExtent === null
      ? vscode.l10n.t("{0}; the index is not complete yet", copied)
      : vscode.l10n.t(
          "{0}; the index is not complete yet ({1} of {2} files)",
          copied,
          indexExtent.indexed.toLocaleString(),
          indexExtent.found.toLocaleString(),
        );
  if (warnings.length === 0) {
    const icon = indexComplete ? "check" : "info";
    vscode.window.setStatusBarMessage(`$(${icon}) ${told}`, indexComplete ? BRIEF_MS : LONG_MS);
    return;
  }
  for (const warning of warnings) {
    services.log.warn(warning);
  }
  const shown = warnings.slice(0, MOST_WARNINGS).join(" · ");
  void withLogButton(services, (button) => vscode.window.showWarningMessage(`${told} (${shown})`, button));
}

function tokens(context: Context): string {
  return context.tokenCount.toLocaleString(vscode.env.language);
}
