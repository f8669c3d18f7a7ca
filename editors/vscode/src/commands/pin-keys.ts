/** Tells VS Code what is pinned and excluded, so that menus offer only what can be done. */
import * as vscode from "vscode";
import type { WorkingSetView } from "../protocol";
import type { Services } from "../services";
import { tellFailure } from "./run";

const PINNED = "contextls.pinnedPaths";
const EXCLUDED = "contextls.excludedPaths";

interface Paths {
  readonly pinned: readonly string[];
  readonly excluded: readonly string[];
}

/** Keeps both context keys up to date; whole files and folders count, symbols have no menu of their own. */
export class PinKeys implements vscode.Disposable {
  private readonly byRoot = new Map<string, Paths>();
  private readonly listening: vscode.Disposable;

  /** `onRefresh` hears of each working set that is read because it changed. */
  constructor(
    private readonly services: Services,
    private readonly onRefresh: (rootUri: string, view: WorkingSetView) => Promise<void>,
  ) {
    this.listening = services.onDidChangeMemory(({ rootUri, changed }) => {
      if (changed.includes("workingSet")) {
        void this.refresh(rootUri);
      }
    });
  }

  /** `view` is the newest working set of the folder `rootUri`. */
  update(rootUri: string | undefined, view: WorkingSetView): void {
    if (rootUri === undefined) {
      return;
    }
    const root = vscode.Uri.parse(rootUri);
    const whole = (files: readonly { readonly path: string; readonly symbol: string | null }[]): readonly string[] =>
      files.filter(({ symbol }) => symbol === null).map(({ path }) => vscode.Uri.joinPath(root, path).fsPath);
    this.byRoot.set(root.toString(), { pinned: whole(view.files), excluded: whole(view.excluded) });
    const all = [...this.byRoot.values()];
    void vscode.commands.executeCommand("setContext", PINNED, all.flatMap(({ pinned }) => pinned));
    void vscode.commands.executeCommand("setContext", EXCLUDED, all.flatMap(({ excluded }) => excluded));
  }

  dispose(): void {
    this.listening.dispose();
  }

  private async refresh(rootUri: string): Promise<void> {
    try {
      const view = await this.services.requests.workingSet(rootUri);
      this.update(rootUri, view);
      void this.onRefresh(rootUri, view).catch((error: unknown) => tellFailure(this.services, error));
    } catch (error) {
      this.services.log.debug(`the working set of ${rootUri} could not be read: ${String(error)}`);
    }
  }
}
