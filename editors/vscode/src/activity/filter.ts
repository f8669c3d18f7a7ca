/** Which kinds of events the tree shows: the user's choice, kept for the workspace. */
import * as vscode from "vscode";

const KEY = "activity.eventTypes";

/** Kinds that belong together are chosen together. */
export interface EventKindGroup {
  readonly label: string;
  readonly icon: string;
  readonly types: readonly string[];
}

export class EventFilterSetting implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(private readonly kept: vscode.Memento) {}

  /** Undefined when all are shown. */
  get types(): readonly string[] | undefined {
    return this.kept.get<readonly string[]>(KEY);
  }

  async set(types: readonly string[] | undefined): Promise<void> {
    await this.kept.update(KEY, types);
    this.changed.fire();
  }

  dispose(): void {
    this.changed.dispose();
  }
}

/** The kinds to choose from; `seen` adds those that only some client knows. */
export function eventKinds(seen: Iterable<string>): readonly EventKindGroup[] {
  const known: readonly EventKindGroup[] = [
    { label: vscode.l10n.t("Commands"), icon: "terminal", types: ["shell_exec"] },
    { label: vscode.l10n.t("Errors"), icon: "bug", types: ["error"] },
    { label: vscode.l10n.t("Problems"), icon: "warning", types: ["diagnostic"] },
    { label: vscode.l10n.t("Files read"), icon: "eye", types: ["file_read", "file_focus"] },
    {
      label: vscode.l10n.t("Files changed"),
      icon: "edit",
      types: ["file_edit", "file_write", "file_rename", "file_delete", "files_changed"],
    },
    { label: vscode.l10n.t("Git"), icon: "git-commit", types: ["git_commit", "git_checkout", "git_stash", "git_rebase"] },
    { label: vscode.l10n.t("Working set"), icon: "pinned", types: ["working_set"] },
    { label: vscode.l10n.t("Notes"), icon: "note", types: ["note"] },
  ];
  const named = new Set(known.flatMap(({ types }) => types));
  const others = [...new Set(seen)].filter((type) => !named.has(type)).sort();
  return [...known, ...others.map((type) => ({ label: type, icon: "circle-small-filled", types: [type] }))];
}

/** Lets the user choose; undefined when dismissed, `types` undefined for all. */
export async function chooseEventKinds(
  shown: readonly string[] | undefined,
  seen: Iterable<string>,
): Promise<{ readonly types: readonly string[] | undefined } | undefined> {
  const kinds = eventKinds([...seen, ...(shown ?? [])]);
  const items = kinds.map(({ label, icon, types }) => ({
    label,
    types,
    iconPath: new vscode.ThemeIcon(icon),
    picked: shown === undefined || types.some((type) => shown.includes(type)),
  }));
  const picked = await vscode.window.showQuickPick(items, {
    ignoreFocusOut: true,
    title: vscode.l10n.t("Which events to show?"),
    canPickMany: true,
  });
  if (picked === undefined) {
    return undefined;
  }
  const all = picked.length === 0 || picked.length === items.length;
  return { types: all ? undefined : picked.flatMap(({ types }) => types) };
}
