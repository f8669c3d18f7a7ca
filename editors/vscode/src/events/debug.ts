/**
 * Exceptions that nobody caught, in debug sessions of every type. Everything here is overheard: the messages between
 * the editor and the debug adapter (https://microsoft.github.io/debug-adapter-protocol) are read as they pass, and none
 * is added.
 *
 * There are three ways to notice. The debugger stops because of an exception, and the editor then asks what it is and
 * where; or the debugger prints “Uncaught …”, as those for JavaScript do; or the program ends with an exit code other
 * than 0, and what it wrote to standard error last says why. What is noticed in two ways is recorded once. An exception
 * at which the debugger stops only because it was told to stop at all of them is not recorded: it may well be caught.
 * A program that runs in the integrated terminal writes there, which `terminals.ts` hears.
 */
import * as vscode from "vscode";
import { optional } from "../optional";
import type { Services } from "../services";
import { Ends } from "./ends";
import { type Frame, framesIn, messageIn } from "./frames";
import { folderOnDisk, onlyFolder, type Recorder } from "./recorder";
import { Screen } from "./screen";

const MOST_STACK = 8_000;
const MOST_STDERR = 32_000;
const MOST_FRAMES = 200;
/** So many places of a trace are tried; those in ignored files are turned away by the server. */
const MOST_PLACES = 5;
/** A page that fails with every frame it draws would fill the memory. */
const MOST_ERRORS = 50;

/** What adapters call the exceptions that nobody caught, among those at which they can stop. */
const FOR_UNCAUGHT = /un-?(?:caught|handled)/i;

interface Stop {
  readonly at: number;
  readonly thread: number | undefined;
  readonly text: string | undefined;
  info?: ExceptionInfo;
  frames?: readonly Frame[];
  stack?: string;
}

interface ExceptionInfo {
  readonly message: string;
  /** Undefined where the adapter does not say. */
  readonly caught: boolean | undefined;
  readonly stack: string | undefined;
}

export function recordDebugSessions(services: Services, recorder: Recorder): vscode.Disposable {
  return vscode.debug.registerDebugAdapterTrackerFactory("*", {
    createDebugAdapterTracker: (session) =>
      services.memory.records ? new SessionTracker(session, recorder, services.log) : undefined,
  });
}

class SessionTracker implements vscode.DebugAdapterTracker {
  private readonly errors = new Ends(MOST_STDERR);
  private readonly screen = new Screen((line) => {
    this.errors.add(line);
  });
  /** Threads about which the editor asked, by the number of the question. */
  private readonly asked = new Map<number, number | undefined>();
  private stop: Stop | undefined;
  /** Whether the editor can ask the adapter what an exception is; it then does, sooner or later. */
  private explains = false;
  /** Whether it was told to stop at exceptions that are caught as well. */
  private stopsAtAll = false;
  private readonly recorded = new Set<string>();
  private exitCode: number | undefined;

  constructor(
    private readonly session: vscode.DebugSession,
    private readonly recorder: Recorder,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  onWillReceiveMessage(message: unknown): void {
    const command = text(field(message, "command"));
    if (command === "setExceptionBreakpoints") {
      const given = field(message, "arguments");
      const options = list(field(given, "filterOptions")).map((option) => field(option, "filterId"));
      const filters = [...list(field(given, "filters")), ...options];
      this.stopsAtAll = filters.some((filter) => !FOR_UNCAUGHT.test(text(filter) ?? ""));
    }
    if (field(message, "type") === "request" && (command === "exceptionInfo" || command === "stackTrace")) {
      this.asked.set(number(field(message, "seq")) ?? -1, number(field(field(message, "arguments"), "threadId")));
    }
  }

  onDidSendMessage(message: unknown): void {
    const body = field(message, "body");
    if (field(message, "type") === "response") {
      this.answered(message, body);
      return;
    }
    switch (field(message, "event")) {
      case "stopped":
        this.stopped(body);
        break;
      case "continued":
      case "terminated":
        this.tellStop();
        break;
      case "output":
        if (field(body, "category") === "stderr") {
          this.printed(text(field(body, "output")) ?? "");
        }
        break;
      case "exited":
        this.exitCode = number(field(body, "exitCode"));
        break;
      default:
    }
  }

  onWillStopSession(): void {
    this.tellStop();
    this.screen.end();
    const said = this.errors.text();
    const message = messageIn(said);
    if (this.exitCode !== undefined && this.exitCode !== 0 && message !== undefined) {
      this.tell(message, said, framesIn(said));
    }
  }

  private stopped(body: unknown): void {
    this.tellStop();
    if (field(body, "reason") !== "exception") {
      return;
    }
    this.stop = {
      thread: number(field(body, "threadId")),
      text: text(field(body, "text")) ?? text(field(body, "description")),
      at: Date.now(),
    };
  }

  private answered(message: unknown, body: unknown): void {
    if (field(message, "command") === "initialize") {
      this.explains = field(body, "supportsExceptionInfoRequest") === true;
    }
    const question = number(field(message, "request_seq")) ?? -1;
    const thread = this.asked.get(question);
    const stop = this.stop;
    if (!this.asked.delete(question) || stop === undefined || thread !== stop.thread || field(message, "success") !== true) {
      return;
    }
    if (field(message, "command") === "exceptionInfo") {
      stop.info = exceptionInfo(body, stop.text);
    } else if (stop.frames === undefined) {
      const frames = list(field(body, "stackFrames")).slice(0, MOST_FRAMES);
      stop.frames = frames.flatMap(frameOf);
      stop.stack = frames.map(told).join("\n");
    }
    if (stop.frames !== undefined && (stop.info !== undefined || !this.explains)) {
      this.tellStop();
    }
  }

  /** Records the exception at which the debugger stopped, with what is known of it by now. */
  private tellStop(): void {
    const stop = this.stop;
    this.stop = undefined;
    if (stop === undefined || (stop.info?.caught ?? this.stopsAtAll)) {
      return;
    }
    const message = this.explains ? stop.info?.message : stop.text;
    if (message !== undefined) {
      const { frames = [], info } = stop;
      this.tell(message, info?.stack ?? stop.stack, [...frames, ...framesIn(info?.stack ?? "")], stop.at);
    }
  }

  private printed(output: string): void {
    const message = output.startsWith("Uncaught ") ? messageIn(output) : undefined;
    if (message === undefined) {
      this.screen.write(output);
    } else {
      this.tellStop();
      this.tell(message, output, framesIn(output));
    }
  }

  private tell(message: string, stack: string | undefined, frames: readonly Frame[], at = Date.now()): void {
    if (this.recorded.has(message) || this.recorded.size >= MOST_ERRORS) {
      return;
    }
    this.recorded.add(message);
    this.record({ message, ...optional({ stack: stack?.slice(-MOST_STACK) }) }, frames, at).catch((error: unknown) => {
      this.log.warn(`an exception was not recorded: ${String(error)}`);
    });
  }

  /** Records the error at the innermost of its places in the workspace that is not ignored. */
  private async record(said: object, frames: readonly Frame[], timestamp: number): Promise<void> {
    const placed = frames
      .map((frame) => ({ ...frame, folder: folderOnDisk(vscode.Uri.file(frame.path)) }))
      .filter((frame) => frame.folder !== undefined)
      .slice(0, MOST_PLACES);
    const folder = placed[0]?.folder ?? this.session.workspaceFolder ?? onlyFolder();
    if (folder?.uri.scheme !== "file") {
      return;
    }
    const event = { type: "error", outcome: "failure", timestamp } as const;
    const content = { ...said, source: this.session.type };
    for (const { path, line } of placed.filter((frame) => frame.folder === folder)) {
      const recorded = await this.recorder.record("debug", folder, { ...event, content: { ...content, path, line } });
      if (recorded.id !== null || recorded.reason !== "ignored") {
        return;
      }
    }
    if (placed.length === 0) {
      await this.recorder.record("debug", folder, { ...event, content });
    }
  }
}

function exceptionInfo(body: unknown, fallback: string | undefined): ExceptionInfo {
  const details = field(body, "details");
  const name = text(field(details, "typeName")) ?? text(field(body, "exceptionId"));
  const said = text(field(details, "message")) ?? text(field(body, "description")) ?? (name === undefined ? fallback : "") ?? "";
  const mode = field(body, "breakMode");
  return {
    message: name === undefined || said.includes(name) ? said : said === "" ? name : `${name}: ${said}`,
    caught: mode === "unhandled" || mode === "userUnhandled" ? false : mode === "always" || mode === "never" || undefined,
    stack: text(field(details, "stackTrace")),
  };
}

function frameOf(frame: unknown): readonly Frame[] {
  const path = text(field(field(frame, "source"), "path"));
  const line = number(field(frame, "line"));
  return path === undefined || line === undefined || line < 1 ? [] : [{ path, line }];
}

function told(frame: unknown): string {
  const [place] = frameOf(frame);
  const name = text(field(frame, "name")) ?? "?";
  return place === undefined ? `  at ${name}` : `  at ${name} (${place.path}:${place.line})`;
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function number(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
