/** How every command runs: with progress that can be cancelled, and failures told in one place. */
import * as vscode from "vscode";
import { ServerFailedError, ServerMissingError, ServerOutdatedError } from "../server/launch";
import { asError } from "../server/server";
import type { Services } from "../services";
import { MEND_SERVER } from "./set-up";

const SLOW_MS = 400;
/** The code of LSP for a request that the client cancelled. */
const REQUEST_CANCELLED = -32_800;

/** Registers `work` under `command`; whatever it throws becomes one message, cancellation none. */
export function registerCommand(
  services: Services,
  command: string,
  work: (...args: readonly unknown[]) => Promise<unknown>,
): vscode.Disposable {
  return vscode.commands.registerCommand(command, async (...args: readonly unknown[]) => {
    try {
      return await mending(() => work(...args));
    } catch (error) {
      void tellFailure(services, error);
      return undefined;
    }
  });
}

/**
 * Runs `work`; what takes longer than a moment shows progress, with a button to cancel where `cancellable`. Where the server is missing or
 * broken and the user has that mended, `work` is done again: the command goes on.
 */
export function withProgress<R>(
  title: string,
  work: (token: vscode.CancellationToken) => Promise<R>,
  cancellable = true,
): Promise<R> {
  return mending(() => progressing(title, work, cancellable));
}

/** Runs `work`, and once more where the server was missing or broken and the user has had it mended. */
export async function mending<R>(work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (!isServerTrouble(error)) {
      throw error;
    }
    if ((await vscode.commands.executeCommand(MEND_SERVER, error)) !== true) {
      throw new vscode.CancellationError(); // the user knows, and left it at that
    }
    return work();
  }
}

function isServerTrouble(error: unknown): boolean {
  return [ServerMissingError, ServerFailedError, ServerOutdatedError].some((kind) => error instanceof kind);
}

async function progressing<R>(
  title: string,
  work: (token: vscode.CancellationToken) => Promise<R>,
  cancellable: boolean,
): Promise<R> {
  const source = new vscode.CancellationTokenSource();
  const running = work(source.token);
  const quick = await Promise.race([settled(running), later(SLOW_MS)]);
  if (!quick) {
    const location = vscode.ProgressLocation.Notification;
    void vscode.window.withProgress({ location, title, cancellable }, async (_progress, token) => {
      token.onCancellationRequested(() => {
        source.cancel();
      });
      await settled(running);
    });
  }
  try {
    return await running;
  } finally {
    source.dispose();
  }
}

/** Tells the user of what a command threw, and keeps it in the log; that something was cancelled is no news. */
export async function tellFailure(services: Services, given: unknown): Promise<void> {
  const error = asError(given);
  if (wasCancelled(error)) {
    return;
  }
  services.log.error(error);
  await withLogButton(services, (button) => vscode.window.showErrorMessage(`contextls: ${error.message}`, button));
}

/** Waits for the answer to a message that has a button which shows the log. */
export async function withLogButton(
  { log }: Services,
  show: (button: string) => Thenable<string | undefined>,
): Promise<void> {
  const button = vscode.l10n.t("Show Log");
  if ((await show(button)) === button) {
    log.show();
  }
}

function wasCancelled(error: Error): boolean {
  const code = "code" in error ? error.code : undefined;
  return error instanceof vscode.CancellationError || error.name === "Canceled" || code === REQUEST_CANCELLED;
}

async function settled(work: Promise<unknown>): Promise<true> {
  try {
    await work;
  } catch {
    // told by the caller that awaits the work
  }
  return true;
}

async function later(ms: number): Promise<false> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return false;
}
