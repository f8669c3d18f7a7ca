/** Shows indexing as VS Code shows all work in the background: a word in the status bar that opens a button to stop it. */
import * as vscode from "vscode";
import type { ServerProgress } from "../server/client";
import type { Server } from "../server/server";

interface Shown {
  report(percent: number): void;
  end(): void;
}

/** The percentage is told by the status item; a text that changes ten times a second would only be in the way. */
export class IndexingProgress implements vscode.Disposable {
  private readonly shown = new Map<ServerProgress["token"], Shown>();
  private readonly listening: vscode.Disposable;

  constructor(private readonly server: Pick<Server, "onDidProgress" | "onDidChangeState" | "notify">) {
    this.listening = vscode.Disposable.from(
      server.onDidProgress((progress) => {
        this.take(progress);
      }),
      server.onDidChangeState(({ kind }) => {
        if (kind !== "running") {
          this.endAll();
        }
      }),
    );
  }

  dispose(): void {
    this.listening.dispose();
    this.endAll();
  }

  private take({ token, value }: ServerProgress): void {
    switch (value.kind) {
      case "begin":
        this.shown.set(token, this.show(token, value.title));
        break;
      case "report":
        this.shown.get(token)?.report(value.percentage ?? 0);
        break;
      case "end":
        this.shown.get(token)?.end();
        this.shown.delete(token);
        break;
    }
  }

  private show(token: ServerProgress["token"], title: string): Shown {
    let done = 0;
    let report: Shown["report"] = () => undefined;
    let end: Shown["end"] = () => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const options = { location: vscode.ProgressLocation.Window, title, cancellable: true };
    void vscode.window.withProgress(options, async (progress, cancellation) => {
      report = (percent) => {
        progress.report({ increment: Math.max(0, percent - done) });
        done = Math.max(done, percent);
      };
      cancellation.onCancellationRequested(() => {
        this.server.notify("window/workDoneProgress/cancel", { token });
      });
      await ended;
    });
    return {
      report: (percent) => {
        report(percent);
      },
      end,
    };
  }

  private endAll(): void {
    for (const each of this.shown.values()) {
      each.end();
    }
    this.shown.clear();
  }
}
