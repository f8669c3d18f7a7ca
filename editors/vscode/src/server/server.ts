/** The server process as the rest of the extension sees it: one thing that is there, comes back, or says why not. */
import * as vscode from "vscode";
import type { Memory } from "../memory";
import type { Context } from "../protocol";
import type { Sender } from "../requests";
import { SECTION, settingsForServer } from "../settings";
import { Backoff } from "./backoff";
import type { ServerProgress } from "./client";
import { type Launch, ServerFailedError, ServerGoneError, ServerOutdatedError } from "./launch";
import { lacking, type ServerInfo } from "./needs";
import type { Session } from "./session";

export type ServerState =
  | { readonly kind: "stopped" }
  | { readonly kind: "starting" }
  | { readonly kind: "running"; readonly version: string }
  | { readonly kind: "waiting"; readonly ms: number }
  | { readonly kind: "failed"; readonly error: Error };

/** These only read: asked again after a crash, they do no harm. */
const READING =
  /^context\/(assemble|search|events|entities|graph|patterns|status|archetypes|countTokens|compress|task\/(list|path|peek)|workingSet\/list)$/;

/**
 * Starts the server, starts it again when it goes down, and sends it what the features ask.
 *
 * `state` is `waiting` between a crash and the next start. `failed` is final until a caller runs `start` or
 * `restart`; its error is a `ServerMissingError` (none can be started), a `ServerFailedError` (it stops every time), or
 * what the server itself refused with. `missing` names the methods that a server which runs does not have, `origin`
 * where it was found.
 */
export class Server implements Sender, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<ServerState>();
  private readonly assembled = new vscode.EventEmitter<Context>();
  private readonly progressed = new vscode.EventEmitter<ServerProgress>();
  private readonly notifications = new Map<string, (params: unknown) => void>();
  private readonly settingsWatch: vscode.Disposable;
  private current: ServerState = { kind: "stopped" };
  private session: Session | undefined;
  /** Counts starts and stops: what began before the newest one no longer decides anything. */
  private turn = 0;
  private startedAt = 0;
  private timer: NodeJS.Timeout | undefined;
  private disposed = false;

  readonly onDidChangeState = this.changed.event;
  /** A code action of the server assembled a prompt, which is to be copied. */
  readonly onDidAssemble = this.assembled.event;
  /** Work that the server began by itself goes on or ends. */
  readonly onDidProgress = this.progressed.event;

  /** `locate` finds what is started, again before each start; it rejects with `ServerMissingError`. */
  constructor(
    private readonly log: vscode.LogOutputChannel,
    private readonly memory: Memory,
    private readonly locate: () => Promise<Launch>,
    private readonly backoff = new Backoff(),
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

  /** Needed methods that the running server does not have; empty when it has all, or does not run. */
  get missing(): readonly string[] {
    return this.info === undefined ? [] : lacking(this.info);
  }

  /** Where the server that runs, or ran last, was found. */
  get origin(): Launch["origin"] | undefined {
    return this.session?.launch.origin;
  }

  /** How the server that runs, or ran last, was started. */
  get launch(): Launch | undefined {
    return this.session?.launch;
  }

  /** The process that runs. */
  get pid(): number | undefined {
    return this.session?.pid;
  }

  /** Never rejects: what goes wrong becomes the state `failed`. */
  async start(): Promise<void> {
    if (this.disposed || this.current.kind === "starting" || this.current.kind === "running") {
      return;
    }
    clearTimeout(this.timer);
    const turn = (this.turn += 1);
    this.enter({ kind: "starting" });
    let session: Session | undefined;
    try {
      const launch = await this.locate();
      session = await this.open(launch, turn);
      await session?.start();
    } catch (error) {
      await this.notStarted(asError(error), session, turn);
      return;
    }
    if (session !== undefined && this.session === session) {
      this.enter({ kind: "running", version: session.info.version });
      void session.ended.then(({ reason }) => {
        this.wentDown(session, reason);
      });
    }
  }

  /** Stops the process and starts it again; also after it was given up. */
  async restart(): Promise<void> {
    this.backoff.reset();
    await this.stop();
    await this.start();
  }

  async stop(): Promise<void> {
    clearTimeout(this.timer);
    this.turn += 1;
    const session = this.session;
    this.session = undefined;
    this.enter({ kind: "stopped" });
    await session?.stop();
  }

  /**
   * Sends a request once the server runs. One that only reads is sent again when the server goes down meanwhile.
   * Rejects with the state's error when the server does not start, with `ServerOutdatedError` when it does not know
   * the method, with `ServerGoneError` when it went down and what it did is not known.
   */
  async request<R>(method: string, params: object, token?: vscode.CancellationToken): Promise<R> {
    const session = await this.running(token);
    this.checkKnown(method, session.info);
    try {
      return await session.request<R>(method, params, token);
    } catch (error) {
      if (!(error instanceof ServerGoneError)) {
        throw error;
      }
      this.wentDown(session, error.message);
    }
    if (token?.isCancellationRequested === true) {
      throw new vscode.CancellationError();
    }
    if (!READING.test(method)) {
      throw new ServerGoneError(
        vscode.l10n.t("The contextls server went down before it answered; whether it did what was asked is not known."),
      );
    }
    this.log.info(`${method}: asked again, the server went down`);
    return (await this.running(token)).request<R>(method, params, token);
  }

  /** Tells the server something; while it is down, nobody needs to know. */
  notify(method: string, params: object): void {
    if (this.current.kind === "running") {
      this.session?.notify(method, params).catch((error: unknown) => {
        this.log.debug(`${method}: ${asError(error).message}`);
      });
    }
  }

  /** Hears a notification of the server, also of one that is started later. One handler for each method. */
  onNotification(method: string, handler: (params: unknown) => void): void {
    this.notifications.set(method, handler);
    this.session?.onNotification(method, handler);
  }

  dispose(): void {
    this.disposed = true;
    this.settingsWatch.dispose();
    void this.stop();
    this.changed.dispose();
    this.assembled.dispose();
    this.progressed.dispose();
  }

  private get info(): ServerInfo | undefined {
    return this.current.kind === "running" ? this.session?.info : undefined;
  }

  private async open(launch: Launch, turn: number): Promise<Session | undefined> {
    const { Session } = await import("./session.js"); // the language client is most of this bundle: not while activating
    if (this.turn !== turn) {
      return undefined;
    }
    this.log.info(`starting ${[launch.command, ...launch.args].join(" ")} (${launch.origin})`);
    const hooks = {
      settings: () => settingsForServer(this.memory.records),
      assembled: (context: Context): void => {
        this.assembled.fire(context);
      },
      progressed: (progress: ServerProgress): void => {
        this.progressed.fire(progress);
      },
    };
    this.startedAt = Date.now();
    this.session = new Session(launch, this.log, hooks, this.notifications);
    return this.session;
  }

  private async notStarted(error: Error, session: Session | undefined, turn: number): Promise<void> {
    if (this.turn !== turn) {
      return; // stopped, or started again: nobody waits for this one
    }
    if (error instanceof ServerGoneError && session !== undefined) {
      this.wentDown(session, error.message);
      return;
    }
    this.session = undefined;
    this.enter({ kind: "failed", error });
    await session?.stop();
  }

  /** That server is gone; only the first to say so is heard. */
  private wentDown(session: Session, reason: string): void {
    if (this.session !== session) {
      return;
    }
    this.session = undefined;
    void session.stop();
    const ms = this.backoff.next(Date.now() - this.startedAt);
    if (ms === undefined) {
      const message = vscode.l10n.t("The contextls server stops again and again and is not started any more: {0}", reason);
      this.enter({ kind: "failed", error: new ServerFailedError(message, session.launch.origin) });
      return;
    }
    this.log.warn(`the server went down (${reason}); it is started again in ${ms} ms`);
    this.enter({ kind: "waiting", ms });
    this.timer = setTimeout(() => {
      void this.start();
    }, ms);
  }

  /** The session once it runs; rejects when it will not, or when `token` is cancelled. */
  private async running(token: vscode.CancellationToken | undefined): Promise<Session> {
    if (this.disposed) {
      throw new vscode.CancellationError();
    }
    if (this.current.kind === "stopped") {
      void this.start();
    }
    return new Promise((resolve, reject) => {
      const waiting: vscode.Disposable[] = [];
      const settle = (): void => {
        const state = this.current;
        if (state.kind === "running" && this.session !== undefined) {
          resolve(this.session);
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

  private checkKnown(method: string, info: ServerInfo): void {
    if (method.startsWith("context/") && info.methods?.includes(method) === false) {
      throw new ServerOutdatedError(
        vscode.l10n.t("The contextls server ({0}) is older than this extension and does not know “{1}”.", info.version, method),
      );
    }
  }

  private settingsChanged(event: vscode.ConfigurationChangeEvent): void {
    if (event.affectsConfiguration(`${SECTION}.server.path`)) {
      if (this.current.kind !== "stopped") {
        void this.restart();
      }
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

export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
