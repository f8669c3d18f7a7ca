/** One life of the server: a process, the client that talks to it, and the requests that wait for it. */
import * as vscode from "vscode";
import { State } from "vscode-languageclient/node";
import { type ClientHooks, createClient } from "./client";
import { type Launch, ServerGoneError, ServerMissingError } from "./launch";
import { infoIn, type ServerInfo } from "./needs";
import { type Ending, ServerProcess } from "./process";

const ANSWER_MS = 60_000; // a cold disk and a scanner that reads every file first are slow, not dead
const STOP_MS = 2_000;
const NOTICE_MS = 500;
/** Codes of vscode-jsonrpc for a connection that cannot be written to, read from, or is gone. */
const CONNECTION_GONE: ReadonlySet<number> = new Set([-32_099, -32_098, -32_097, -32_096]);

export class Session {
  private readonly process: ServerProcess;
  private readonly client: ReturnType<typeof createClient>;
  private readonly waiting = new Set<(error: Error) => void>();
  private ending: Ending | undefined;
  private known: ServerInfo = { version: "", methods: undefined };

  constructor(
    readonly launch: Launch,
    log: vscode.LogOutputChannel,
    hooks: Omit<ClientHooks, "closed">,
    handlers: ReadonlyMap<string, (params: unknown) => void>,
  ) {
    this.process = new ServerProcess(launch, log);
    const closed = (): void => {
      void this.process.end(STOP_MS);
    };
    this.client = createClient(this.process, log, { ...hooks, closed });
    for (const [method, handler] of handlers) {
      this.client.onNotification(method, handler);
    }
    void this.process.ended.then((ending) => {
      this.ending = ending;
      for (const reject of this.waiting) {
        reject(new ServerGoneError(ending.reason));
      }
      this.waiting.clear();
    });
  }

  get info(): ServerInfo {
    return this.known;
  }

  get pid(): number | undefined {
    return this.process.pid;
  }

  /** Resolves when the process is gone, for whatever reason. */
  get ended(): Promise<Ending> {
    return this.process.ended;
  }

  /** Rejects with `ServerMissingError` when it is no server of ours, with `ServerGoneError` when it ended. */
  async start(): Promise<void> {
    const timer = setTimeout(() => {
      void this.process.end(0);
    }, ANSWER_MS);
    try {
      if (!(await this.process.spawned)) {
        throw notStartable(this.launch, (await this.ended).reason);
      }
      await this.orGone(this.client.start());
      if (this.client.state !== State.Running) {
        throw new ServerGoneError((await this.ended).reason); // the client says nothing when it is cut off meanwhile
      }
    } finally {
      clearTimeout(timer);
    }
    this.known = infoIn(this.client.initializeResult);
    if (this.known.methods === undefined) {
      throw new ServerMissingError(
        vscode.l10n.t("“{0}” is a language server, but not that of contextls.", this.launch.command),
        "choosePath",
      );
    }
  }

  /** Rejects with `ServerGoneError` when the server goes down before it answers. */
  async request<R>(method: string, params: object, token?: vscode.CancellationToken): Promise<R> {
    // An argument that is undefined would count as a second parameter of the request.
    const cancellable = token === undefined ? [] : [token];
    return this.orGone(this.client.sendRequest<R>(method, params, ...cancellable));
  }

  async notify(method: string, params: object): Promise<void> {
    if (this.client.state === State.Running) {
      await this.client.sendNotification(method, params);
    }
  }

  onNotification(method: string, handler: (params: unknown) => void): void {
    this.client.onNotification(method, handler);
  }

  /** Lets go of the client and ends the process. Never rejects. */
  async stop(): Promise<void> {
    if (this.ending !== undefined) {
      await this.noticed();
    }
    try {
      await this.client.dispose(STOP_MS);
    } catch {
      // a client that never ran, or whose process is gone, has nothing to let go of
    }
    await this.process.end(STOP_MS);
  }

  /** Waits until the client has noticed that its process is gone: it would write to it once more. */
  private noticed(): Promise<void> {
    return new Promise((resolve) => {
      setTimeout(resolve, NOTICE_MS);
      this.client.onDidChangeState(({ newState }) => {
        if (newState === State.Stopped) {
          resolve();
        }
      });
      if (this.client.state === State.Stopped) {
        resolve();
      }
    });
  }

  private async orGone<R>(work: Promise<R>): Promise<R> {
    return new Promise((resolve, reject) => {
      if (this.ending !== undefined) {
        reject(new ServerGoneError(this.ending.reason));
      } else {
        this.waiting.add(reject);
      }
      work.then(
        (answer) => {
          this.waiting.delete(reject);
          resolve(answer);
        },
        (error: unknown) => {
          if (isConnectionGone(error)) {
            void this.process.end(STOP_MS); // its end rejects all that wait, with its last words
            return;
          }
          this.waiting.delete(reject);
          reject(asError(error));
        },
      );
    });
  }
}

function notStartable(launch: Launch, reason: string): ServerMissingError {
  const message = vscode.l10n.t("“{0}” could not be started: {1}", launch.command, reason);
  return new ServerMissingError(message, launch.origin === "setting" ? "choosePath" : "setUp");
}

function isConnectionGone(error: unknown): error is Error {
  return error instanceof Error && "code" in error && CONNECTION_GONE.has(error.code as number);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
