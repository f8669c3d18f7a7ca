/** The view “Activity”: what is pinned, what is worked on, what happened, what repeats. */
import * as vscode from "vscode";
import { diskFolders } from "../folders";
import { ServerMissingError } from "../server/launch";
import type { Services } from "../services";
import { registerTreeCommands } from "./commands";
import { EventFilterSetting } from "./filter";
import { ActivityProvider } from "./provider";

export const VIEW = "contextls.activity";
/** Chooses the text that stands in an empty view. */
const STATE_KEY = "contextls.activityState";

export type WelcomeState = "noFolder" | "waiting" | "virtual" | "setUp" | "wrongPath" | "failed" | "untrusted" | "paused" | "empty" | "shown";

export function registerActivity(services: Services): vscode.Disposable {
  const filter = new EventFilterSetting(services.extension.workspaceState);
  const provider = new ActivityProvider(services, filter);
  const view = vscode.window.createTreeView(VIEW, {
    treeDataProvider: provider,
    canSelectMany: true,
    showCollapseAll: true,
  });
  const tell = (): void => {
    const state = welcomeState(services, provider);
    void vscode.commands.executeCommand("setContext", STATE_KEY, state);
    view.message = provider.empty ? "" : notice(services);
  };
  provider.setVisible(view.visible);
  tell();
  return vscode.Disposable.from(
    filter,
    provider,
    view,
    view.onDidChangeVisibility(({ visible }) => {
      provider.setVisible(visible);
    }),
    provider.onDidDraw(tell),
    services.memory.onDidChange(tell),
    services.server.onDidChangeState(tell),
    registerTreeCommands(services, provider, filter, view),
  );
}

/** Why the view is empty, the most pressing reason first; `shown` when it is not. */
export function welcomeState(
  { server, memory }: Pick<Services, "server" | "memory">,
  { known, empty }: Pick<ActivityProvider, "known" | "empty">,
): WelcomeState {
  if ((vscode.workspace.workspaceFolders ?? []).length === 0) {
    return "noFolder";
  }
  if (diskFolders().length === 0) {
    return "virtual";
  }
  const { state } = server;
  if (state.kind === "failed") {
    const { error } = state;
    return !(error instanceof ServerMissingError) ? "failed" : error.fix === "choosePath" ? "wrongPath" : "setUp";
  }
  if (!known) {
    return "waiting";
  }
  if (!empty) {
    return "shown";
  }
  return memory.state === "recording" ? "empty" : memory.state;
}

function notice({ memory }: Services): string {
  switch (memory.state) {
    case "recording":
      return "";
    case "paused":
      return vscode.l10n.t("Memory is paused: nothing new is recorded.");
    case "untrusted":
      return vscode.l10n.t("The workspace is not trusted: nothing new is recorded.");
  }
}
