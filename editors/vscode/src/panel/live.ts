/** Says when the panel shall ask again by itself: the user has moved, saved, or memory has changed. */
import * as vscode from "vscode";
import type { MemoryChange } from "../protocol";
import { SECTION } from "../settings";

const SETTLED_MS = 500;
/** However busy it gets, nobody looks at an old answer longer than this. */
const LONGEST_MS = 2_500;
/** Opening a piece from the panel moves the editor too; that is no new whereabouts. */
const QUIET_MS = 1_200;

export class Live implements vscode.Disposable {
  private readonly watches: vscode.Disposable;
  private timer: NodeJS.Timeout | undefined;
  private waitingSince = 0;
  private quietUntil = 0;
  private visible = false;
  private missed = false;

  constructor(
    private readonly refresh: () => void,
    onDidChangeMemory: vscode.Event<MemoryChange>,
    /** Whether what is shown must not stay: an answer of an index that was not complete. */
    private readonly unfinished: () => boolean = () => false,
  ) {
    const moved = (): void => {
      if (Date.now() >= this.quietUntil) {
        this.soon();
      }
    };
    const soon = (): void => {
      this.soon();
    };
    this.watches = vscode.Disposable.from(
      vscode.window.onDidChangeActiveTextEditor(moved),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (vscode.workspace.getWorkspaceFolder(textEditor.document.uri) !== undefined) {
          moved();
        }
      }),
      vscode.workspace.onDidSaveTextDocument(soon),
      vscode.workspace.onDidChangeWorkspaceFolders(soon),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(`${SECTION}.maxTokens`) || event.affectsConfiguration(`${SECTION}.panel`)) {
          this.soon();
        }
      }),
      onDidChangeMemory(soon),
    );
  }

  static get wanted(): boolean {
    return vscode.workspace.getConfiguration(`${SECTION}.panel`).get("live", true);
  }

  /** A view that is not seen asks nothing; what it missed it makes up for once it is seen. */
  setVisible(visible: boolean): void {
    this.visible = visible;
    if (visible && this.missed) {
      this.soon();
    }
  }

  /** The editor is about to move because of the panel itself. */
  quiet(): void {
    this.quietUntil = Date.now() + QUIET_MS;
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.watches.dispose();
  }

  private soon(): void {
    if (!this.visible || !(Live.wanted || this.unfinished())) {
      this.missed = true;
      return;
    }
    const now = Date.now();
    this.waitingSince ||= now;
    clearTimeout(this.timer);
    this.timer = setTimeout(
      () => {
        this.waitingSince = 0;
        this.missed = false;
        this.refresh();
      },
      Math.max(0, Math.min(SETTLED_MS, this.waitingSince + LONGEST_MS - now)),
    );
  }
}
