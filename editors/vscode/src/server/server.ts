/** The server process as the rest of the extension sees it: one thing that is there, comes back, or says why not. */
import * as vscode from "vscode";
import { type LanguageClient, State } from "vscode-languageclient/node";
import type { Memory } from "../memory";
import type { AssembledContext, Sender } from "../protocol";
import { SECTION, serverSettings, settingsForServer } from "../settings";
import { Backoff } from "./backoff";
import { createClient, type ServerProgress } from "./client";
import { findServer } from "./find";
import type { Launch } from "./launch";

export type ServerState =
  | { readonly kind: "stopped" }
  | { readonly kind: "starting" }
  | { readonly kind: "running"; readonly version: string }
  | { readonly kind: "waiting"; readonly ms: number }
  | { readonly kind: "failed"; readonly error: Error };

/** These only read: asked again after a crash, they do no harm. */
const READING = /^context\/(assemble|search|events|entities|graph|patterns|status|archetypes|countTokens|compress|task\/(list|path|peek)|workingSet\/list)$/;

export class Server implements Sender, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<ServerState>();
  private readonly copied = new vscode.EventEmitter<AssembledContext>();
  private readonly progressed = new vscode.EventEmitter<ServerProgress>();
  private readonly notifications = new Map<string, (params: unknown) => void>();
  private readonly backoff = new Backoff();
  private readonly settingsWatch: vscode.Disposable;
  private current: ServerState = { kind: "stopped" };
  private client: LanguageClient | undefined;
  private startedAt = 0;
  private timer: NodeJS.Timeout | undefined;

  readonly onDidChangeState = this.changed.event;
  /** A code action assembled a prompt. */
  readonly onDidCopy = this.copied.event;
  /** Work that the server began by itself goes on or ends. */
  readonly onDidProgress = this.progressed.event;

  constructor(
    private readonly log: vscode.LogOutputChannel,
    private readonly memory: Memory,
  ) {
    this.settingsWatch = vscode.Disposable.from(
      vscode.workspace.onDidChangeConfiguration((event) => {
        this.settingsChanged(event);
      }),
      memory.onDidChange(() => {
        this.sendSettings();
      }),
    );
  }

  get state(): ServerState {
    return this.current;
  }

  /** Never rejects: what goes wrong becomes the state `failed`. */
  async start(): Promise<void> {
    if (this.current.kind === "starting" || this.current.kind === "running") {
      return;
    }
    clearTimeout(this.timer);
    this.enter({ kind: "starting" });
    try {
      const launch = await findServer(serverSettings());
      await this.run(launch);
    } catch (error) {
      this.enter({ kind: "failed", error: asError(error) });
    }
  }

  /** Stops the process and starts it anew; also after it was given up. */
  async restart(): Promise<void> {
    this.backoff.reset();
    await this.stop();
    await this.start();
  }

  async stop(): Promise<void> {
    clearTimeout(this.timer);
    const client = this.client;
    this.client = undefined;
    this.enter({ kind: "stopped" });
    await dispose(client);
  }

  /** Sends a request once the server runs. One that only reads is sent again when the server goes down meanwhile. */
  async request<R>(method: string, params: object, token?: vscode.CancellationToken): Promise<R> {
    const client = await this.running(token);
    try {
      return await client.sendRequest<R>(method, params, token);
    } catch (error) {
      if (client.state === State.Running || !READING.test(method) || token?.isCancellationRequested === true) {
        throw error;
      }
      this.log.info(`${method}: asked again, the server went down`);
      return await (await this.running(token)).sendRequest<R>(method, params, token);
    }
  }

  /** Tells the server something; while it is down, nobody needs to know. */
  notify(method: string, params: object): void {
    if (this.client?.state === State.Running) {
      this.client.sendNotification(method, params).catch((error: unknown) => {
        this.log.debug(`${method}: ${asError(error).message}`);
      });
    }
  }

  /** Hears a notification of the server, also of one that is started later. One handler for each method. */
  onNotification(method: string, handler: (params: unknown) => void): void {
    this.notifications.set(method, handler);
    this.client?.onNotification(method, handler);
  }

  dispose(): void {
    this.settingsWatch.dispose();
    void this.stop();
    this.changed.dispose();
    this.copied.dispose();
    this.progressed.dispose();
  }

  private async run(launch: Launch): Promise<void> {
    this.log.info(`starting ${[launch.command, ...launch.args].join(" ")} (${launch.origin})`);
    const client = createClient(launch, this.log, {
      settings: () => settingsForServer(this.memory.records),
      closed: () => {
        this.wentDown(client);
      },
      copied: async (context) => {
        await vscode.env.clipboard.writeText(context.content);
        this.copied.fire(context);
      },
      progressed: (progress) => {
        this.progressed.fire(progress);
      },
    });
    for (const [method, handler] of this.notifications) {
      client.onNotification(method, handler);
    }
    this.client = client;
    this.startedAt = Date.now();
    try {
      await client.start();
    } catch (error) {
      if (this.client === client) {
        this.client = undefined;
      }
      await dispose(client);
      throw error;
    }
    this.enter({ kind: "running", version: client.initializeResult?.serverInfo?.version ?? "" });
  }

  private wentDown(client: LanguageClient): void {
    if (this.client !== client || this.current.kind !== "running") {
      return; // stopped on purpose, or never got up: whoever waits for that says so
    }
    this.client = undefined;
    void dispose(client);
    const ms = this.backoff.next(Date.now() - this.startedAt);
    if (ms === undefined) {
      const message = vscode.l10n.t("The contextls server stopped again and again and is not started any more.");
      this.enter({ kind: "failed", error: new Error(message) });
      return;
    }
    this.log.warn(`the server went down; it is started again in ${ms} ms`);
    this.enter({ kind: "waiting", ms });
    this.timer = setTimeout(() => {
      void this.start();
    }, ms);
  }

  /** The client once it runs; rejects when it will not, or when `token` is cancelled. */
  private async running(token: vscode.CancellationToken | undefined): Promise<LanguageClient> {
    if (this.current.kind === "stopped") {
      void this.start();
    }
    return new Promise((resolve, reject) => {
      const waiting: vscode.Disposable[] = [];
      const settle = (): void => {
        const state = this.current;
        if (state.kind === "running" && this.client !== undefined) {
          resolve(this.client);
        } else if (state.kind === "failed") {
          reject(state.error);
        } else if (token?.isCancellationRequested === true) {
          reject(new vscode.CancellationError());
        } else {
          return;
        }
        vscode.Disposable.from(...waiting).dispose();
      };
      waiting.push(this.changed.event(settle));
      if (token !== undefined) {
        waiting.push(token.onCancellationRequested(settle));
      }
      settle();
    });
  }

  private settingsChanged(event: vscode.ConfigurationChangeEvent): void {
    if (event.affectsConfiguration(`${SECTION}.server`)) {
      void this.restart();
    } else if (event.affectsConfiguration(SECTION)) {
      this.sendSettings();
    }
  }

  private sendSettings(): void {
    this.notify("workspace/didChangeConfiguration", { settings: { [SECTION]: settingsForServer(this.memory.records) } });
  }

  private enter(state: ServerState): void {
    this.current = state;
    this.changed.fire(state);
  }
}

async function dispose(client: LanguageClient | undefined): Promise<void> {
  try {
    await client?.dispose();
  } catch {
    // a client that never ran, or whose process is gone, has nothing to let go of
  }
}

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
