/** Finds the server: the user's own choice first, then ours, then one on the path. */
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, join } from "node:path";
import * as vscode from "vscode";
import { type Launch, ServerMissingError } from "./launch";
import type { ServerSettings } from "../settings";

const PROGRAM = process.platform === "win32" ? "contextls.exe" : "contextls";

/** Rejects with `ServerMissingError` when there is none. */
export async function findServer(settings: ServerSettings): Promise<Launch> {
  if (settings.path !== "") {
    if (!(await isProgram(settings.path))) {
      throw new ServerMissingError(
        vscode.l10n.t("There is no program at “{0}”, which the setting contextls.server.path names.", settings.path),
        "choosePath",
      );
    }
    return { command: settings.path, args: ["serve"], origin: "setting" };
  }
  const onPath = await findOnPath();
  if (onPath !== undefined) {
    return { command: onPath, args: ["serve"], origin: "path" };
  }
  throw new ServerMissingError(vscode.l10n.t("The contextls server is not set up yet."), "setUp");
}

async function findOnPath(): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const program = join(folder, PROGRAM);
    if (folder !== "" && (await isProgram(program))) {
      return program;
    }
  }
  return undefined;
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
