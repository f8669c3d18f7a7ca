/** Keeps the newest snapshot: asks the server whenever something about the index may have changed. */
import * as vscode from "vscode";
import { diskFolders } from "../folders";
import { asError, type Server } from "../server/server";
import type { Services } from "../services";
import type { Indexing } from "./indexing";
import type { FolderStatus, Snapshot } from "./snapshot";

const PAUSE_MS = 300;

/** What the status needs of the services. */
export interface StatusServices extends Pick<Services, "contexts" | "memory" | "onDidChangeMemory" | "requests"> {
  readonly server: Pick<Server, "state" | "onDidChangeState">;
}

export class Truth implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<Snapshot>();
  private readonly listening: vscode.Disposable;
  private folders: readonly FolderStatus[] = [];
  private timer: NodeJS.Timeout | undefined;
  private asking = false;
  private askAgain = false;

  readonly onDidChange = this.changed.event;

  constructor(
    private readonly services: StatusServices,
    private readonly indexing: Indexing,
  ) {
    const { contexts, memory, onDidChangeMemory, server } = services;
    const tell = (): void => {
      this.changed.fire(this.snapshot);
    };
    this.folders = unknownFolders();
    this.listening = vscode.Disposable.from(
      memory.onDidChange(tell),
      contexts.onDidAssemble(tell),
      indexing.onDidChange((state) => {
        tell();
        if (state === undefined) {
          this.ask(0);
        }
      }),
      onDidChangeMemory(({ changed }) => {
        if (changed.some((part) => part === "index" || part === "events" || part === "scope")) {
          this.ask(PAUSE_MS);
        }
      }),
      server.onDidChangeState(({ kind }) => {
        if (kind === "running") {
          this.ask(0);
        }
        tell();
      }),
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        this.folders = unknownFolders();
        this.ask(0);
        tell();
      }),
    );
    this.ask(0);
  }

  get snapshot(): Snapshot {
    const { contexts, memory, server } = this.services;
    const { last } = contexts;
    return {
      server: server.state,
      memory: memory.state,
      folders: this.folders,
      indexing: this.indexing.state,
      last: last && { tokens: last.tokenCount, exact: last.report.tokenizerExact, query: last.metadata.query },
    };
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.listening.dispose();
    this.changed.dispose();
  }

  private ask(pause: number): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.read();
    }, pause);
  }

  /** One question at a time: while the server is busy, they would only pile up. */
  private async read(): Promise<void> {
    if (this.asking) {
      this.askAgain = true;
      return;
    }
    if (this.services.server.state.kind !== "running") {
      return;
    }
    this.asking = true;
    this.folders = await Promise.all(diskFolders().map(async (folder) => this.statusOf(folder)));
    this.asking = false;
    this.changed.fire(this.snapshot);
    if (this.askAgain) {
      this.askAgain = false;
      this.ask(PAUSE_MS);
    }
  }

  private async statusOf({ name, uri }: vscode.WorkspaceFolder): Promise<FolderStatus> {
    try {
      return { name, status: await this.services.requests.status(uri.toString()), problem: undefined };
    } catch (error) {
      return { name, status: undefined, problem: asError(error).message };
    }
  }
}

function unknownFolders(): readonly FolderStatus[] {
  return diskFolders().map(({ name }) => ({ name, status: undefined, problem: undefined }));
}
