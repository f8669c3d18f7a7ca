/** When the user sees what a window shows: the question whether its folder is trusted stands before everything else. */
import * as vscode from "vscode";

const { Keyboard, Mouse } = vscode.TextEditorSelectionChangeKind;

/** Resolves at once where the folder is trusted; else when it comes to be, or when the user works in it without. */
export function userIsThere(): Promise<void> {
  if (vscode.workspace.isTrusted) {
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    const come = (): void => {
      watch.dispose();
      resolve();
    };
    const watch = vscode.Disposable.from(
      vscode.workspace.onDidGrantWorkspaceTrust(come),
      vscode.window.onDidOpenTerminal(come),
      vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
        if (kind === Keyboard || kind === Mouse) {
          come(); // nobody reaches a text behind that question
        }
      }),
    );
  });
}
