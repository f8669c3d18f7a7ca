/** The command that limits questions to folders and packages of a workspace folder. */
import * as vscode from "vscode";
import { chosenFolder } from "../folders";
import type { ScopeFolder, ScopeView } from "../protocol";
import type { Services } from "../services";
import { registerCommand } from "./run";

const TOLD_MS = 5_000;

interface ScopeItem extends vscode.QuickPickItem {
  readonly path: string;
}

export function registerScopeCommand(services: Services): vscode.Disposable {
  return registerCommand(services, "contextls.setScope", (given) => setScope(services, given));
}

/** `given` are the folders or packages where a key binding or another extension names them. */
async function setScope(services: Services, given: unknown): Promise<void> {
  const folder = await chosenFolder();
  if (folder === undefined) {
    return;
  }
  const rootUri = folder.uri.toString();
  const scope = isList(given) ? given : await pickScope(services, folder.name, rootUri);
  if (scope !== undefined) {
    const saved = await services.requests.saveScope(scope, rootUri);
    vscode.window.setStatusBarMessage(toldOf(saved, folder.name), TOLD_MS);
  }
}

async function pickScope(services: Services, name: string, rootUri: string): Promise<readonly string[] | undefined> {
  const picked = await vscode.window.showQuickPick(scopeItems(await services.requests.scope(rootUri)), {
    title: vscode.l10n.t("Limit Questions About {0} To", name),
    placeHolder: vscode.l10n.t("Folders and packages; none for the whole folder"),
    canPickMany: true,
    matchOnDescription: true,
  });
  return picked?.map(({ path }) => path);
}

function isList(given: unknown): given is readonly string[] {
  return Array.isArray(given) && given.every((each) => typeof each === "string");
}

/** What is limited to already comes first, and is picked. */
export function scopeItems({ folders, choices }: ScopeView): ScopeItem[] {
  const saved = new Set(folders.map(({ path }) => path));
  const others = choices.filter(({ path }) => !saved.has(path));
  return [...folders.map((each) => item(each, true)), ...others.map((each) => item(each, false))];
}

function item({ path, files, package: name }: ScopeFolder, picked: boolean): ScopeItem {
  const count = vscode.l10n.t("{0} files", files.toLocaleString(vscode.env.language));
  const [label, icon] = name === "" ? [path, "folder"] : [name, "package"];
  const description = name === "" ? count : `${path} · ${count}`;
  return { label, description, iconPath: new vscode.ThemeIcon(icon), picked, path };
}

function toldOf({ folders }: ScopeView, name: string): string {
  return folders.length === 0
    ? vscode.l10n.t("$(filter) Questions are about all of {0}", name)
    : vscode.l10n.t("$(filter) Questions are limited to {0}", folders.map(({ path }) => path).join(", "));
}
