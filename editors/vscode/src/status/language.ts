/** The entry among the language statuses of every file: whether prompts can draw on it, or else how the index stands. */
import * as vscode from "vscode";
import type { FileInFront } from "./file";
import { fileWords } from "./file-words";
import type { Snapshot } from "./snapshot";
import { type Condition, summaryOf } from "./words";

const EVERY_FILE: vscode.DocumentSelector = [{ scheme: "file" }];

export class LanguageStatus implements vscode.Disposable {
  private readonly item = vscode.languages.createLanguageStatusItem("contextls.index", EVERY_FILE);

  constructor() {
    this.item.name = vscode.l10n.t("contextls: Index");
  }

  show(snapshot: Snapshot, file: FileInFront | undefined): void {
    const summary = summaryOf(snapshot);
    const words = fileWords(file, summary.condition);
    this.item.text = `contextls: ${words?.name ?? nameOf(summary.condition)}`;
    this.item.detail = words?.detail ?? summary.sentence;
    this.item.busy = words === undefined && summary.busy;
    this.item.severity = {
      plain: vscode.LanguageStatusSeverity.Information,
      warning: vscode.LanguageStatusSeverity.Warning,
      error: vscode.LanguageStatusSeverity.Error,
    }[summary.tone];
    this.item.command = words?.command ?? commandFor(summary.condition);
    this.item.accessibilityInformation = { label: `${this.item.text}, ${words?.sentence ?? summary.sentence}` };
  }

  dispose(): void {
    this.item.dispose();
  }
}

function nameOf(condition: Condition): string {
  switch (condition) {
    case "setUp":
      return vscode.l10n.t("not set up");
    case "failed":
    case "broken":
      return vscode.l10n.t("failed");
    case "starting":
      return vscode.l10n.t("starting");
    case "indexing":
      return vscode.l10n.t("indexing");
    case "stale":
      return vscode.l10n.t("partly indexed");
    case "empty":
      return vscode.l10n.t("not indexed");
    case "ready":
      return vscode.l10n.t("indexed");
  }
}

function commandFor(condition: Condition): vscode.Command {
  switch (condition) {
    case "setUp":
      return { command: "contextls.setUpServer", title: vscode.l10n.t("Set Up Server") };
    case "failed":
      return { command: "contextls.restartServer", title: vscode.l10n.t("Restart Server") };
    case "indexing":
      return { command: "contextls.stopIndexing", title: vscode.l10n.t("Stop") };
    case "stale":
    case "empty":
      return { command: "contextls.updateIndex", title: vscode.l10n.t("Reindex") };
    case "starting":
    case "broken":
    case "ready":
      return { command: "contextls.status", title: vscode.l10n.t("Details") };
  }
}
