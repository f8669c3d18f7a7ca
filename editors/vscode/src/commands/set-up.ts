/** Sees to it that there is a server: offers to set it up, and tells what is wrong with one, with buttons that help. */
import * as vscode from "vscode";
import { Environment } from "../server/environment";
import { placesOf } from "../server/find";
import { INSTALLED_MB } from "../server/footprint";
import { ServerFailedError, ServerMissingError, ServerOutdatedError } from "../server/launch";
import { asError, type ServerState } from "../server/server";
import type { Services } from "../services";
import { choosePython, chooseServer } from "./set-up-choices";
import { settled, SetUp } from "./set-up-run";
import { userIsThere } from "./user-is-there";

/** Not in the palette: the argument is an error of a request, the answer whether the server runs now. */
export const MEND_SERVER = "contextls.mendServer";
const OFFERED = "setUp.offered";
const SAME_MOMENT_MS = 3_000;

export function registerSetUp(services: Services): vscode.Disposable {
  const care = new ServerCare(services);
  return vscode.Disposable.from(
    vscode.commands.registerCommand("contextls.setUpServer", () => care.chosen()),
    vscode.commands.registerCommand(MEND_SERVER, (error: unknown) => care.mend(asError(error), true)),
    services.server.onDidChangeState((state) => {
      care.stateChanged(state).catch((error: unknown) => {
        services.log.error(asError(error));
      });
    }),
  );
}

class ServerCare {
  private readonly setUp: SetUp;
  /** The last message while it is open, so that a crash which a command and the supervisor both report is told once. */
  private told: { readonly message: string; readonly at: number; readonly mended: Promise<boolean> } | undefined;
  private outdatedTold = false;
  private waiting = false;

  constructor(private readonly services: Services) {
    this.setUp = new SetUp(services);
  }

  /** The user asked for it: what there is to choose from. */
  async chosen(): Promise<boolean> {
    const { extension } = this.services;
    const own = vscode.l10n.t("Set up the server of this extension");
    const python = vscode.l10n.t("Choose Python, then set it up…");
    const program = vscode.l10n.t("Use another contextls program…");
    const items: readonly vscode.QuickPickItem[] = [
      { label: own, iconPath: new vscode.ThemeIcon("cloud-download"), detail: explanation() },
      { label: python, iconPath: new vscode.ThemeIcon("gear") },
      { label: program, iconPath: new vscode.ThemeIcon("folder-opened") },
    ];
    const answer = await vscode.window.showQuickPick(items, { title: vscode.l10n.t("contextls: Set Up Server") });
    if (answer?.label === program) {
      return chooseServer();
    }
    if (answer === undefined || (answer.label === python && !(await choosePython(extension.globalStorageUri.fsPath)))) {
      return false;
    }
    return this.run(true);
  }

  /** Tells what is wrong and helps; `asked`: the user waits for the server now. True once it runs. */
  async mend(error: Error, asked: boolean): Promise<boolean> {
    if (this.setUp.current !== undefined) {
      return this.setUp.current;
    }
    const recent = this.told;
    const offered = error instanceof ServerMissingError && error.fix === "setUp"; // the caller gets a dialog instead
    if (recent?.message === error.message && Date.now() - recent.at < SAME_MOMENT_MS && !(asked && offered)) {
      return recent.mended;
    }
    const told = { message: error.message, at: Date.now(), mended: this.helped(error, asked) };
    this.told = told;
    try {
      return await told.mended;
    } finally {
      this.told = this.told === told ? undefined : this.told;
    }
  }

  async stateChanged(state: ServerState): Promise<void> {
    if (state.kind === "running") {
      await this.checkVersion();
    } else if (state.kind === "failed" && this.setUp.current === undefined) {
      await this.failed(state.error);
    }
  }

  private async failed(error: Error): Promise<void> {
    if (!(error instanceof ServerMissingError) || error.fix !== "setUp") {
      await this.mend(error, false);
    } else if (await this.hasPredecessor()) {
      await this.setUp.run(vscode.l10n.t("Updating the contextls server"));
    } else if (this.services.extension.globalState.get<boolean>(OFFERED) !== true && (await this.isSeen())) {
      await this.services.extension.globalState.update(OFFERED, true);
      await this.mend(error, false);
    }
  }

  /** Whether the offer is still due once it can be seen: the question whether a folder is trusted would stand before it. */
  private async isSeen(): Promise<boolean> {
    if (this.waiting) {
      return false;
    }
    this.waiting = true;
    await userIsThere();
    this.waiting = false;
    return this.services.server.state.kind === "failed" && this.setUp.current === undefined;
  }

  private async helped(error: Error, asked: boolean): Promise<boolean> {
    if (error instanceof ServerMissingError) {
      return error.fix === "setUp" ? this.offer(asked) : this.chooseAnother(error.message);
    }
    if (error instanceof ServerOutdatedError) {
      return this.chooseAnother(error.message);
    }
    return this.restartOrSetUp(error);
  }

  private async offer(asked: boolean): Promise<boolean> {
    const setUp = vscode.l10n.t("Set Up");
    const choose = vscode.l10n.t("Choose Server…");
    const question = vscode.l10n.t("contextls needs its server, a Python program. Set it up now?");
    const answer = asked
      ? await vscode.window.showInformationMessage(question, { modal: true, detail: explanation() }, setUp, choose)
      : await vscode.window.showInformationMessage(`${question} ${explanation()}`, setUp, choose);
    if (answer === choose) {
      return (await chooseServer()) && this.comesUp();
    }
    if (answer !== setUp || !(await this.run(false))) {
      return false;
    }
    if (!asked) {
      void this.invite();
    }
    return true;
  }

  /** The first thing to do with a new server; a command that waited for it does that itself. */
  private async invite(): Promise<void> {
    const ask = vscode.l10n.t("Ask a Question…");
    if ((await vscode.window.showInformationMessage(vscode.l10n.t("The contextls server is ready."), ask)) === ask) {
      await vscode.commands.executeCommand("contextls.copyForQuery");
    }
  }

  /** The server is not the right one: the setting may be changed, or ours used. */
  private async chooseAnother(message: string): Promise<boolean> {
    const setUp = vscode.l10n.t("Set Up");
    const update = vscode.l10n.t("Update Setting…");
    const answer = await vscode.window.showErrorMessage(message, setUp, update);
    if (answer === update) {
      return (await chooseServer()) && this.comesUp();
    }
    return answer === setUp && this.run(false);
  }

  private async restartOrSetUp(error: Error): Promise<boolean> {
    const { log, server } = this.services;
    const restart = vscode.l10n.t("Restart");
    const setUpAgain = vscode.l10n.t("Set Up Again");
    const showLog = vscode.l10n.t("Show Log");
    const own = error instanceof ServerFailedError && error.origin === "environment";
    const answer = await vscode.window.showErrorMessage(error.message, restart, ...(own ? [setUpAgain] : []), showLog);
    if (answer === restart) {
      await server.restart();
      return this.comesUp();
    }
    if (answer === showLog) {
      log.show();
    }
    return answer === setUpAgain && this.run(true);
  }

  private run(again: boolean): Promise<boolean> {
    return this.setUp.run(vscode.l10n.t("Setting up the contextls server"), again);
  }

  private async checkVersion(): Promise<void> {
    const { log, server } = this.services;
    if (server.missing.length === 0 || this.outdatedTold) {
      return;
    }
    this.outdatedTold = true;
    log.warn(`the server lacks ${server.missing.join(", ")}`);
    const version = server.state.kind === "running" ? server.state.version : "";
    const message = vscode.l10n.t(
      "The contextls server ({0}) is older than this extension: {1} of its features will not work.",
      version,
      server.missing.length,
    );
    await this.chooseAnother(message);
  }

  private async hasPredecessor(): Promise<boolean> {
    const { storage, wheel } = await placesOf(this.services.extension);
    return wheel !== undefined && new Environment(storage, wheel).hasPredecessor();
  }

  private async comesUp(): Promise<boolean> {
    return (await settled(this.services.server)).kind === "running";
  }
}

function explanation(): string {
  return vscode.l10n.t(
    "About {0} MB go into a folder of its own, fetched from PyPI with uv or pip in about a minute; uninstalling the extension deletes them. Python 3.11 or newer is all that is needed.",
    INSTALLED_MB,
  );
}
