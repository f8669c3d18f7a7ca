/** Which terminals' last command failed, so that the one in front can offer the prompt about it in its own title. */
import * as vscode from "vscode";

/** Looked at by the menu of the terminal's title; decorations of a command are not open to extensions. */
const FAILED_KEY = "contextls.commandFailed";
/** A command that the user stopped. */
const STOPPED = 130;

export class FailedTerminals implements vscode.Disposable {
  private readonly failed = new WeakSet<vscode.Terminal>();
  private readonly watch: vscode.Disposable;
  private shown = false;

  constructor() {
    this.watch = vscode.window.onDidChangeActiveTerminal(() => {
      this.show();
    });
  }

  /** A command of `terminal` is remembered. */
  ended(terminal: vscode.Terminal, exitCode: number): void {
    if (exitCode === 0 || exitCode === STOPPED) {
      this.failed.delete(terminal);
    } else {
      this.failed.add(terminal);
    }
    this.show();
  }

  dispose(): void {
    this.watch.dispose();
  }

  private show(): void {
    const terminal = vscode.window.activeTerminal;
    const failed = terminal !== undefined && this.failed.has(terminal);
    if (failed !== this.shown) {
      this.shown = failed;
      void vscode.commands.executeCommand("setContext", FAILED_KEY, failed);
    }
  }
}
