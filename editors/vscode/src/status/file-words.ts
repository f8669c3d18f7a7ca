/** What the language status says of the file in front, where that is more than how the index stands. */
import { type Command, l10n } from "vscode";
import type { FileStatus } from "../protocol";
import type { FileInFront } from "./file";
import type { Condition } from "./words";

export interface FileWords {
  /** Behind “contextls: ”. */
  readonly name: string;
  readonly sentence: string;
  readonly command: Command;
}

/** Reasons of rules that name paths; all others lie in the file itself. */
const IGNORING: ReadonlySet<string | null> = new Set(["security", "settings", "contextlsignore", "gitignore", "noise"]);
/** The index of a whole folder is told while it is what keeps the file from being found. */
const TELLING: Readonly<Record<FileStatus["state"] | "outside", readonly Condition[]>> = {
  indexed: ["ready", "stale"],
  waiting: ["ready"],
  leftOut: ["ready", "stale", "empty", "indexing"],
  excluded: ["ready", "stale", "empty", "indexing"],
  outside: ["ready", "stale", "empty", "indexing"],
};

/** Undefined where the state of the index is to be told. */
export function fileWords(file: FileInFront | undefined, condition: Condition): FileWords | undefined {
  if (file === undefined || !TELLING[file.kind === "outside" ? "outside" : file.status.state].includes(condition)) {
    return undefined;
  }
  if (file.kind === "outside") {
    const sentence = l10n.t("This file is in no open folder: prompts do not draw on it.");
    return { name: l10n.t("not in the workspace"), sentence, command: details() };
  }
  const { sentence, state } = file.status;
  return { name: nameOf(file.status), sentence, command: state === "waiting" ? reindex() : including(file) };
}

function nameOf({ state, reason }: FileStatus): string {
  switch (state) {
    case "indexed":
      return l10n.t("indexed");
    case "waiting":
      return l10n.t("waiting");
    case "excluded":
      return l10n.t("excluded");
    case "leftOut":
      return IGNORING.has(reason) ? l10n.t("ignored") : l10n.t("left out");
  }
}

function including({ exclusion }: Extract<FileInFront, { kind: "inside" }>): Command {
  return exclusion === undefined
    ? details()
    : { command: "contextls.include", title: l10n.t("Include in Context"), arguments: [exclusion] };
}

function details(): Command {
  return { command: "contextls.status", title: l10n.t("Details") };
}

function reindex(): Command {
  return { command: "contextls.updateIndex", title: l10n.t("Reindex") };
}
