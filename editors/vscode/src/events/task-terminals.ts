/**
 * Which terminals belong to tasks. A task does not say where it runs; but the process of a task is that of its terminal
 * when the terminal is new, and a terminal that once belonged to a task is used again for nothing else.
 */
import type * as vscode from "vscode";
import type { Output } from "./output";

/** A task's process and the mark of its command in a terminal come within this of each other. */
const NEAR_MS = 3_000;
/** Terminals wait this long for their process to be known. */
const PROCESS_MS = 1_000;

interface Shown {
  readonly terminal: vscode.Terminal;
  readonly execution: vscode.TerminalShellExecution;
  readonly output: Output;
  readonly at: number;
}

export class TaskTerminals {
  private readonly processes = new Set<number>();
  private readonly known = new WeakSet<vscode.Terminal>();
  private readonly shown = new Set<Shown>();

  /** A task's process began. */
  started(processId: number): void {
    this.processes.add(processId);
  }

  /** A task's process ended. Its number is remembered until its terminal has said so too. */
  ended(processId: number): void {
    setTimeout(() => this.processes.delete(processId), NEAR_MS).unref();
  }

  /** Something began to run in a terminal. */
  began(terminal: vscode.Terminal, execution: vscode.TerminalShellExecution, output: Output): void {
    this.closed(terminal);
    this.shown.add({ terminal, execution, output, at: Date.now() });
  }

  /** The terminal is gone, or what ran in it was no task. */
  closed(terminal: vscode.Terminal): void {
    for (const each of this.shown) {
      if (each.terminal === terminal) {
        this.shown.delete(each);
      }
    }
  }

  /** Whether the terminal is one of a task. */
  async owns(terminal: vscode.Terminal): Promise<boolean> {
    if (!this.known.has(terminal)) {
      const processId = await processOf(terminal);
      if (processId !== undefined && this.processes.has(processId)) {
        this.known.add(terminal);
      }
    }
    return this.known.has(terminal);
  }

  /** What the terminal of a task shows; undefined where it has no shell integration. */
  async shownBy(processId: number, began: number): Promise<Shown | undefined> {
    const near = [...this.shown].filter((each) => Math.abs(each.at - began) < NEAR_MS);
    for (const each of near) {
      if ((await processOf(each.terminal)) === processId) {
        this.known.add(each.terminal);
        this.shown.delete(each);
        return each;
      }
    }
    const used = near.filter((each) => this.known.has(each.terminal));
    used.sort((one, other) => Math.abs(one.at - began) - Math.abs(other.at - began));
    const [nearest] = used;
    if (nearest !== undefined) {
      this.shown.delete(nearest);
    }
    return nearest;
  }
}

async function processOf(terminal: vscode.Terminal): Promise<number | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      resolve(undefined);
    }, PROCESS_MS);
  });
  const processId = await Promise.race([terminal.processId, late]);
  clearTimeout(timer);
  return processId;
}
