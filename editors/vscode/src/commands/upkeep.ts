/** Commands that look after the memory and the server: reindex, clear, pause, restart. */
import * as vscode from "vscode";
import { chosenFolder } from "../folders";
import type { IndexReport, Status } from "../protocol";
import type { Services } from "../services";
import { registerCommand, withProgress } from "./run";
import { bytes } from "./words";

const TOLD_MS = 8_000;

export function registerUpkeepCommands(services: Services): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand(services, "contextls.updateIndex", () => index(services, false)),
    registerCommand(services, "contextls.rebuildIndex", () => index(services, true)),
    registerCommand(services, "contextls.clearMemory", () => clearMemory(services)),
    registerCommand(services, "contextls.toggleMemory", () => toggleMemory(services)),
    registerCommand(services, "contextls.restartServer", () => restart(services)),
    registerCommand(services, "contextls.showLog", () => {
      services.log.show();
      return Promise.resolve();
    }),
  );
}

/** Answers with the report of the server, for the caller of the command. */
async function index(services: Services, rebuild: boolean): Promise<IndexReport | undefined> {
  const folder = await chosenFolder();
  if (folder === undefined) {
    return undefined;
  }
  const title = rebuild
    ? vscode.l10n.t("Rebuilding the index of {0}", folder.name)
    : vscode.l10n.t("Reindexing {0}", folder.name);
  const report = await withProgress(title, (token) =>
    services.requests.index(rebuild, folder.uri.toString(), token),
  );
  const figures = [report.files, report.changed, report.removed].map((each) => each.toLocaleString(vscode.env.language));
  const told = vscode.l10n.t("$(check) Index up to date: {0} files, {1} changed, {2} removed", ...figures);
  vscode.window.setStatusBarMessage(told, TOLD_MS);
  return report;
}

async function clearMemory(services: Services): Promise<void> {
  const folder = await chosenFolder();
  if (folder === undefined) {
    return;
  }
  const rootUri = folder.uri.toString();
  const status = await services.requests.status(rootUri);
  const onlyIndex = vscode.l10n.t("Delete Index");
  const onlyEvents = vscode.l10n.t("Delete Events");
  const both = vscode.l10n.t("Delete Both");
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t("What should contextls forget about {0}?", folder.name),
    { modal: true, detail: whatIsDeleted(status) },
    onlyIndex,
    onlyEvents,
    both,
  );
  if (answer === undefined) {
    return;
  }
  // What was said is as much a record of what happened as events are.
  const what = {
    index: answer !== onlyEvents,
    events: answer !== onlyIndex,
    conversations: answer !== onlyIndex,
  };
  const cleared = await withProgress(
    vscode.l10n.t("Clearing memory"),
    () => services.requests.clear(what, rootUri),
    false,
  );
  const events = cleared.events.toLocaleString(vscode.env.language);
  const told = !what.events
    ? vscode.l10n.t("$(trash) Index deleted")
    : what.index
      ? vscode.l10n.t("$(trash) Index and {0} events deleted", events)
      : vscode.l10n.t("$(trash) {0} events deleted", events);
  vscode.window.setStatusBarMessage(told, TOLD_MS);
}

function whatIsDeleted({ files, chunks, events, indexBytes, indexLocation, stateLocation }: Status): string {
  const language = vscode.env.language;
  return [
    vscode.l10n.t(
      "Index: {0} chunks of {1} files ({2}) in {3}. It can be built again from the files.",
      chunks.toLocaleString(language),
      files.toLocaleString(language),
      bytes(indexBytes),
      indexLocation,
    ),
    vscode.l10n.t(
      "Events: {0} in {1}, and the conversations there. They cannot be brought back.",
      events.toLocaleString(language),
      stateLocation,
    ),
    vscode.l10n.t("Your files, tasks, feedback, pins and exclusions stay as they are."),
  ].join("\n\n");
}

async function toggleMemory({ memory }: Services): Promise<void> {
  if (memory.state === "untrusted") {
    const manage = vscode.l10n.t("Manage Workspace Trust");
    const told = vscode.l10n.t("Nothing is recorded in a workspace that is not trusted.");
    if ((await vscode.window.showInformationMessage(told, manage)) === manage) {
      await vscode.commands.executeCommand("workbench.trust.manage");
    }
    return;
  }
  await memory.toggle();
  const told = memory.records
    ? vscode.l10n.t("$(record) Memory goes on: what you do here is recorded")
    : vscode.l10n.t("$(debug-pause) Memory is paused: nothing is recorded here");
  vscode.window.setStatusBarMessage(told, TOLD_MS);
}

async function restart({ server }: Services): Promise<void> {
  await withProgress(vscode.l10n.t("Restarting the contextls server"), () => server.restart(), false);
  if (server.state.kind === "failed") {
    throw server.state.error;
  }
  vscode.window.setStatusBarMessage(vscode.l10n.t("$(check) The contextls server was restarted"), TOLD_MS);
}
