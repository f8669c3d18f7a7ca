/** What is pinned, highest priority first, and below it what is excluded. */
import { basename, dirname } from "node:path/posix";
import { l10n, ThemeColor, ThemeIcon, Uri } from "vscode";
import type { ExcludedFile, PinnedFile, WorkingSetView } from "../protocol";
import type { ActivityNode } from "./node";
import { tooltip } from "./tooltip";

export function workingSetNodes(rootUri: string, set: WorkingSetView): readonly ActivityNode[] {
  const warnings = set.warnings.map((warning, index) => warningNode(rootUri, set.location, warning, index));
  const pins = set.files.map((pin) => pinNode(rootUri, pin));
  if (set.excluded.length === 0) {
    return [...warnings, ...pins];
  }
  const section: ActivityNode = {
    id: `${rootUri}|excludedSection`,
    rootUri,
    subject: { type: "section" },
    label: l10n.t("Excluded"),
    description: String(set.excluded.length),
    icon: new ThemeIcon("eye-closed"),
    traits: "section",
    children: set.excluded.map((excluded) => excludedNode(rootUri, excluded)),
    expanded: false,
  };
  return [...warnings, ...pins, section];
}

/** The name of what is pinned or excluded, as the server writes it. */
export function targetName({ target }: { readonly target: string }): string {
  return withoutSlash(target);
}

function pinNode(rootUri: string, pin: PinnedFile): ActivityNode {
  const name = targetName(pin);
  const description = [
    ...(pin.symbol === null ? [] : [basename(pin.path)]),
    pin.priority.toFixed(2),
    ...(pin.role === "context" ? [] : [roleName(pin.role)]),
    ...(pin.truncateStrategy === "middle" ? [] : [truncationName(pin.truncateStrategy)]),
    ...(pin.maxLines === null ? [] : [l10n.t("{0} lines at most", pin.maxLines)]),
    ...(pin.includedFrom === null ? [] : [l10n.t("from {0}", pin.includedFrom)]),
    ...(pin.problem === null ? [] : [pin.problem]),
  ].join(" · ");
  return {
    id: `${rootUri}|pin|${name}`,
    rootUri,
    subject: { type: "pin", pin },
    label: labelOf(pin),
    description,
    ...lookOf(rootUri, pin, pin.problem !== null),
    tooltip: tooltip(name, [
      [l10n.t("Problem"), pin.problem ?? undefined],
      [l10n.t("Priority"), String(pin.priority)],
      [l10n.t("Role"), roleName(pin.role)],
      [l10n.t("When there is too little room"), truncationName(pin.truncateStrategy)],
      [l10n.t("Lines at most"), pin.maxLines === null ? undefined : String(pin.maxLines)],
      [l10n.t("Only read from"), pin.includedFrom ?? undefined],
    ]),
    spoken: l10n.t("Pinned {0}, {1}", name, description),
    traits: ["pin", pin.pattern ? "" : pin.folder ? "folder" : "file", pin.problem !== null && "problem"].filter(Boolean).join(" "),
  };
}

function excludedNode(rootUri: string, excluded: ExcludedFile): ActivityNode {
  const name = targetName(excluded);
  const folder = dirname(excluded.path);
  return {
    id: `${rootUri}|excluded|${name}`,
    rootUri,
    subject: { type: "excluded", excluded },
    label: labelOf(excluded),
    description: excluded.symbol !== null ? basename(excluded.path) : folder === "." ? "" : folder,
    ...lookOf(rootUri, excluded, false),
    tooltip: tooltip(l10n.t("{0} never enters a prompt", name), []),
    spoken: l10n.t("Excluded {0}", name),
    traits: excluded.folder ? "excluded folder" : "excluded file",
  };
}

function warningNode(rootUri: string, location: string, warning: string, index: number): ActivityNode {
  return {
    id: `${rootUri}|workingSetWarning|${index}`,
    rootUri,
    subject: { type: "manifest", location },
    label: warning,
    icon: new ThemeIcon("warning", new ThemeColor("list.warningForeground")),
    tooltip: tooltip(warning, [[l10n.t("In"), location]]),
    spoken: l10n.t("Warning about the working set: {0}", warning),
    traits: "manifest",
  };
}

function labelOf(target: ExcludedFile | PinnedFile): string {
  if ("pattern" in target && target.pattern) {
    return target.path; // its last part alone says nothing
  }
  const name = basename(withoutSlash(target.symbol === null ? target.target : target.path));
  return target.symbol ?? (target.folder ? `${name}/` : name);
}

function withoutSlash(path: string): string {
  return path.replace(/\/+$/u, "") || path;
}

function lookOf(
  rootUri: string,
  target: ExcludedFile | PinnedFile,
  problem: boolean,
): { readonly icon: ThemeIcon; readonly resource?: Uri } {
  if (problem) {
    return { icon: new ThemeIcon("warning", new ThemeColor("list.warningForeground")) };
  }
  if (target.symbol !== null) {
    return { icon: new ThemeIcon("symbol-method", new ThemeColor("symbolIcon.methodForeground")) };
  }
  if ("pattern" in target && target.pattern) {
    return { icon: new ThemeIcon("files") };
  }
  if (target.folder) {
    return { icon: new ThemeIcon("folder") }; // many icon themes have none for folders
  }
  return { icon: ThemeIcon.File, resource: Uri.joinPath(Uri.parse(rootUri), target.path) };
}

export function roleName(role: string): string {
  switch (role) {
    case "system":
      return l10n.t("system");
    case "developer":
      return l10n.t("developer");
    case "user":
      return l10n.t("user");
    case "context":
      return l10n.t("context");
    default:
      return role;
  }
}

export function truncationName(strategy: string): string {
  switch (strategy) {
    case "never":
      return l10n.t("whole or not at all");
    case "start":
      return l10n.t("cut the start");
    case "middle":
      return l10n.t("cut the middle");
    case "end":
      return l10n.t("cut the end");
    default:
      return strategy;
  }
}
