/** The command that says in full why a file is not in prompts, with a button for what people can do about it. */
import * as vscode from "vscode";
import { registerCommand } from "../commands/run";
import type { Services } from "../services";
import { EXPLAIN_FILE, type Explained } from "./file-words";

const IGNORE_FILE = ".contextlsignore";
/** Reasons that a line in the ignore file takes back, and those that a setting does. */
const BY_LINE: ReadonlySet<string | null> = new Set(["gitignore", "noise"]);
const BY_SETTING: ReadonlySet<string | null> = new Set(["settings", "size", "generated", "minified"]);

export function registerExplaining(services: Services): vscode.Disposable {
  return registerCommand(services, EXPLAIN_FILE, (explained) => explain(explained as Explained));
}

/** Always with a button: a message without one is cut to a line. */
async function explain({ sentence, reason, rootUri }: Explained): Promise<void> {
  const title = BY_LINE.has(reason)
    ? vscode.l10n.t("Open {0}", IGNORE_FILE)
    : BY_SETTING.has(reason)
      ? vscode.l10n.t("Open Settings")
      : vscode.l10n.t("Details");
  if ((await vscode.window.showInformationMessage(`contextls: ${sentence}`, title)) !== title) {
    return;
  }
  if (BY_LINE.has(reason)) {
    await openIgnoreFile(vscode.Uri.parse(rootUri));
  } else if (BY_SETTING.has(reason)) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "@ext:contextls.contextls");
  } else {
    await vscode.commands.executeCommand("contextls.status");
  }
}

/** One that does not exist yet is made when it is saved. */
async function openIgnoreFile(root: vscode.Uri): Promise<void> {
  const uri = vscode.Uri.joinPath(root, IGNORE_FILE);
  const document = await vscode.workspace.fs.stat(uri).then(
    () => vscode.workspace.openTextDocument(uri),
    () => vscode.workspace.openTextDocument(uri.with({ scheme: "untitled" })),
  );
  await vscode.window.showTextDocument(document, { preview: false });
}
