/** The rows at the top: workspace folders where there are several, and the four groups of each. */
import { l10n, ThemeColor, ThemeIcon, type Uri } from "vscode";
import type { ActivityNode, Group } from "./node";
import { tooltip } from "./tooltip";

export function folderNode(folder: { readonly uri: Uri; readonly name: string }, first: boolean): ActivityNode {
  const rootUri = folder.uri.toString();
  return {
    id: rootUri,
    rootUri,
    subject: { type: "folder" },
    label: folder.name,
    icon: new ThemeIcon("root-folder"),
    tooltip: tooltip(folder.uri.fsPath, []),
    traits: "folderRoot",
    expanded: first,
  };
}

/** `count` is shown behind the name; `filtered` says that not all kinds of events are. */
export function groupNode(
  rootUri: string,
  group: Group,
  state: { readonly count: number; readonly more: boolean; readonly filtered: boolean; readonly expanded: boolean },
): ActivityNode {
  const count = state.count === 0 ? l10n.t("none") : `${state.count}${state.more ? "+" : ""}`;
  const description = group === "events" && state.filtered ? `${count} · ${l10n.t("filtered")}` : count;
  return {
    id: `${rootUri}|${group}`,
    rootUri,
    subject: { type: "group", group },
    label: groupName(group),
    description,
    tooltip: tooltip(groupHelp(group), []),
    spoken: l10n.t("{0}: {1}", groupName(group), description),
    traits: `group ${group}`,
    expanded: state.expanded,
  };
}

/** One row that says why there is nothing else. */
export function messageNode(rootUri: string, group: Group, message: string, failed: boolean): ActivityNode {
  const icon = failed ? new ThemeIcon("warning", new ThemeColor("list.warningForeground")) : undefined;
  return {
    id: `${rootUri}|${group}|message`,
    rootUri,
    subject: { type: "message" },
    ...(icon === undefined ? { label: "", description: message } : { label: message, icon }),
    tooltip: tooltip(message, []),
    spoken: message,
    traits: "message",
  };
}

export function emptyMessage(group: Group, filtered: boolean): string {
  switch (group) {
    case "workingSet":
      return l10n.t("Pin a file, and it enters every prompt");
    case "tasks":
      return l10n.t("Begin a task, and prompts lead with it");
    case "events":
      return filtered ? l10n.t("No event of these kinds") : l10n.t("Nothing happened yet");
    case "patterns":
      return l10n.t("Habits show here once they repeat");
  }
}

function groupName(group: Group): string {
  switch (group) {
    case "workingSet":
      return l10n.t("Working Set");
    case "tasks":
      return l10n.t("Tasks");
    case "events":
      return l10n.t("Recent Events");
    case "patterns":
      return l10n.t("Patterns");
  }
}

function groupHelp(group: Group): string {
  switch (group) {
    case "workingSet":
      return l10n.t("Files that always enter the prompt, and files that never do");
    case "tasks":
      return l10n.t("What is being worked on");
    case "events":
      return l10n.t("What happened in editors, terminals and git, newest first");
    case "patterns":
      return l10n.t("Habits counted in events and commits");
  }
}
