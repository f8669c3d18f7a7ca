/** Lets the user say which Python, or which server, is used. */
import { homedir } from "node:os";
import * as vscode from "vscode";
import { isNewEnough, probe } from "../server/python";

const SERVER_SETTINGS = "contextls.server";

/** Asks for a Python and keeps it in the settings; false when the question was dismissed or the answer would not do. */
export async function choosePython(cwd: string): Promise<boolean> {
  const path = await chooseProgram(vscode.l10n.t("Choose Python 3.11 or Newer"));
  if (path === undefined) {
    return false;
  }
  const python = await probe([path], cwd);
  if (python === undefined || !isNewEnough(python)) {
    const what =
      python === undefined
        ? vscode.l10n.t("“{0}” is no Python that can be run.", path)
        : vscode.l10n.t("“{0}” is Python {1}; contextls needs 3.11 or newer.", path, python.version.join("."));
    void vscode.window.showErrorMessage(what);
    return false;
  }
  await keep("python", path);
  return true;
}

/** Asks for a `contextls` program and keeps it in the settings, which starts it. */
export async function chooseServer(): Promise<boolean> {
  const path = await chooseProgram(vscode.l10n.t("Choose the contextls Program"));
  if (path !== undefined) {
    await keep("path", path);
  }
  return path !== undefined;
}

/** From now on the server of the extension's own environment is used. */
export async function useOwnServer(): Promise<void> {
  await keep("path", undefined);
}

async function chooseProgram(title: string): Promise<string | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    title,
    openLabel: vscode.l10n.t("Choose"),
    defaultUri: vscode.Uri.file(homedir()),
    canSelectMany: false,
  });
  return chosen?.[0]?.fsPath;
}

async function keep(name: "path" | "python", value: string | undefined): Promise<void> {
  const settings = vscode.workspace.getConfiguration(SERVER_SETTINGS);
  await settings.update(name, value, vscode.ConfigurationTarget.Global);
}
