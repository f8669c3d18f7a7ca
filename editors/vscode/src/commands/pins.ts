/** Commands that pin and exclude files, folders and symbols, for every later prompt of the workspace. */
import * as vscode from "vscode";
import { chosenFolder, fileInEditor } from "../folders";
import type { ExcludedFile, Target, WorkingSetView } from "../protocol";
import type { Services } from "../services";
import { undoChosen, WorkingSetNews } from "../working-set-news";
import { PinKeys } from "./pin-keys";
import { registerCommand } from "./run";
import { keptTarget, nameOf, symbolTarget, targetsOf } from "./targets";

const TOLD_MS = 5_000;

export type PinChange = "pin" | "unpin" | "exclude" | "include";

export function registerPinCommands(services: Services): vscode.Disposable {
  const news = new WorkingSetNews(services);
  const keys = new PinKeys(services, (rootUri, view) => news.see(rootUri, view));
  const change = (kind: PinChange, targets: readonly Target[]): Promise<void> => apply(services, keys, kind, targets);
  const symbol = async (kind: PinChange): Promise<void> => {
    const target = await symbolTarget();
    return change(kind, target === undefined ? [] : [target]);
  };
  return vscode.Disposable.from(
    keys,
    registerCommand(services, "contextls.pin", (...args) => change("pin", targetsOf(args))),
    registerCommand(services, "contextls.exclude", (...args) => change("exclude", targetsOf(args))),
    registerCommand(services, "contextls.pinSymbol", () => symbol("pin")),
    registerCommand(services, "contextls.excludeSymbol", () => symbol("exclude")),
    registerCommand(services, "contextls.unpin", async (...args) =>
      change("unpin", args.length > 0 ? targetsOf(args) : await pickKept(services, "unpin")),
    ),
    registerCommand(services, "contextls.undoWorkingSet", (id, rootUri) => undoChosen(services, id, rootUri)),
    registerCommand(services, "contextls.include", async (...args) =>
      change("include", args.length > 0 ? targetsOf(args) : await pickKept(services, "include")),
    ),
  );
}

async function apply(services: Services, keys: PinKeys, kind: PinChange, targets: readonly Target[]): Promise<void> {
  let view: WorkingSetView | undefined;
  for (const target of targets) {
    view = await services.requests[kind](target);
    keys.update(target.rootUri, view);
  }
  const [first] = targets;
  if (first === undefined || view === undefined) {
    return;
  }
  const what = targets.length === 1 ? symbolName(first) : vscode.l10n.t("{0} items", targets.length);
  vscode.window.setStatusBarMessage(told(kind, what), TOLD_MS);
  if (view.warnings.length > 0) {
    void vscode.window.showWarningMessage(`contextls: ${view.warnings.join(" · ")}`);
  }
}

function symbolName(target: Target): string {
  return target.position === undefined ? nameOf(target) : vscode.l10n.t("the symbol in {0}", nameOf(target));
}

function told(kind: PinChange, what: string): string {
  switch (kind) {
    case "pin":
      return vscode.l10n.t("$(pinned) Pinned {0}: it comes first in every prompt", what);
    case "unpin":
      return vscode.l10n.t("$(pin) Unpinned {0}", what);
    case "exclude":
      return vscode.l10n.t("$(eye-closed) Excluded {0}: it stays out of every prompt", what);
    case "include":
      return vscode.l10n.t("$(eye) {0} is no longer excluded", what);
  }
}

/** Lets the user choose among what is pinned or excluded; what belongs to the file in front is chosen already. */
async function pickKept(services: Services, kind: "unpin" | "include"): Promise<readonly Target[]> {
  const folder = await chosenFolder();
  if (folder === undefined) {
    return [];
  }
  const rootUri = folder.uri.toString();
  const view = await services.requests.workingSet(rootUri);
  const kept: readonly ExcludedFile[] = kind === "unpin" ? view.files : view.excluded;
  if (kept.length === 0) {
    const nothing = kind === "unpin" ? vscode.l10n.t("Nothing is pinned.") : vscode.l10n.t("Nothing is excluded.");
    void vscode.window.showInformationMessage(nothing);
    return [];
  }
  const active = fileInEditor();
  const inFront = active === undefined ? undefined : vscode.workspace.asRelativePath(active, false);
  const items = kept.map((each) => ({
    label: each.symbol ?? each.target,
    description: each.symbol === null ? "" : each.path,
    iconPath: new vscode.ThemeIcon(each.symbol !== null ? "symbol-method" : each.folder ? "folder" : "file"),
    picked: each.path === inFront,
    target: keptTarget(each, rootUri),
  }));
  const title = kind === "unpin" ? vscode.l10n.t("Unpin what?") : vscode.l10n.t("Stop excluding what?");
  const picked = await vscode.window.showQuickPick(items, { title, canPickMany: true, matchOnDescription: true, ignoreFocusOut: true });
  return (picked ?? []).map(({ target }) => target);
}
