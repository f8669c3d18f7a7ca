/** What the status says of a snapshot: the most pressing thing first, and never more than is known. */
import { env, l10n } from "vscode";
import { ServerMissingError } from "../server/launch";
import type { FolderStatus, Snapshot } from "./snapshot";

/** How the server marks the installed packages of a scope. */
const INSTALLED = "dependency:";

export type Condition = "setUp" | "failed" | "starting" | "indexing" | "broken" | "stale" | "empty" | "ready";

export interface Summary {
  readonly condition: Condition;
  /** The name of a codicon. */
  readonly icon: string;
  /** For the status bar: short. */
  readonly text: string;
  /** One sentence. */
  readonly sentence: string;
  readonly tone: "plain" | "warning" | "error";
  readonly busy: boolean;
}

export function conditionOf({ server, indexing, folders }: Snapshot): Condition {
  if (server.kind === "failed") {
    return server.error instanceof ServerMissingError ? "setUp" : "failed";
  }
  if (server.kind !== "running") {
    return "starting";
  }
  const states = folders.map(({ status }) => status?.state);
  if (indexing !== undefined || states.includes("indexing")) {
    return "indexing";
  }
  if (folders.some(({ problem }) => problem !== undefined)) {
    return "broken";
  }
  if (states.includes(undefined)) {
    return "starting";
  }
  if (states.includes("stale")) {
    return "stale";
  }
  return states.includes("empty") ? "empty" : "ready";
}

export function summaryOf(snapshot: Snapshot): Summary {
  const condition = conditionOf(snapshot);
  const plain = { condition, tone: "plain", busy: false } as const;
  switch (condition) {
    case "setUp":
      return {
        ...plain,
        icon: "warning",
        text: l10n.t("contextls: set up"),
        sentence: failure(snapshot),
        tone: "warning",
      };
    case "failed":
      return { ...plain, icon: "error", text: l10n.t("contextls: failed"), sentence: failure(snapshot), tone: "error" };
    case "starting":
      return { ...plain, icon: "loading~spin", text: "contextls", sentence: starting(snapshot), busy: true };
    case "indexing":
      return {
        ...plain,
        icon: "loading~spin",
        text: percentText(snapshot.indexing?.percent),
        sentence: snapshot.indexing?.steps.join("; ") ?? l10n.t("Indexing"),
        busy: true,
      };
    case "broken":
      return {
        ...plain,
        icon: "warning",
        text: "contextls",
        sentence: snapshot.folders.map(({ problem }) => problem).find((problem) => problem !== undefined) ?? "",
        tone: "warning",
      };
    case "stale":
      return {
        ...plain,
        icon: "sync-ignored",
        text: l10n.t("contextls: partly indexed"),
        sentence: l10n.t("The index does not have everything yet: answers may lack something. Reindex to complete it."),
      };
    case "empty":
      return {
        ...plain,
        icon: "circle-large-outline",
        text: l10n.t("contextls: not indexed"),
        sentence: l10n.t("Nothing is indexed. Reindex to build the index."),
      };
    case "ready":
      return { ...plain, icon: "layers", text: lastText(snapshot), sentence: countSentence(snapshot.folders) };
  }
}

/** “3,983 tokens”, or undefined before the first context. */
export function tokensText({ last }: Snapshot): string | undefined {
  if (last === undefined) {
    return undefined;
  }
  const count = number(last.tokens);
  return last.exact ? l10n.t("{0} tokens", count) : l10n.t("about {0} tokens", count);
}

/** What questions are limited to, and what else they draw on: sentences for each folder that has a scope. */
export function scopeSentences({ folders }: Snapshot): string[] {
  return folders.flatMap(({ name, status }) => {
    const scope = status?.scope ?? [];
    const inside = scope.filter((entry) => !entry.startsWith(INSTALLED)).join(", ");
    const installed = scope.filter((entry) => entry.startsWith(INSTALLED)).map((entry) => entry.slice(INSTALLED.length));
    const limited =
      folders.length === 1
        ? l10n.t("Questions are limited to {0}", inside)
        : l10n.t("Questions about {0} are limited to {1}", name, inside);
    const drawn = l10n.t("Questions draw on {0} as well", installed.join(", "));
    return [...(inside === "" ? [] : [limited]), ...(installed.length === 0 ? [] : [drawn])];
  });
}

/** How one folder stands. */
export function folderText({ status, problem }: FolderStatus): string {
  if (problem !== undefined) {
    return problem;
  }
  if (status === undefined) {
    return l10n.t("not known yet");
  }
  const counts = l10n.t("{0} files in {1} chunks", number(status.files), number(status.chunks));
  switch (status.state) {
    case "ready":
      return counts;
    case "indexing":
      return l10n.t("indexing; {0} so far", counts);
    case "stale":
      return l10n.t("partly indexed; {0} so far", counts);
    case "empty":
      return l10n.t("nothing indexed");
  }
}

export function number(count: number): string {
  return count.toLocaleString(env.language);
}

function failure({ server }: Snapshot): string {
  return server.kind === "failed" ? server.error.message : "";
}

function starting({ server }: Snapshot): string {
  return server.kind === "waiting"
    ? l10n.t("The server went down and is started again")
    : l10n.t("The server is starting");
}

function percentText(percent: number | undefined): string {
  return percent === undefined ? l10n.t("contextls: indexing") : l10n.t("contextls: {0} %", Math.floor(percent));
}

function lastText(snapshot: Snapshot): string {
  return tokensText(snapshot) ?? "contextls";
}

function countSentence(folders: readonly FolderStatus[]): string {
  const sum = (count: (folder: FolderStatus) => number): string =>
    number(folders.reduce((total, folder) => total + count(folder), 0));
  return l10n.t(
    "Indexed: {0} files in {1} chunks",
    sum(({ status }) => status?.files ?? 0),
    sum(({ status }) => status?.chunks ?? 0),
  );
}
