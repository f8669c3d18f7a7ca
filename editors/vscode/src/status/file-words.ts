/** What the language status says of the file in front, where that is more than how the index stands. */
import { type Command, l10n } from "vscode";
import type { FileStatus } from "../protocol";
import type { FileInFront, FileInside } from "./file";
import { type Condition, number } from "./words";

/** Takes one `Explained`; not in the palette. */
export const EXPLAIN_FILE = "contextls.explainFile";

export interface Explained {
  readonly sentence: string;
  readonly reason: string | null;
  readonly rootUri: string;
}

export interface FileWords {
  /** Behind “contextls: ”. */
  readonly name: string;
  /** A few words: the entry is one line, which also holds the link. */
  readonly detail: string;
  /** All there is to say. */
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
    return { name: l10n.t("not in the workspace"), detail: l10n.t("in no open folder"), sentence, command: details() };
  }
  const { reason, sentence, state } = file.status;
  switch (state) {
    case "indexed":
      return { name: l10n.t("indexed"), detail: chunks(file.status.chunks), sentence, command: details() };
    case "waiting":
      return { name: l10n.t("waiting"), detail: l10n.t("for the next update of the index"), sentence, command: reindex() };
    case "excluded":
      return { name: l10n.t("excluded"), detail: l10n.t("by the working set"), sentence, command: including(file) };
    case "leftOut": {
      const name = IGNORING.has(reason) ? l10n.t("ignored") : l10n.t("left out");
      return { name, detail: causeOf(reason), sentence, command: explaining(file) };
    }
  }
}

function causeOf(reason: string | null): string {
  switch (reason ?? "") {
    case "security":
      return l10n.t("may hold secrets");
    case "settings":
      return l10n.t("by the setting “ignore”");
    case "contextlsignore":
      return l10n.t("by .contextlsignore");
    case "gitignore":
      return l10n.t("by git's ignore rules");
    case "noise":
      return l10n.t("dependencies, build output and the like");
    case "size":
      return l10n.t("too large");
    case "symlink":
      return l10n.t("a symbolic link");
    case "binary":
      return l10n.t("binary");
    case "generated":
      return l10n.t("generated");
    case "minified":
      return l10n.t("minified");
    case "missing":
      return l10n.t("not on disk");
    default:
      return l10n.t("cannot be read");
  }
}

function chunks(count: number): string {
  return count === 1 ? l10n.t("1 chunk") : l10n.t("{0} chunks", number(count));
}

function including(file: FileInside): Command {
  return file.exclusion === undefined
    ? explaining(file)
    : { command: "contextls.include", title: l10n.t("Include in Context"), arguments: [file.exclusion] };
}

function explaining({ status: { sentence, reason }, rootUri }: FileInside): Command {
  const explained: Explained = { sentence, reason, rootUri };
  return { command: EXPLAIN_FILE, title: l10n.t("Why?"), arguments: [explained] };
}

function details(): Command {
  return { command: "contextls.status", title: l10n.t("Details") };
}

function reindex(): Command {
  return { command: "contextls.updateIndex", title: l10n.t("Reindex") };
}
