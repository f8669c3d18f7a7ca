/** One server process: its streams, its log, its end. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type * as vscode from "vscode";
import type { Launch } from "./launch";
import { safeVariables } from "./programs";

const FLUSH_MS = 300;
const KEPT_LINES = 20;

/** How a process ended: `reason` is the signal that killed it, else its last line on standard error, else its status. */
export interface Ending {
  readonly reason: string;
}

export class ServerProcess {
  /** Resolves with whether there is a process, once that is known. */
  readonly spawned: Promise<boolean>;
  /** Resolves when the process is gone. */
  readonly ended: Promise<Ending>;
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly lines: string[] = [];

  constructor(launch: Launch, log: vscode.LogOutputChannel) {
    const child = spawn(launch.command, launch.args, {
      ...(launch.cwd === undefined ? {} : { cwd: launch.cwd }),
      env: safeVariables(),
      stdio: "pipe",
      windowsHide: true,
    });
    this.child = child;
    child.stdin.on("error", () => undefined); // a process that is gone reads no more; its end is told once
    const writer = new LogWriter(log);
    createInterface({ input: child.stderr }).on("line", (line) => {
      this.lines.push(line);
      this.lines.splice(0, this.lines.length - KEPT_LINES);
      writer.write(line);
    });
    this.spawned = new Promise((resolve) => {
      child.once("spawn", () => {
        resolve(true);
      });
      child.once("error", () => {
        resolve(child.pid !== undefined);
      });
    });
    this.ended = new Promise((resolve) => {
      child.once("error", (error) => {
        resolve({ reason: error.message });
      });
      child.once("exit", (status, signal) => {
        const told = (): void => {
          const lastLine = this.lines.findLast((line) => line.trim() !== "");
          resolve({ reason: signal ?? lastLine ?? `exit status ${status ?? "unknown"}` });
          child.stdout.destroy(); // a child of its own may keep that open, too
        };
        child.once("close", told); // its last words are read first, unless a child of its own keeps the pipe open
        setTimeout(told, FLUSH_MS).unref();
      });
    });
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  get input(): NodeJS.WritableStream {
    return this.child.stdin;
  }

  get output(): NodeJS.ReadableStream {
    return this.child.stdout;
  }

  /** Ends it if it still runs `ms` from now; closing its input asks it to go by itself. */
  async end(ms: number): Promise<void> {
    this.child.stdin.end();
    const timer = setTimeout(() => {
      this.child.kill("SIGKILL");
    }, ms);
    await this.ended;
    clearTimeout(timer);
  }
}

/** Writes the server's own log at the levels that its lines name. */
class LogWriter {
  private level = "INFO";

  constructor(private readonly log: vscode.LogOutputChannel) {}

  write(line: string): void {
    const named = /^\d{4}-\d\d-\d\d [\d:,.]+ (DEBUG|INFO|WARNING|ERROR|CRITICAL) (.*)$/.exec(line);
    this.level = named?.[1] ?? this.level; // further lines, as of a traceback, belong to the one before
    const text = `server: ${named?.[2] ?? line}`;
    switch (this.level) {
      case "DEBUG":
        this.log.debug(text);
        break;
      case "INFO":
        this.log.info(text);
        break;
      case "WARNING":
        this.log.warn(text);
        break;
      default:
        this.log.error(text);
    }
  }
}
