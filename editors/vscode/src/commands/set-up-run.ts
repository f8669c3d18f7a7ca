/** Sets the server up: with progress that can be cancelled, and failures whose buttons mend them. */
import * as vscode from "vscode";
import { Environment } from "../server/environment";
import { type Failure, failureOf, type Mend, SetUpError, type Step } from "../server/failures";
import { placesOf } from "../server/find";
import { remember } from "../server/footprint";
import { install, type Progress } from "../server/install";
import { alone } from "../server/lock";
import { liesIn } from "../server/programs";
import type { PythonPlaces } from "../server/python";
import { asError, type Server, type ServerState } from "../server/server";
import type { Services } from "../services";
import { serverSettings } from "../settings";
import { choosePython, chooseServer, useOwnServer } from "./set-up-choices";

const PYTHON_DOWNLOADS = "https://www.python.org/downloads/";

const INDEX_MS = 15_000;
const LOOK_MS = 250;

type Outcome = "done" | "cancelled" | Failure;

export class SetUp {
  private running: Promise<boolean> | undefined;

  constructor(private readonly services: Services) {}

  /** The set-up that goes on now, for those who would only start another. */
  get current(): Promise<boolean> | undefined {
    return this.running;
  }

  /**
   * Makes the environment where it is not there yet (`again`: in any case) and starts the server from it. Resolves with
   * whether the server runs; failures were told. One set-up at a time: who asks meanwhile waits for that one.
   */
  run(title: string, again = false): Promise<boolean> {
    this.running ??= this.untilDone(title, again).finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  private async untilDone(title: string, again: boolean): Promise<boolean> {
    for (;;) {
      const outcome = await this.attempt(title, again);
      if (outcome === "done" || outcome === "cancelled") {
        return outcome === "done";
      }
      const next = await this.mend(outcome);
      if (next !== "again") {
        return next === "done";
      }
    }
  }

  private async attempt(title: string, again: boolean): Promise<Outcome> {
    const { log } = this.services;
    try {
      const location = vscode.ProgressLocation.Notification;
      return await vscode.window.withProgress({ location, title, cancellable: true }, async (shown, token) =>
        this.make(again, reporter(shown), token),
      );
    } catch (error) {
      log.error(asError(error));
      return error instanceof SetUpError ? error.failure : failureOf("create", [asError(error).message]);
    }
  }

  private async make(again: boolean, progress: Progress, token: vscode.CancellationToken): Promise<Outcome> {
    const { extension, log, server } = this.services;
    const places = await placesOf(extension);
    if (places.wheel === undefined) {
      const message = vscode.l10n.t("This build of the extension carries no server.");
      throw new SetUpError({ step: "find", message, mends: ["chooseServer"], final: true });
    }
    const environment = new Environment(places.storage, places.wheel);
    if (again) {
      await server.stop();
    }
    const made = await alone(places.storage, token, async () => {
      if (!again && (await environment.isComplete())) {
        return environment;
      }
      await remember(places.extension, places.storage);
      const python = await pythonPlaces(places);
      return install({ environment, python, variables: proxyVariables(), progress, log, token });
    });
    if (made === undefined) {
      return "cancelled";
    }
    progress("start", 0.97, "");
    await this.startOwn();
    progress("start", 0.99, vscode.l10n.t("reading the workspace"));
    await this.firstIndex(token);
    await environment.removePredecessors();
    return "done";
  }

  /** Starts the server of the environment; rejects with `SetUpError` when it does not run. */
  private async startOwn(): Promise<void> {
    const { server } = this.services;
    if (serverSettings().path !== "") {
      await useOwnServer();
    }
    await server.restart();
    const state = await settled(server);
    if (state.kind === "failed") {
      throw new SetUpError(failureOf("start", [state.error.message]));
    }
  }

  /** Waits a while for the first index, so that the first question finds something; a large workspace goes on alone. */
  private async firstIndex(token: vscode.CancellationToken): Promise<void> {
    const { log, requests } = this.services;
    const until = Date.now() + INDEX_MS;
    try {
      for (const folder of vscode.workspace.workspaceFolders ?? []) {
        while (Date.now() < until && !token.isCancellationRequested) {
          const { state } = await requests.status(folder.uri.toString(), token);
          if (state === "ready") {
            break;
          }
          await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
        }
      }
    } catch (error) {
      log.warn(asError(error).message);
    }
  }

  /** Tells a failure; `again` when something was mended, `done` when another server was chosen. */
  private async mend(failure: Failure): Promise<"again" | "done" | "given up"> {
    const { extension, log } = this.services;
    const again = vscode.l10n.t("Try Again");
    const showLog = vscode.l10n.t("Show Log");
    const titles = new Map<string, Mend>(failure.mends.map((mend) => [mendTitle(mend), mend]));
    const buttons = failure.mends.includes("installPython") ? [...titles.keys()] : [again, ...titles.keys(), showLog];
    const answer = await vscode.window.showErrorMessage(failure.message, ...buttons);
    if (answer === again) {
      return "again";
    }
    if (answer === showLog) {
      log.show();
      return "given up";
    }
    switch (titles.get(answer ?? "")) {
      case "installPython":
        await vscode.env.openExternal(vscode.Uri.parse(PYTHON_DOWNLOADS));
        return this.waitForPython();
      case "choosePython":
        return (await choosePython(extension.globalStorageUri.fsPath)) ? "again" : "given up";
      case "chooseServer":
        return (await chooseServer()) ? "done" : "given up";
      case undefined:
        return "given up";
    }
  }

  private async waitForPython(): Promise<"again" | "given up"> {
    const goOn = vscode.l10n.t("Go On");
    const question = vscode.l10n.t("Go on with the contextls server once Python is installed.");
    return (await vscode.window.showInformationMessage(question, goOn)) === goOn ? "again" : "given up";
  }
}

/** The server's state once it neither starts nor waits to be started again. */
export function settled(server: Server): Promise<ServerState> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (server.state.kind === "running" || server.state.kind === "failed") {
        watch.dispose();
        resolve(server.state);
      }
    };
    const watch = server.onDidChangeState(check);
    check();
  });
}

function mendTitle(mend: Mend): string {
  switch (mend) {
    case "installPython":
      return vscode.l10n.t("Install Python");
    case "choosePython":
      return vscode.l10n.t("Choose Python…");
    case "chooseServer":
      return vscode.l10n.t("Choose Server…");
  }
}

/** Where to look for Python; what another extension has selected counts unless it lies in the workspace. */
async function pythonPlaces(places: Awaited<ReturnType<typeof placesOf>>): Promise<PythonPlaces> {
  const { search, storage: cwd } = places;
  const selected = selectedInterpreter();
  const known = selected !== undefined && !(await liesIn(selected, search.barred)) ? [selected] : [];
  return { search, cwd, chosen: serverSettings().python, known };
}

/** The interpreter that the Python extension has selected, where it runs already and says so. */
function selectedInterpreter(): string | undefined {
  interface PythonApi {
    readonly environments?: { getActiveEnvironmentPath?(): { readonly path?: string } | undefined };
  }
  const python = vscode.extensions.getExtension<PythonApi | undefined>("ms-python.python");
  return python?.isActive === true ? python.exports?.environments?.getActiveEnvironmentPath?.()?.path : undefined;
}

/** The editor's own proxy for the tools, where the environment names none. */
function proxyVariables(): Readonly<Record<string, string | undefined>> {
  const proxy = vscode.workspace.getConfiguration("http").inspect<string>("proxy")?.globalValue ?? "";
  const named = process.env.HTTPS_PROXY ?? process.env.https_proxy ?? process.env.ALL_PROXY;
  return proxy === "" || named !== undefined ? {} : { HTTPS_PROXY: proxy, HTTP_PROXY: proxy };
}

function reporter(shown: vscode.Progress<{ message?: string; increment?: number }>): Progress {
  let reached = 0;
  return (step, fraction, line) => {
    const increment = Math.max(0, fraction - reached) * 100;
    reached = Math.max(reached, fraction);
    const percent = `${Math.round(reached * 100)} %`;
    const words = [stepTitle(step), percent, line.length > 60 ? `${line.slice(0, 59)}…` : line];
    shown.report({ increment, message: words.filter((word) => word !== "").join(" · ") });
  };
}

function stepTitle(step: Step): string {
  switch (step) {
    case "find":
      return vscode.l10n.t("looking for Python");
    case "create":
      return vscode.l10n.t("making an environment");
    case "install":
      return vscode.l10n.t("installing");
    case "start":
      return vscode.l10n.t("starting for the first time");
  }
}
