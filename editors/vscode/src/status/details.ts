/** The tooltip of the status bar: how things stand, and links for what can be done. */
import { l10n, MarkdownString } from "vscode";
import { escaped } from "../markdown";
import type { Snapshot } from "./snapshot";
import { conditionOf, folderText, number, scopeSentences, summaryOf, tokensText } from "./words";

const QUERY_CHARS = 80;

interface Link {
  readonly command: string;
  readonly icon: string;
  readonly title: string;
}

/** All commands that the links may run. */
const COMMANDS = [
  "contextls.toggleMemory",
  "contextls.updateIndex",
  "contextls.stopIndexing",
  "contextls.setUpServer",
  "contextls.restartServer",
  "contextls.openPanel",
  "contextls.setScope",
  "contextls.status",
  "contextls.showLog",
  "workbench.trust.manage",
] as const;

export function details(snapshot: Snapshot): MarkdownString {
  const text = new MarkdownString("", true);
  text.isTrusted = { enabledCommands: COMMANDS };
  const { icon, sentence } = summaryOf(snapshot);
  text.appendMarkdown(`**contextls**${line(icon, sentence)}`);
  const told = snapshot.server.kind === "running";
  if (told && (snapshot.folders.length > 1 || conditionOf(snapshot) !== "ready")) {
    for (const folder of snapshot.folders) {
      text.appendMarkdown(line("folder", `${folder.name}: ${folderText(folder)}`));
    }
  }
  for (const sentence of scopeSentences(snapshot)) {
    text.appendMarkdown(`${line("filter", sentence)} · [${l10n.t("Change")}](command:contextls.setScope)`);
  }
  const events = snapshot.folders.reduce((sum, { status }) => sum + (status?.events ?? 0), 0);
  if (told) {
    text.appendMarkdown(line("history", l10n.t("{0} events remembered", number(events))));
  }
  const tokens = tokensText(snapshot);
  if (tokens !== undefined && snapshot.last !== undefined) {
    text.appendMarkdown(line("layers", l10n.t("{0} for “{1}”", tokens, short(snapshot.last.query))));
  }
  text.appendMarkdown(memoryLine(snapshot));
  for (const warning of snapshot.folders.flatMap(({ status }) => status?.warnings ?? [])) {
    text.appendMarkdown(line("warning", warning));
  }
  return text.appendMarkdown(`\n\n---\n\n${links(snapshot).map(linkText).join(" &nbsp;&nbsp; ")}`);
}

function memoryLine({ memory, server }: Snapshot): string {
  if (server.kind !== "running") {
    return line("circle-slash", l10n.t("Nothing is recorded while the server does not run"));
  }
  switch (memory) {
    case "recording":
      return line("record", l10n.t("Memory records what you do"));
    case "paused":
      return line("debug-pause", l10n.t("Memory is paused: nothing is recorded"));
    case "untrusted":
      return line("shield", l10n.t("The workspace is not trusted: nothing is recorded"));
  }
}

function links(snapshot: Snapshot): readonly Link[] {
  const condition = conditionOf(snapshot);
  const { memory } = snapshot;
  const setUp = { command: "contextls.setUpServer", icon: "tools", title: l10n.t("Set up") };
  const restart = { command: "contextls.restartServer", icon: "debug-restart", title: l10n.t("Restart") };
  const stop = { command: "contextls.stopIndexing", icon: "debug-stop", title: l10n.t("Stop indexing") };
  const reindex = { command: "contextls.updateIndex", icon: "sync", title: l10n.t("Reindex") };
  const panel = { command: "contextls.openPanel", icon: "layers", title: l10n.t("Context") };
  const log = { command: "contextls.showLog", icon: "output", title: l10n.t("Log") };
  const pause = { command: "contextls.toggleMemory", icon: "debug-pause", title: l10n.t("Pause memory") };
  const resume = { command: "contextls.toggleMemory", icon: "play", title: l10n.t("Resume memory") };
  const trust = { command: "workbench.trust.manage", icon: "shield", title: l10n.t("Trust") };
  const ofMemory = { recording: pause, paused: resume, untrusted: trust }[memory];
  switch (condition) {
    case "setUp":
      return [setUp, log];
    case "failed":
      return [restart, log];
    case "starting":
      return [ofMemory, log];
    case "indexing":
      return [stop, ofMemory, log];
    case "broken":
    case "stale":
    case "empty":
    case "ready":
      return [reindex, ofMemory, panel, log];
  }
}

function line(icon: string, text: string): string {
  return `\n\n$(${icon}) ${escaped(text)}`;
}

function linkText({ command, icon, title }: Link): string {
  return `[$(${icon}) ${title}](command:${command})`;
}

function short(query: string): string {
  const line = query.split("\n", 1)[0] ?? "";
  return line.length > QUERY_CHARS ? `${line.slice(0, QUERY_CHARS - 1)}…` : line;
}
