/** Keeps what the server says of the file in front: asked again whenever the file, the index or the working set changes. */
import * as vscode from "vscode";
import { fileInEditor } from "../folders";
import type { ExcludedFile, FileStatus, Target } from "../protocol";
import { ServerOutdatedError } from "../server/launch";
import { asError, type Server } from "../server/server";
import type { Services } from "../services";

/** Not among those that a server must have: where it lacks this one, the state of the index is told as ever. */
const FILE_STATUS = "context/fileStatus";
const PAUSE_MS = 200;

/** A file in an open folder, with what the server says of it. */
export interface FileInside {
  readonly kind: "inside";
  readonly rootUri: string;
  readonly status: FileStatus;
  /** What to include again, where the working set excludes the file. */
  readonly exclusion: Target | undefined;
}

export type FileInFront = FileInside | { readonly kind: "outside" };

/** What the file in front needs of the services. */
export interface FileServices extends Pick<Services, "onDidChangeMemory" | "requests"> {
  readonly log: Pick<vscode.LogOutputChannel, "debug">;
  readonly server: Pick<Server, "state" | "onDidChangeState" | "request">;
}

export class FrontFile implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<FileInFront | undefined>();
  private readonly listening: vscode.Disposable;
  private known: FileInFront | undefined;
  private timer: NodeJS.Timeout | undefined;
  private asking = false;
  private askAgain = false;

  /** Undefined where nothing is known: no file on disk in front, no trust, no server that could tell. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly services: FileServices) {
    const again = (): void => {
      this.ask();
    };
    const refresh = (): void => {
      this.tell(undefined);
      this.ask();
    };
    this.listening = vscode.Disposable.from(
      vscode.window.onDidChangeActiveTextEditor(refresh),
      vscode.workspace.onDidChangeWorkspaceFolders(refresh),
      vscode.workspace.onDidGrantWorkspaceTrust(again),
      services.server.onDidChangeState(refresh),
      services.onDidChangeMemory(({ changed }) => {
        if (changed.includes("index") || changed.includes("workingSet")) {
          this.ask();
        }
      }),
    );
    this.ask();
  }

  get current(): FileInFront | undefined {
    return this.known;
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.listening.dispose();
    this.changed.dispose();
  }

  private ask(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.read();
    }, PAUSE_MS);
  }

  /** One question at a time; an answer about a file that is no longer in front is dropped. */
  private async read(): Promise<void> {
    if (this.asking) {
      this.askAgain = true;
      return;
    }
    const uri = this.services.server.state.kind === "running" ? fileInFront() : undefined;
    this.asking = true;
    const found = uri === undefined ? undefined : await this.look(uri);
    this.asking = false;
    const isStill = uri?.toString() === fileInFront()?.toString() && this.services.server.state.kind === "running";
    this.tell(isStill ? found : undefined);
    if (this.askAgain || (uri !== undefined && !isStill)) {
      this.askAgain = false;
      this.ask();
    }
  }

  private async look(uri: vscode.Uri): Promise<FileInFront | undefined> {
    const rootUri = vscode.workspace.getWorkspaceFolder(uri)?.uri.toString();
    if (rootUri === undefined) {
      return { kind: "outside" };
    }
    const { log, requests, server } = this.services;
    try {
      const params = { textDocument: { uri: uri.toString() }, rootUri };
      const status = await server.request<FileStatus>(FILE_STATUS, params);
      const excluded = status.state === "excluded" ? (await requests.workingSet(rootUri)).excluded : [];
      const target = excluded.find((each) => hides(each, status.path));
      return { kind: "inside", rootUri, status, exclusion: target && { path: target.path, rootUri } };
    } catch (error) {
      if (!(error instanceof ServerOutdatedError)) {
        log.debug(`${FILE_STATUS}: ${asError(error).message}`);
      }
      return undefined;
    }
  }

  private tell(found: FileInFront | undefined): void {
    if (found !== this.known) {
      this.known = found;
      this.changed.fire(found);
    }
  }
}

/** Only files on a disk that may be looked at. */
function fileInFront(): vscode.Uri | undefined {
  const uri = fileInEditor();
  return uri?.scheme === "file" && vscode.workspace.isTrusted ? uri : undefined;
}

function hides({ path, symbol }: ExcludedFile, file: string): boolean {
  return symbol === null && (path === file || file.startsWith(`${path}/`));
}
