/** How every command runs: with progress that can be cancelled, and failures told in one place. */
import * as vscode from "vscode";
import { ServerMissingError } from "../server/launch";
import { asError } from "../server/server";
import type { Services } from "../services";

const SLOW_MS = 400;

/** Registers `work` under `command`; whatever it throws becomes one message, cancellation none. */
export function registerCommand(
  services: Services,
  command: string,
  work: (...args: readonly unknown[]) => Promise<unknown>,
): vscode.Disposable {
  return vscode.commands.registerCommand(command, async (...args: readonly unknown[]) => {
    try {
      return await work(...args);
    } catch (error) {
      void tell(services, error);
      return undefined;
    }
  });
}

/** Runs `work`; what takes longer than a moment shows progress with a button to cancel. */
export async function withProgress<R>(
  title: string,
  work: (token: vscode.CancellationToken) => Promise<R>,
): Promise<R> {
  const source = new vscode.CancellationTokenSource();
  const running = work(source.token);
  const quick = await Promise.race([settled(running), later(SLOW_MS)]);
  if (!quick) {
    const location = vscode.ProgressLocation.Notification;
    void vscode.window.withProgress({ location, title, cancellable: true }, async (_progress, token) => {
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

async function tell(services: Services, given: unknown): Promise<void> {
  const error = asError(given);
  if (given instanceof vscode.CancellationError || error.name === "Canceled") {
    return;
  }
  services.log.error(error);
  const setUp = vscode.l10n.t("Set Up Server…");
  const showLog = vscode.l10n.t("Show Log");
  const buttons = error instanceof ServerMissingError ? [setUp, showLog] : [showLog];
  const answer = await vscode.window.showErrorMessage(`contextls: ${error.message}`, ...buttons);
  if (answer === setUp) {
    await vscode.commands.executeCommand("contextls.setUpServer");
  } else if (answer === showLog) {
    services.log.show();
  }
}

async function settled(work: Promise<unknown>): Promise<true> {
  try {
    await work;
  } catch {
    // told by whoever awaits the work itself
  }
  return true;
}

async function later(ms: number): Promise<false> {
  await new Promise((resolve) => setTimeout(resolve, ms));
  return false;
}
