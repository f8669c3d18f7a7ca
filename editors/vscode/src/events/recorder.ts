/**
 * The one way from this editor into the server's memory: events are sent in the order in which they happened. One that
 * was not answered because the server went down is sent again under the same key, so that it is stored once. While the
 * server is away they wait, the newest `MOST_WAITING` of them. What may be recorded at all the server decides as well
 * (ignored files, its own settings); here is turned away what it cannot know: workspaces that are not trusted, kinds
 * that were switched off, and what is in no workspace folder.
 */
import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import type { NotRecorded, Recorded, RecordParams } from "../protocol";
import { ServerGoneError } from "../server/launch";
import { asError } from "../server/server";
import type { Services } from "../services";
import { type EventKind, recordsEvents } from "../settings";

const MOST_WAITING = 500;
/** An event with which the server went down that often is not sent again: it may be the reason. */
const MOST_ATTEMPTS = 3;
const NOT_RECORDED: NotRecorded = { id: null, reason: "switched off" };

interface Waiting {
  readonly event: RecordParams;
  attempts: number;
  answer(recorded: Recorded | NotRecorded): void;
}

export class Recorder implements vscode.Disposable {
  private readonly waiting: Waiting[] = [];
  private readonly watch: vscode.Disposable;
  private sending = false;
  private dropped = 0;

  constructor(private readonly services: Services) {
    this.watch = services.server.onDidChangeState((state) => {
      if (state.kind === "running") {
        void this.send();
      }
    });
  }

  /** Whether events of this kind may be recorded now in `folder`. */
  wants(kind: EventKind, folder: vscode.WorkspaceFolder): boolean {
    return this.services.memory.records && recordsEvents(kind, folder.uri);
  }

  /** Records what just happened in `folder`; never rejects. The answer says what became of it. */
  record(kind: EventKind, folder: vscode.WorkspaceFolder, event: RecordParams): Promise<Recorded | NotRecorded> {
    if (!this.wants(kind, folder)) {
      return Promise.resolve(NOT_RECORDED);
    }
    const told: RecordParams = { key: randomUUID(), timestamp: Date.now(), ...event, rootUri: folder.uri.toString() };
    return new Promise((resolve) => {
      this.waiting.push({ event: told, attempts: 0, answer: resolve });
      while (this.waiting.length > MOST_WAITING) {
        this.waiting.shift()?.answer({ id: null, reason: "too many" });
        this.dropped += 1;
      }
      void this.send();
    });
  }

  dispose(): void {
    this.watch.dispose();
    for (const each of this.waiting.splice(0)) {
      each.answer({ id: null, reason: "closed" });
    }
  }

  private async send(): Promise<void> {
    if (this.sending) {
      return;
    }
    this.sending = true;
    try {
      for (let next = this.next(); next !== undefined; next = this.next()) {
        const answer = await this.delivered(next);
        if (answer === undefined) {
          continue; // the server went down: the event stays first in the row
        }
        if (this.waiting[0] === next) {
          this.waiting.shift();
        }
        next.answer(answer);
      }
    } finally {
      this.sending = false;
    }
  }

  private next(): Waiting | undefined {
    if (this.services.server.state.kind !== "running") {
      return undefined;
    }
    if (this.dropped > 0) {
      this.services.log.warn(`${this.dropped} events were lost while the server was away`);
      this.dropped = 0;
    }
    return this.waiting[0];
  }

  /** What the server answered; undefined when it went away before it could. */
  private async delivered(waiting: Waiting): Promise<Recorded | NotRecorded | undefined> {
    waiting.attempts += 1;
    try {
      return await this.services.requests.record(waiting.event);
    } catch (error) {
      if (error instanceof ServerGoneError && waiting.attempts < MOST_ATTEMPTS) {
        return undefined;
      }
      const { message } = asError(error);
      this.services.log.warn(`${waiting.event.type} was not recorded: ${message}`);
      return { id: null, reason: message };
    }
  }
}

/** The workspace folder on disk that holds `uri`; undefined for anything else. */
export function folderOnDisk(uri: vscode.Uri | undefined): vscode.WorkspaceFolder | undefined {
  return uri?.scheme === "file" ? vscode.workspace.getWorkspaceFolder(uri) : undefined;
}

/** The only workspace folder, where there is no choice. */
export function onlyFolder(): vscode.WorkspaceFolder | undefined {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.length === 1 && folders[0]?.uri.scheme === "file" ? folders[0] : undefined;
}
