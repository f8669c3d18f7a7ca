/** The items of the status bar: how the index stands, and that nothing is recorded while that is so. */
import * as vscode from "vscode";
import { details } from "./details";
import type { Snapshot } from "./snapshot";
import { scopeSentences, summaryOf } from "./words";

const PRIORITY = 100;

export class StatusBar implements vscode.Disposable {
  private readonly main = vscode.window.createStatusBarItem("contextls.status", vscode.StatusBarAlignment.Right, PRIORITY);
  private readonly memory = vscode.window.createStatusBarItem(
    "contextls.memory",
    vscode.StatusBarAlignment.Right,
    PRIORITY - 1,
  );

  constructor() {
    this.main.name = vscode.l10n.t("contextls: Index and Tokens");
    this.memory.name = vscode.l10n.t("contextls: Memory");
  }

  show(snapshot: Snapshot): void {
    if (snapshot.folders.length === 0) {
      this.main.hide();
      this.memory.hide();
      return;
    }
    const { condition, icon, text, sentence, tone } = summaryOf(snapshot);
    const scope = scopeSentences(snapshot);
    this.main.text = `$(${icon}) ${text}${scope.length > 0 ? " $(filter)" : ""}`;
    this.main.tooltip = details(snapshot);
    this.main.command = condition === "setUp" ? "contextls.setUpServer" : "contextls.status";
    this.main.backgroundColor =
      tone === "plain" ? undefined : new vscode.ThemeColor(`statusBarItem.${tone}Background`);
    this.main.accessibilityInformation = { label: [text, sentence, ...scope].join(", "), role: "button" };
    this.main.show();
    this.showMemory(snapshot);
  }

  dispose(): void {
    this.main.dispose();
    this.memory.dispose();
  }

  private showMemory({ memory }: Snapshot): void {
    if (memory === "recording") {
      this.memory.hide();
      return;
    }
    const paused = memory === "paused";
    this.memory.text = paused
      ? vscode.l10n.t("$(debug-pause) memory paused")
      : vscode.l10n.t("$(shield) nothing recorded");
    this.memory.tooltip = paused
      ? vscode.l10n.t("contextls: memory is paused, nothing is recorded. Click to resume.")
      : vscode.l10n.t("contextls: the workspace is not trusted, so nothing is recorded. Click to manage trust.");
    this.memory.command = paused ? "contextls.toggleMemory" : "workbench.trust.manage";
    this.memory.accessibilityInformation = { label: this.memory.tooltip, role: "button" };
    this.memory.show();
  }
}
