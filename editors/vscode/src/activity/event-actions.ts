/** Actions on events, patterns and their files. */
import * as vscode from "vscode";
import { copy } from "../commands/deliver";
import { commandOf } from "../event-fields";
import { questionForEvent } from "../event-question";
import type { Services } from "../services";
import { type ActivityNode, isA, type NodeOf } from "./node";
import { placeOf } from "./open";
import type { ActivityProvider } from "./provider";

const TOLD_MS = 5_000;

export class EventActions implements vscode.Disposable {
  /** A line typed into what runs there would be its input, not a command. */
  private readonly busy = new Set<vscode.Terminal>();
  private readonly listening = vscode.Disposable.from(
    vscode.window.onDidStartTerminalShellExecution(({ terminal }) => this.busy.add(terminal)),
    vscode.window.onDidEndTerminalShellExecution(({ terminal }) => this.busy.delete(terminal)),
    vscode.window.onDidCloseTerminal((terminal) => this.busy.delete(terminal)),
  );

  constructor(
    private readonly services: Services,
    private readonly provider: ActivityProvider,
  ) {}

  dispose(): void {
    this.listening.dispose();
  }

  async copyContext(node: ActivityNode): Promise<void> {
    if (isA(node, "event")) {
      await copy(this.services, questionForEvent(node.rootUri, node.subject.event));
    } else if (isA(node, "task")) {
      await copy(this.services, { query: node.subject.task.goal, rootUri: node.rootUri });
    }
  }

  async copyCommand(node: ActivityNode): Promise<void> {
    const command = await this.commandIn(node);
    if (command !== undefined) {
      await vscode.env.clipboard.writeText(command);
      vscode.window.setStatusBarMessage(vscode.l10n.t("$(check) Command copied"), TOLD_MS);
    }
  }

  /** Puts the command behind the prompt of a terminal; whether it runs is the user's decision. */
  async insertCommand(node: ActivityNode): Promise<void> {
    const command = await this.commandIn(node);
    if (command === undefined) {
      return;
    }
    const folder = vscode.Uri.parse(node.rootUri);
    const terminal = this.idleTerminal() ?? vscode.window.createTerminal({ cwd: folder });
    terminal.show();
    // One line only: a line break would run what stands before it.
    terminal.sendText(command.trim().replace(/\s*\r?\n\s*/gu, " "), false);
  }

  async copyText(nodes: readonly ActivityNode[]): Promise<void> {
    const lines = nodes.map((node) => {
      if (isA(node, "event")) {
        return node.subject.event.type === "shell_exec" ? node.label : node.subject.event.text;
      }
      return placeOf(node)?.path ?? node.label;
    });
    await vscode.env.clipboard.writeText(lines.join("\n"));
  }

  async judge(node: NodeOf<"pattern">, helpful: boolean): Promise<void> {
    await this.services.requests.feedback(node.subject.pattern.id, helpful, undefined, node.rootUri);
    const told = helpful
      ? vscode.l10n.t("$(thumbsup) Noted: this pattern helps")
      : vscode.l10n.t("$(thumbsdown) Noted: this pattern does not help");
    vscode.window.setStatusBarMessage(told, TOLD_MS);
    this.provider.touch(node.rootUri, ["patterns"], 0);
  }

  /** The terminal in front, if it is a shell that waits for a command. */
  private idleTerminal(): vscode.Terminal | undefined {
    const terminal = vscode.window.activeTerminal;
    const waits = terminal?.shellIntegration !== undefined && !this.busy.has(terminal);
    return waits ? terminal : undefined;
  }

  private async commandIn(node: ActivityNode): Promise<string | undefined> {
    if (isA(node, "event")) {
      return commandOf(node.subject.event);
    }
    if (!isA(node, "pattern")) {
      return undefined;
    }
    const { commands } = node.subject.pattern;
    return commands.length > 1
      ? vscode.window.showQuickPick([...commands], { title: vscode.l10n.t("Which command?"), ignoreFocusOut: true })
      : commands[0];
  }
}
