/** The command that shows how things stand, with what can be done about it. */
import * as vscode from "vscode";
import { chosenFolder } from "../folders";
import type { Status } from "../protocol";
import type { Services } from "../services";
import { registerCommand } from "./run";
import { bytes, languages } from "./words";

const REFRESH_MS = 1_000;

interface Row extends vscode.QuickPickItem {
  /** What choosing the row does; rows without it are there to be read. */
  readonly run?: () => Thenable<unknown>;
}

export function registerStatusCommand(services: Services): vscode.Disposable {
  return registerCommand(services, "contextls.status", () => showStatus(services));
}

async function showStatus(services: Services): Promise<void> {
  const folder = await chosenFolder();
  if (folder === undefined) {
    return;
  }
  const box = vscode.window.createQuickPick<Row>();
  box.title = vscode.l10n.t("contextls in {0}", folder.name);
  box.placeholder = vscode.l10n.t("What do you want to do?");
  box.matchOnDescription = true;
  box.keepScrollPosition = true;
  box.items = [...(services.server.state.kind === "running" ? awaitedRows(services) : serverRows(services)), ...actionRows(services)];
  const closed = new vscode.CancellationTokenSource();
  box.onDidHide(() => {
    closed.cancel();
    box.dispose();
  });
  box.onDidAccept(() => {
    const run = box.selectedItems[0]?.run;
    if (run !== undefined) {
      box.hide();
      void run();
    }
  });
  box.show();
  await keepUpToDate(services, box, folder.uri.toString(), closed.token);
}

/** Shows how things stand, and goes on showing it while the index is being built. */
async function keepUpToDate(
  services: Services,
  box: vscode.QuickPick<Row>,
  rootUri: string,
  closed: vscode.CancellationToken,
): Promise<void> {
  box.busy = true;
  for (let changing = true; changing; ) {
    const { items, indexing } = await rowsNow(services, rootUri, closed);
    if (closed.isCancellationRequested) {
      return;
    }
    const chosen = box.activeItems[0]?.label;
    box.items = items;
    box.activeItems = items.filter(({ label }) => label === chosen).slice(0, 1);
    box.busy = indexing;
    changing = indexing;
    await new Promise((resolve) => setTimeout(resolve, REFRESH_MS));
  }
}

async function rowsNow(
  services: Services,
  rootUri: string,
  closed: vscode.CancellationToken,
): Promise<{ readonly items: readonly Row[]; readonly indexing: boolean }> {
  try {
    const status = await services.requests.status(rootUri, closed);
    const items = [...stateRows(services, status), ...actionRows(services), ...placeRows(status)];
    return { items, indexing: status.state === "indexing" };
  } catch (error) {
    return { items: [...serverRows(services, error), ...actionRows(services)], indexing: false };
  }
}

function stateRows(services: Services, status: Status): readonly Row[] {
  const number = (count: number): string => count.toLocaleString(vscode.env.language);
  const rows = [
    row(STATE_ICONS[status.state], vscode.l10n.t("Index"), indexWords(status.state)),
    row(
      "files",
      vscode.l10n.t("Files"),
      vscode.l10n.t("{0} in {1} chunks, {2}", number(status.files), number(status.chunks), bytes(status.indexBytes)),
    ),
    row("code", vscode.l10n.t("Languages"), languages(status.languages)),
    row("filter", vscode.l10n.t("Scope"), scopeWords(status), () => vscode.commands.executeCommand("contextls.setScope")),
    row("history", vscode.l10n.t("Events"), number(status.events)),
    row(services.memory.records ? "record" : "debug-pause", vscode.l10n.t("Memory"), memoryWords(services)),
  ];
  const warnings = status.warnings.map((warning) => row("warning", warning, ""));
  return [...rows, ...warnings];
}

/** The rows of the state before it is known: nothing moves under a finger that is about to choose. */
function awaitedRows(services: Services): readonly Row[] {
  return [
    row("loading~spin", vscode.l10n.t("Index"), "…"),
    row("files", vscode.l10n.t("Files"), "…"),
    row("code", vscode.l10n.t("Languages"), "…"),
    row("filter", vscode.l10n.t("Scope"), "…"),
    row("history", vscode.l10n.t("Events"), "…"),
    row(services.memory.records ? "record" : "debug-pause", vscode.l10n.t("Memory"), memoryWords(services)),
  ];
}

/** Where things lie, and what reads and counts. */
function placeRows(status: Status): readonly Row[] {
  const reveal = (path: string) => (): Thenable<unknown> => {
    const told = vscode.l10n.t("$(clippy) Path copied: {0}", path);
    vscode.window.setStatusBarMessage(told, 5_000);
    return vscode.env.clipboard.writeText(path);
  };
  const skipped = Object.values(status.skipped).reduce((sum, count) => sum + count, 0);
  return [
    separator(vscode.l10n.t("where things lie (choose to copy the path)")),
    row("database", vscode.l10n.t("Index"), status.indexLocation, reveal(status.indexLocation)),
    row("archive", vscode.l10n.t("Events and tasks"), status.stateLocation, reveal(status.stateLocation)),
    separator(vscode.l10n.t("details")),
    row("symbol-ruler", vscode.l10n.t("Tokenizer"), status.tokenizer),
    row("symbol-array", vscode.l10n.t("Embedder"), status.embedder),
    row("exclude", vscode.l10n.t("Ignored files and folders"), skipped.toLocaleString(vscode.env.language)),
  ];
}

/** While there is no answer of the server: what is known of the server itself. */
function serverRows({ server }: Services, error?: unknown): readonly Row[] {
  const { state } = server;
  if (error instanceof Error && state.kind === "running") {
    return [row("error", vscode.l10n.t("Server"), error.message)];
  }
  switch (state.kind) {
    case "running":
      return [row("loading~spin", vscode.l10n.t("Server"), vscode.l10n.t("runs, version {0}", state.version))];
    case "failed":
      return [row("error", vscode.l10n.t("Server"), state.error.message)];
    case "stopped":
      return [row("circle-slash", vscode.l10n.t("Server"), vscode.l10n.t("does not run"))];
    case "starting":
    case "waiting":
      return [row("loading~spin", vscode.l10n.t("Server"), vscode.l10n.t("is starting"))];
  }
}

function actionRows({ memory, server }: Services): readonly Row[] {
  const command = (icon: string, label: string, id: string): Row =>
    row(icon, label, "", () => vscode.commands.executeCommand(id));
  const pause = memory.state === "paused" ? vscode.l10n.t("Resume Memory") : vscode.l10n.t("Pause Memory");
  const setUp = command("tools", vscode.l10n.t("Set Up Server…"), "contextls.setUpServer");
  return [
    separator(vscode.l10n.t("actions")),
    ...(server.state.kind === "failed" ? [setUp] : []),
    command("copy", vscode.l10n.t("Copy Context for a Question…"), "contextls.copyForQuery"),
    command("sync", vscode.l10n.t("Reindex"), "contextls.updateIndex"),
    command("refresh", vscode.l10n.t("Rebuild Index from Scratch"), "contextls.rebuildIndex"),
    ...(memory.state === "untrusted"
      ? []
      : [command(memory.state === "paused" ? "play" : "debug-pause", pause, "contextls.toggleMemory")]),
    command("trash", vscode.l10n.t("Clear Memory…"), "contextls.clearMemory"),
    command("debug-restart", vscode.l10n.t("Restart Server"), "contextls.restartServer"),
    command("output", vscode.l10n.t("Show Log"), "contextls.showLog"),
    row("settings-gear", vscode.l10n.t("Settings"), "", () =>
      vscode.commands.executeCommand("workbench.action.openSettings", "@ext:contextls.contextls"),
    ),
  ];
}

const STATE_ICONS: Readonly<Record<Status["state"], string>> = {
  empty: "circle-outline",
  indexing: "loading~spin",
  ready: "pass",
  stale: "sync-ignored",
};

function indexWords(state: Status["state"]): string {
  switch (state) {
    case "empty":
      return vscode.l10n.t("empty: nothing is indexed yet");
    case "indexing":
      return vscode.l10n.t("being built: answers may lack something");
    case "ready":
      return vscode.l10n.t("complete and up to date");
    case "stale":
      return vscode.l10n.t("out of date: reindex to bring it up to date");
  }
}

function scopeWords({ scope }: Status): string {
  return scope.length > 0 ? scope.join(", ") : vscode.l10n.t("the whole folder");
}

function memoryWords({ memory }: Services): string {
  switch (memory.state) {
    case "recording":
      return vscode.l10n.t("records what you do");
    case "paused":
      return vscode.l10n.t("paused: nothing is recorded");
    case "untrusted":
      return vscode.l10n.t("off: the workspace is not trusted");
  }
}

function row(icon: string, label: string, description: string, run?: () => Thenable<unknown>): Row {
  const shown = { label, description, iconPath: new vscode.ThemeIcon(icon) };
  return run === undefined ? shown : { ...shown, run };
}

function separator(label: string): Row {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
