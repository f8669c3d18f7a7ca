/** Events as documents: all of what a command printed, to be read and searched. */
import * as vscode from "vscode";
import { commandOf, numberOf, outputOf } from "../event-fields";
import type { ListedEvent } from "../protocol";
import { duration, fullTime } from "./times";

const SCHEME = "contextls-event";
const MOST_KEPT = 50;

export class EventDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly events = new Map<string, ListedEvent>();
  private readonly registered = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  async show(event: ListedEvent, options: vscode.TextDocumentShowOptions): Promise<void> {
    this.events.delete(event.id);
    this.events.set(event.id, event);
    for (const id of [...this.events.keys()].slice(0, -MOST_KEPT)) {
      this.events.delete(id);
    }
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${nameFor(event)}.log`, query: event.id });
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, options);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const event = this.events.get(uri.query);
    return event === undefined ? vscode.l10n.t("This event is no longer at hand; open it from the tree again.") : told(event);
  }

  dispose(): void {
    this.registered.dispose();
    this.events.clear();
  }
}

/** All of an event as text: what it was, when, how it ended, what it printed. */
export function told(event: ListedEvent): string {
  const command = event.type === "shell_exec" ? commandOf(event) : undefined;
  const code = numberOf(event, "exitCode");
  const took = numberOf(event, "durationMs");
  const ending = [
    fullTime(event.timestamp),
    ...(code === undefined ? [] : [vscode.l10n.t("exit code {0}", code)]),
    ...(took === undefined ? [] : [duration(took)]),
  ].join(" · ");
  const output = outputOf(event);
  const body = output === "" && command === undefined ? JSON.stringify(event.content, undefined, 2) : output;
  return `${command === undefined ? event.text : `$ ${command}`}\n${ending}\n\n${body.trimEnd()}\n`;
}

/** The name of a tab. */
function nameFor(event: ListedEvent): string {
  const words = (commandOf(event) ?? event.text).split(/\s+/u).slice(0, 3).join(" ");
  return words.replace(/[/\\?#:*"<>|]/gu, "_").slice(0, 40) || event.type;
}
