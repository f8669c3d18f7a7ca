/** What the changes of a branch are counted from: a branch that the user picks, the likely one first. */
import * as vscode from "vscode";
import { gitApi, type GitRepository } from "../events/git-api";

/** Where work is merged to, by custom. */
const TRUNKS = ["main", "master", "trunk", "develop"];

/** The branch, tag or commit that was chosen; undefined when the question is dismissed. Nothing of it is kept. */
export async function chosenBase(folder: vscode.WorkspaceFolder): Promise<string | undefined> {
  const git = await gitApi(vscode.extensions.getExtension("vscode.git"));
  const repository = git?.getRepository(folder.uri);
  const names = repository === undefined || repository === null ? [] : await branchesOf(repository);
  if (names.length === 0) {
    return typedBase();
  }
  const another = vscode.l10n.t("Another Branch, Tag or Commit…");
  const items: vscode.QuickPickItem[] = [
    ...names.map((name) => ({ label: name, iconPath: new vscode.ThemeIcon("git-branch") })),
    { label: another, iconPath: new vscode.ThemeIcon("edit"), alwaysShow: true },
  ];
  const title = vscode.l10n.t("Review the Changes of This Branch");
  const placeHolder = vscode.l10n.t("Everything since this branch left …");
  const chosen = await vscode.window.showQuickPick(items, { title, placeHolder });
  return chosen?.label === another ? typedBase() : chosen?.label;
}

async function branchesOf(repository: GitRepository): Promise<string[]> {
  const branches = await repository.getBranches({ remote: true, sort: "committerdate" });
  const { HEAD } = repository.state;
  const upstream = HEAD?.upstream === undefined ? undefined : `${HEAD.upstream.remote}/${HEAD.upstream.name}`;
  const names = branches.flatMap(({ name }) => (name === undefined ? [] : [name]));
  return orderBases(names, HEAD?.name, upstream);
}

/** All branches that can be a base: where work is merged to, then what was pushed of this branch, then as they come. */
export function orderBases(names: readonly string[], current?: string, upstream?: string): string[] {
  const others = names.filter((name) => name !== current && !name.endsWith("/HEAD"));
  const local = TRUNKS.filter((name) => others.includes(name));
  const remote = others.filter((name) => TRUNKS.some((trunk) => name.endsWith(`/${trunk}`)));
  const pushed = others.filter((name) => name === upstream);
  const first = current !== undefined && TRUNKS.includes(current) ? [...pushed, ...local] : [...local, ...remote, ...pushed];
  return [...new Set([...first, ...others])];
}

async function typedBase(): Promise<string | undefined> {
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t("Review the Changes of This Branch"),
    prompt: vscode.l10n.t("A branch, a tag or a commit: everything since this branch left it is reviewed."),
    placeHolder: TRUNKS[0] ?? "",
  });
  return typed?.trim() === "" ? undefined : typed?.trim();
}
