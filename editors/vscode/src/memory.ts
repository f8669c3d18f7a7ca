/** Whether anything may be recorded: not in a workspace that is not trusted, not while memory is paused. */
import * as vscode from "vscode";
import { memoryPaused, SECTION } from "./settings";

export type MemoryState = "recording" | "paused" | "untrusted";

export class Memory implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<MemoryState>();
  private readonly watches: vscode.Disposable;

  readonly onDidChange = this.changed.event;

  constructor() {
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
    return memoryPaused() ? "paused" : "recording";
  }

  get records(): boolean {
    return this.state === "recording";
  }

  /** Pauses, or goes on, for this workspace; without an open workspace for all. */
  async toggle(): Promise<void> {
    const target =
      vscode.workspace.workspaceFolders === undefined
        ? vscode.ConfigurationTarget.Global
        : vscode.ConfigurationTarget.Workspace;
    await vscode.workspace.getConfiguration(SECTION).update("memoryPaused", !memoryPaused(), target);
  }

  dispose(): void {
    this.watches.dispose();
    this.changed.dispose();
  }
}
