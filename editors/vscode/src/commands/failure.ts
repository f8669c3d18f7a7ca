/** The command about the last command that failed in a terminal. */
import * as vscode from "vscode";
import { chosenFolder } from "../folders";
import type { MemoryEvent } from "../protocol";
import type { Services } from "../services";
import { copy } from "./deliver";
import { registerCommand } from "./run";

const RUN = "shell_exec";
const EVENTS_LOOKED_AT = 200;
const MOST_LINES = 12;
const FEWEST_TELLING = 2;
const LINE_CHARS = 300;
/** Lines that say what is wrong, or where. */
const TELLING = /error|exception|fail|panic|assert|fatal|not found|cannot|undefined|File ".*", line \d+|[\w)]:\d+(?::\d+)?\b/iu;

export function registerFailureCommands(services: Services): vscode.Disposable {
  return registerCommand(services, "contextls.copyForFailure", () => copyForFailure(services));
}

async function copyForFailure(services: Services): Promise<void> {
  const folder = await chosenFolder();
  if (folder === undefined) {
    return;
  }
  const rootUri = folder.uri.toString();
  const runs = await services.requests.events(EVENTS_LOOKED_AT, rootUri, undefined, [RUN]);
  const failed = runs.find(({ outcome }) => outcome === "failure");
  if (failed === undefined) {
    void vscode.window.showInformationMessage(vscode.l10n.t("No failed command is remembered in this workspace."));
    return;
  }
  await copy(services, { query: queryFor(failed), strategy: "debug", rootUri });
}

function queryFor({ content }: MemoryEvent): string {
  const command = text(content.command);
  return [`Fix the error: the command \`${command}\` failed.`, ...tellingLines(content)].join("\n");
}

/** The last lines that tell of the error; the last lines of all where none does. */
function tellingLines(content: MemoryEvent["content"]): readonly string[] {
  const printed = text(content.stderr).trim() === "" ? text(content.stdout) : text(content.stderr);
  const lines = printed.split(/\r?\n/u).map((line) => line.trimEnd().slice(0, LINE_CHARS));
  const filled = lines.filter((line) => line.trim() !== "");
  const telling = filled.filter((line) => TELLING.test(line));
  return (telling.length >= FEWEST_TELLING ? telling : filled).slice(-MOST_LINES);
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
