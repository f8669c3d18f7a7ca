/** How far indexing is, from the progress that the server reports of itself, and how to stop it. */
import * as vscode from "vscode";
import type { ServerProgress } from "../server/client";
import type { Server } from "../server/server";

export interface IndexingState {
  /** From 0 to 100, of the work that is least far; undefined while that is not known. */
  readonly percent: number | undefined;
  /** What is being done, in the server's words; one line for each folder. */
  readonly steps: readonly string[];
}

interface Job {
  readonly title: string;
  readonly percent: number | undefined;
  readonly message: string | undefined;
}

export class Indexing implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<IndexingState | undefined>();
  private readonly jobs = new Map<ServerProgress["token"], Job>();
  private readonly listening: vscode.Disposable;

  /** Undefined once nothing is being indexed any more. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly server: Pick<Server, "onDidProgress" | "onDidChangeState" | "notify">) {
    this.listening = vscode.Disposable.from(
      server.onDidProgress((progress) => {
        this.take(progress);
      }),
      server.onDidChangeState(({ kind }) => {
        if (kind !== "running" && this.jobs.size > 0) {
          this.jobs.clear();
          this.changed.fire(undefined);
        }
      }),
    );
  }

  get state(): IndexingState | undefined {
    if (this.jobs.size === 0) {
      return undefined;
    }
    const jobs = [...this.jobs.values()];
    const percents = jobs.map(({ percent }) => percent).filter((percent) => percent !== undefined);
    return {
      percent: percents.length === jobs.length ? Math.min(...percents) : undefined,
      steps: jobs.map(({ title, message }) => (message === undefined ? title : `${title}: ${message}`)),
    };
  }

  /** Asks the server to end all of it; what is finished is kept. */
  stop(): void {
    for (const token of this.jobs.keys()) {
      this.server.notify("window/workDoneProgress/cancel", { token });
    }
  }

  dispose(): void {
    this.listening.dispose();
    this.changed.dispose();
  }

  private take({ token, value }: ServerProgress): void {
    const known = this.jobs.get(token);
    switch (value.kind) {
      case "begin":
        this.jobs.set(token, { title: value.title, percent: value.percentage, message: value.message });
        break;
      case "report":
        if (known === undefined) {
          return;
        }
        this.jobs.set(token, {
          title: known.title,
          percent: value.percentage ?? known.percent,
          message: value.message ?? known.message,
        });
        break;
      case "end":
        this.jobs.delete(token);
        break;
    }
    this.changed.fire(this.state);
  }
}
