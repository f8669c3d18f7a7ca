/** Finds the server: the user's own choice first, then our environment, then one on the path. */
import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import * as vscode from "vscode";
import type { ServerSettings } from "../settings";
import { runChild } from "./child";
import { Environment } from "./environment";
import { remember } from "./footprint";
import { type Launch, ServerMissingError } from "./launch";
import { isProgram, programsNamed, type Search, wholePath } from "./programs";
import { carriedWheel, type Wheel } from "./wheel";

const VERSION_MS = 20_000;

/** Where the server may be. */
export interface Places {
  /** The extension's own folder, which its uninstallation knows. */
  readonly extension: string;
  /** The extension's storage for all workspaces: our environments lie here, and here every program is run. */
  readonly storage: string;
  /** What the extension carries; undefined where it was not packaged. */
  readonly wheel: Wheel | undefined;
  readonly search: Search;
}

export async function placesOf(extension: vscode.ExtensionContext): Promise<Places> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const barred = folders.filter((folder) => folder.uri.scheme === "file").map((folder) => folder.uri.fsPath);
  const storage = extension.globalStorageUri.fsPath;
  await mkdir(storage, { recursive: true });
  return {
    extension: extension.extensionPath,
    storage,
    wheel: await carriedWheel(extension.extensionPath),
    search: { path: wholePath(), barred },
  };
}

/** Rejects with `ServerMissingError` when there is none. */
export async function findServer(settings: ServerSettings, places: Places): Promise<Launch> {
  const { storage: cwd, wheel } = places;
  if (settings.path !== "") {
    const command = settings.path.replace(/^~(?=[/\\])/, homedir());
    if (!(await isProgram(command))) {
      throw new ServerMissingError(
        vscode.l10n.t("There is no program at “{0}”, which the setting contextls.server.path names.", settings.path),
        "choosePath",
      );
    }
    return { command, args: ["serve"], origin: "setting", cwd };
  }
  if (wheel !== undefined) {
    const environment = new Environment(places.storage, wheel);
    if (await environment.isComplete()) {
      await remember(places.extension, places.storage);
      return environment.launch;
    }
  }
  const onPath = await findOnPath(places);
  if (onPath !== undefined) {
    return { command: onPath, args: ["serve"], origin: "path", cwd };
  }
  throw wheel === undefined
    ? new ServerMissingError(
        vscode.l10n.t("This build of the extension carries no server; name one in the setting contextls.server.path."),
        "choosePath",
      )
    : new ServerMissingError(vscode.l10n.t("The contextls server is not set up yet."), "setUp");
}

/** One that says it has the version of our wheel; without a wheel to compare with, any. */
async function findOnPath({ search, storage, wheel }: Places): Promise<string | undefined> {
  for (const program of await programsNamed("contextls", search)) {
    if (wheel === undefined || (await versionOf(program, storage)) === wheel.version) {
      return program;
    }
  }
  return undefined;
}

async function versionOf(program: string, cwd: string): Promise<string | undefined> {
  const ended = await runChild(program, ["--version"], { cwd, timeoutMs: VERSION_MS });
  const said = ended.lines.map((line) => /^contextls (\S+)$/.exec(line)?.[1]);
  return ended.status === 0 ? said.find((version) => version !== undefined) : undefined;
}
