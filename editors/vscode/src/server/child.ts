/** Runs a program to its end, hears its lines, and kills it with all that it started when it is no longer wanted. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { CancellationToken } from "vscode";
import { safeVariables } from "./programs";

const WINDOWS = process.platform === "win32";
const GRACE_MS = 2_000;
const KEPT_LINES = 60;

export interface Run {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly onLine?: (line: string) => void;
  readonly token?: CancellationToken;
  /** Ends it after so long. */
  readonly timeoutMs?: number;
}

export interface Ended {
  /** The exit status; null when it was killed or could not be started. */
  readonly status: number | null;
  /** The last lines of both outputs, in the order in which they came. */
  readonly lines: readonly string[];
}

/** Runs it; resolves however it ends, also when it cannot be started at all. */
export function runChild(command: string, args: readonly string[], run: Run): Promise<Ended> {
  return new Promise((resolve) => {
    const lines: string[] = [];
    const heard = (line: string): void => {
      lines.push(line);
      lines.splice(0, lines.length - KEPT_LINES);
      run.onLine?.(line);
    };
    const child = spawn(command, args, {
      cwd: run.cwd,
      env: { ...safeVariables(), ...run.env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: !WINDOWS, // a process group of its own, so that it can be killed as one
      windowsHide: true,
    });
    const cancelled = run.token?.onCancellationRequested(() => {
      killTree(child);
    });
    const timer = run.timeoutMs === undefined ? undefined : setTimeout(killTree, run.timeoutMs, child);
    const settle = (status: number | null): void => {
      clearTimeout(timer);
      cancelled?.dispose();
      resolve({ status, lines });
    };
    createInterface({ input: child.stdout }).on("line", heard);
    createInterface({ input: child.stderr }).on("line", heard);
    child.once("error", (error) => {
      heard(error.message);
      settle(null);
    });
    child.once("close", settle);
    if (run.token?.isCancellationRequested === true) {
      killTree(child);
    }
  });
}

/** Asks a process started with `runChild` and its descendants to end, and makes them when they do not. */
function killTree(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) {
    return;
  }
  if (WINDOWS) {
    spawn("taskkill", ["/pid", String(pid), "/T", "/F"], { windowsHide: true, stdio: "ignore" }).on("error", () => {
      child.kill();
    });
    return;
  }
  signalGroup(pid, "SIGTERM");
  setTimeout(() => {
    signalGroup(pid, "SIGKILL");
  }, GRACE_MS).unref();
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // all of them are gone
  }
}
