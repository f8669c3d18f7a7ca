/** Tells of what models did to the working set, and undoes it. */
import * as vscode from "vscode";
import { chosenFolder } from "./folders";
import type { AppliedUpdate, UpdateAction, WorkingSetView } from "./protocol";
import type { Services } from "./services";

const TOLD_MS = 5_000;

interface Step {
  readonly action: UpdateAction;
  readonly target: string;
  readonly priority?: number | null;
  readonly why: string;
}

/** Updates that the user confirmed in this window; nobody has to be told of them again. */
const confirmed = new Set<string>();

export function noteConfirmed(rootUri: string, id: string | null): void {
  if (id !== null) {
    confirmed.add(`${rootUri}|${id}`);
  }
}

/** One step in a sentence, with its reason. */
export function describeStep({ action, target, priority, why }: Step): string {
  switch (action) {
    case "add_to_working_set":
      return vscode.l10n.t("Add {0}: {1}", target, why);
    case "remove_from_working_set":
      return vscode.l10n.t("Remove {0}: {1}", target, why);
    case "adjust_priority":
      return vscode.l10n.t("Give {0} the priority {1}: {2}", target, String(priority ?? ""), why);
  }
}

function describe({ steps }: Pick<AppliedUpdate, "steps">): string {
  return steps.map(describeStep).join(" · ");
}

/** Looks at each working set that comes by, and tells of updates that nobody in this window asked for. */
export class WorkingSetNews {
  private readonly seen = new Map<string, number>();

  constructor(private readonly services: Services) {}

  /** The first look at a folder only remembers what is there. */
  async see(rootUri: string, view: WorkingSetView): Promise<void> {
    const before = this.seen.get(rootUri);
    const fresh = view.updates.filter((update) => before !== undefined && numberOf(update) > before);
    this.seen.set(rootUri, Math.max(before ?? 0, ...view.updates.map(numberOf)));
    const [newest] = fresh.filter(({ id }) => !confirmed.has(`${rootUri}|${id}`));
    if (newest === undefined) {
      return;
    }
    const undo = vscode.l10n.t("Undo");
    const message = vscode.l10n.t("A model updated the working set. {0}", describe(newest));
    if ((await vscode.window.showInformationMessage(message, undo)) === undo) {
      await undoUpdate(this.services, rootUri, newest.id);
    }
  }
}

/** `contextls.undoWorkingSet`: with an id that update, else the user chooses among all that can be undone. */
export async function undoChosen(services: Services, id: unknown, root: unknown): Promise<void> {
  const rootUri = typeof root === "string" ? root : (await chosenFolder())?.uri.toString();
  if (rootUri === undefined) {
    return;
  }
  const chosen = typeof id === "string" ? id : await choose(await services.requests.workingSet(rootUri));
  if (chosen !== undefined) {
    await undoUpdate(services, rootUri, chosen);
  }
}

async function choose({ updates, server }: WorkingSetView): Promise<string | undefined> {
  if (updates.length + server.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t("No model has changed the working set: nothing to undo."));
    return undefined;
  }
  const items = [
    ...updates.map((update) => ({
      id: update.id,
      label: describe(update),
      description: new Date(update.timestamp).toLocaleTimeString(),
      iconPath: new vscode.ThemeIcon("sparkle"),
    })),
    ...server.map(({ id, text, why }) => ({ id, label: text, description: why, iconPath: new vscode.ThemeIcon("server-process") })),
  ];
  const title = vscode.l10n.t("Undo what?");
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true, ignoreFocusOut: true }))?.id;
}

async function undoUpdate(services: Services, rootUri: string, id: string): Promise<void> {
  const undone = await services.requests.undoWorkingSet({ id, rootUri });
  const message =
    undone.id === null
      ? vscode.l10n.t("That was undone already.")
      : vscode.l10n.t("$(discard) Undone: {0}", undone.steps.length > 0 ? describe(undone) : undone.id);
  vscode.window.setStatusBarMessage(message, TOLD_MS);
  if (undone.kept.length > 0) {
    void vscode.window.showWarningMessage(`contextls: ${undone.kept.join(" · ")}`);
  }
}

function numberOf({ id }: AppliedUpdate): number {
  return Number(/\d+$/u.exec(id)?.[0] ?? 0);
}
