/** Actions on the working set. */
import * as vscode from "vscode";
import type { PinChange } from "../commands/pins";
import { keptTarget } from "../commands/targets";
import { moved } from "../pin-priority";
import { optional } from "../optional";
import type { Pin, PinnedFile, Target, UpdateStep } from "../protocol";
import type { Services } from "../services";
import { type ActivityNode, isA, type NodeOf } from "./node";
import { placeOf } from "./open";
import type { ActivityProvider } from "./provider";
import { roleName, targetName, truncationName } from "./working-set-nodes";

const ROLES = ["context", "user", "developer", "system"] as const;
const TRUNCATIONS = ["middle", "end", "start", "never"] as const;

export class PinActions {
  /** The move before: a key that is pressed twice moves twice. */
  private moving: Promise<void> = Promise.resolve();

  constructor(
    private readonly services: Services,
    private readonly provider: ActivityProvider,
  ) {}

  /** The command of the same name does the rest, menus of other views included. */
  async change(change: PinChange, nodes: readonly ActivityNode[]): Promise<void> {
    for (const node of nodes) {
      const target = targetOf(node);
      if (target !== undefined) {
        await vscode.commands.executeCommand(`contextls.${change}`, target);
        this.refresh(node);
      }
    }
  }

  /** Changes places with the pin above (`by` -1) or below (1). */
  async move(node: NodeOf<"pin">, by: -1 | 1): Promise<void> {
    const before = this.moving.catch(() => undefined);
    this.moving = before.then(() => this.moveNow(node, by));
    await this.moving;
  }

  private async moveNow(node: NodeOf<"pin">, by: -1 | 1): Promise<void> {
    const { files } = await this.services.requests.workingSet(node.rootUri);
    for (const { pin, priority } of moved(files, node.subject.pin, by)) {
      await this.set(node, pin, { priority });
    }
  }

  /** Takes back what a model did to a pin, or has the server leave something alone. */
  async undo(node: ActivityNode): Promise<void> {
    const { updates } = await this.services.requests.workingSet(node.rootUri);
    const id = isA(node, "serverEntry")
      ? node.subject.entry.id
      : isA(node, "pin")
        ? updates.find(({ steps }) => steps.some((step) => isOf(step, node.subject.pin)))?.id
        : undefined;
    await vscode.commands.executeCommand("contextls.undoWorkingSet", id, node.rootUri);
    this.refresh(node);
  }

  async askPriority(node: NodeOf<"pin">): Promise<void> {
    const given = await vscode.window.showInputBox({
      title: vscode.l10n.t("Priority of {0}", targetName(node.subject.pin)),
      prompt: vscode.l10n.t("From 0 to 1. The highest comes first and is the last to be cut."),
      value: String(node.subject.pin.priority),
      ignoreFocusOut: true,
      validateInput: (text) => (readPriority(text) === undefined ? vscode.l10n.t("A number from 0 to 1") : undefined),
    });
    const priority = given === undefined ? undefined : readPriority(given);
    if (priority !== undefined) {
      await this.set(node, node.subject.pin, { priority });
    }
  }

  async askRole(node: NodeOf<"pin">): Promise<void> {
    const { pin } = node.subject;
    const title = vscode.l10n.t("Role of {0}", targetName(pin));
    const role = await pick(title, ROLES, pin.role, roleName, roleHelp);
    if (role !== undefined) {
      await this.set(node, pin, { role });
    }
  }

  async askTruncation(node: NodeOf<"pin">): Promise<void> {
    const { pin } = node.subject;
    const title = vscode.l10n.t("When there is too little room for {0}", targetName(pin));
    const truncateStrategy = await pick(title, TRUNCATIONS, pin.truncateStrategy, truncationName, truncationHelp);
    if (truncateStrategy !== undefined) {
      await this.set(node, pin, { truncateStrategy });
    }
  }

  private async set(node: ActivityNode, pin: PinnedFile, change: Omit<Pin, keyof Target>): Promise<void> {
    await this.services.requests.pin({ ...keptTarget(pin, node.rootUri), ...change });
    this.refresh(node);
  }

  private refresh({ rootUri }: ActivityNode): void {
    this.provider.touch(rootUri, ["workingSet"], 0);
  }
}

function isOf(step: UpdateStep, pin: PinnedFile): boolean {
  return step.target.replace(/\/$/u, "") === targetName(pin);
}

/** What the working set would call the thing that a row is about. */
export function targetOf(node: ActivityNode): Target | undefined {
  if (isA(node, "pin")) {
    return keptTarget(node.subject.pin, node.rootUri);
  }
  const place = placeOf(node);
  if (place === undefined) {
    return undefined;
  }
  const symbol = isA(node, "excluded") ? place.symbol : undefined;
  return { path: place.path, rootUri: node.rootUri, ...optional({ symbol }) };
}

/**
 * Lets the user choose one of `values`; the current one is marked. Stays when the focus goes: a tree that is drawn again
 * takes it back.
 */
async function pick<T extends string>(
  title: string,
  values: readonly T[],
  current: string,
  nameOf: (value: T) => string,
  helpOf: (value: T) => string,
): Promise<T | undefined> {
  const items = values.map((value) => ({
    label: nameOf(value),
    description: helpOf(value),
    value,
    iconPath: new vscode.ThemeIcon(value === current ? "check" : "blank"),
  }));
  return (await vscode.window.showQuickPick(items, { title, ignoreFocusOut: true }))?.value;
}

function readPriority(text: string): number | undefined {
  const value = Number(text.trim().replace(",", "."));
  return text.trim() !== "" && value >= 0 && value <= 1 ? value : undefined;
}

function roleHelp(role: (typeof ROLES)[number]): string {
  switch (role) {
    case "context":
      return vscode.l10n.t("material to work with");
    case "user":
      return vscode.l10n.t("said by the user");
    case "developer":
      return vscode.l10n.t("instructions of the developer");
    case "system":
      return vscode.l10n.t("rules that always hold");
  }
}

function truncationHelp(strategy: (typeof TRUNCATIONS)[number]): string {
  switch (strategy) {
    case "middle":
      return vscode.l10n.t("good for code");
    case "end":
      return vscode.l10n.t("good for what is read from the top");
    case "start":
      return vscode.l10n.t("good for logs, whose end counts");
    case "never":
      return vscode.l10n.t("good for rules that must be complete");
  }
}
