/**
 * Ticks the first step of the walkthrough where the server runs already, such as one of the user's own.
 *
 * VS Code ticks a step when a context key becomes true while it looks at walkthroughs, which it begins to do when the first
 * page of them is opened; a key that was true before never ticks. So the key is set for a moment, whenever such a page
 * may have been opened and when the server comes up.
 */
import * as vscode from "vscode";
import type { Server } from "../server/server";

const SEEN_KEY = "contextls.serverSeen";
/** The page has read its steps by then, and an event of a key is not merged with the one before. */
const MOMENT_MS = 1_000;

export function tickWalkthrough(server: Pick<Server, "state" | "onDidChangeState">): vscode.Disposable {
  let timer: NodeJS.Timeout | undefined;
  const set = (seen: boolean): void => {
    void vscode.commands.executeCommand("setContext", SEEN_KEY, seen);
  };
  const tick = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (server.state.kind === "running") {
        set(true);
        timer = setTimeout(() => {
          set(false);
        }, MOMENT_MS);
      }
    }, MOMENT_MS);
  };
  return vscode.Disposable.from(
    vscode.window.tabGroups.onDidChangeTabs(({ opened, changed }) => {
      // Of pages such as this one, extensions are told no more than that they are there.
      if ([...opened, ...changed].some(({ input, isActive }) => input === undefined && isActive)) {
        tick();
      }
    }),
    server.onDidChangeState(tick),
    new vscode.Disposable(() => {
      clearTimeout(timer);
    }),
  );
}
