/** What is pinned, highest priority first, and below it what is excluded. */
import { basename, dirname } from "node:path/posix";
import { l10n, ThemeColor, ThemeIcon, Uri } from "vscode";
import type { ExcludedFile, PinnedFile, ServerEntry, WorkingSetView } from "../protocol";
import type { ActivityNode } from "./node";
import { tooltip } from "./tooltip";

export function workingSetNodes(rootUri: string, set: WorkingSetView): readonly ActivityNode[] {
  const warnings = set.warnings.map((warning, index) => warningNode(rootUri, set.location, warning, index));
  const pins = set.files.map((pin) => pinNode(rootUri, pin));
  const server = set.server.map((entry) => serverNode(rootUri, entry));
  const excluded = set.excluded.map((each) => excludedNode(rootUri, each));
  return [
    ...warnings,
    ...pins,
    ...section(rootUri, "serverSection", l10n.t("By the Server"), "server-process", server),
    ...section(rootUri, "excludedSection", l10n.t("Excluded"), "eye-closed", excluded),
  ];
}

/** A row with others below it; none where there are no others. */
function section(
  rootUri: string,
  name: string,
  label: string,
  icon: string,
  children: readonly ActivityNode[],
): readonly ActivityNode[] {
  const node: ActivityNode = {
    id: `${rootUri}|${name}`,
    rootUri,
    subject: { type: "section" },
    label,
    description: String(children.length),
    icon: new ThemeIcon(icon),
    traits: "section",
    children,
    expanded: false,
  };
  return children.length === 0 ? [] : [node];
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
    ...(pin.by === "person" ? [] : [ownerName(pin.by)]),
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
      [l10n.t("Pinned"), ownerName(pin.by)],
      [l10n.t("Why"), pin.why ?? undefined],
      [l10n.t("Only read from"), pin.includedFrom ?? undefined],
    ]),
    spoken: l10n.t("Pinned {0}, {1}", name, description),
    traits: ["pin", pin.pattern ? "" : pin.folder ? "folder" : "file", pin.problem !== null && "problem", pin.by === "model" && "byModel"].filter(Boolean).join(" "),
  };
}

function serverNode(rootUri: string, entry: ServerEntry): ActivityNode {
  const icons: Readonly<Record<string, string>> = { output: "terminal", raised: "arrow-up", lowered: "arrow-down" };
  return {
    id: `${rootUri}|server|${entry.id}`,
    rootUri,
    subject: { type: "serverEntry", entry },
    label: entry.text,
    description: `${entry.priority.toFixed(2)} · ${entry.why}`,
    icon: new ThemeIcon(icons[entry.kind] ?? "server-process"),
    tooltip: tooltip(entry.text, [
      [l10n.t("Priority"), String(entry.priority)],
      [l10n.t("Why"), entry.why],
    ]),
    spoken: l10n.t("By the server: {0}, {1}", entry.text, entry.why),
    traits: "serverEntry",
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

function ownerName(owner: PinnedFile["by"]): string {
  switch (owner) {
    case "person":
      return l10n.t("by you or your team");
    case "model":
      return l10n.t("by a model");
    case "server":
      return l10n.t("by the server");
  }
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
