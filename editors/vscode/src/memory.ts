/** Whether anything may be recorded: not in a workspace that is not trusted, not while memory is paused. */
import * as vscode from "vscode";
import { memoryPaused, SECTION } from "./settings";

export type MemoryState = "recording" | "paused" | "untrusted";

/** Kept by the editor and not in the workspace's settings: a pause is nothing to commit. */
const PAUSED_HERE = "memoryPaused";

export class Memory implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<MemoryState>();
  private readonly watches: vscode.Disposable;

  readonly onDidChange = this.changed.event;

  constructor(private readonly kept: vscode.Memento) {
    const tell = (): void => {
      this.changed.fire(this.state);
    };
    this.watches = vscode.Disposable.from(
      vscode.workspace.onDidGrantWorkspaceTrust(tell),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(`${SECTION}.memoryPaused`)) {
          tell();
        }
      }),
    );
  }

  get state(): MemoryState {
    if (!vscode.workspace.isTrusted) {
      return "untrusted";
    }
    return this.kept.get(PAUSED_HERE, memoryPaused()) ? "paused" : "recording";
  }

  get records(): boolean {
    return this.state === "recording";
  }

  /** Pauses memory for this workspace, or goes on. */
  async toggle(): Promise<void> {
    await this.kept.update(PAUSED_HERE, this.state !== "paused");
    this.changed.fire(this.state);
  }

  dispose(): void {
    this.watches.dispose();
    this.changed.dispose();
  }
}
