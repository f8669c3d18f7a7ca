/** Questions that come before the index has anything to answer with: they wait for it. */
import * as vscode from "vscode";
import type { Context } from "../protocol";

const ASK_AGAIN_MS = 500;

/** Whether the index is so young that there is nothing to answer with yet. */
export function isTooEarly({ components, report }: Context): boolean {
  return components.length === 0 && !report.indexComplete;
}

export function waitingText(): string {
  return vscode.l10n.t("The folder is still being indexed; the question is answered as soon as there is something");
}

/** Asks again until there is something; rejects as `ask` does, and when `token` is cancelled. */
export async function untilThere<C extends Context>(
  ask: (token: vscode.CancellationToken) => Promise<C>,
  token: vscode.CancellationToken,
): Promise<C> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
    if (token.isCancellationRequested) {
      throw new vscode.CancellationError();
    }
    const context = await ask(token);
    if (!isTooEarly(context)) {
      return context;
    }
  }
}
