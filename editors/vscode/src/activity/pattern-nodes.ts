/** The habits of the workspace, surest first, with the numbers behind them. */
import { basename, dirname } from "node:path/posix";
import { l10n, ThemeIcon, Uri } from "vscode";
import type { Pattern } from "../protocol";
import type { ActivityNode } from "./node";
import { fullTime } from "./times";
import { tooltip } from "./tooltip";

const ICONS: Readonly<Record<string, string>> = {
  together: "link",
  test: "beaker",
  command: "terminal",
  fix: "wrench",
  sequence: "list-ordered",
  task: "target",
};

export function patternNodes(rootUri: string, patterns: readonly Pattern[]): readonly ActivityNode[] {
  return patterns.map((pattern) => patternNode(rootUri, pattern));
}

function patternNode(rootUri: string, pattern: Pattern): ActivityNode {
  const plain = pattern.description.replaceAll("`", "");
  const sureness = new Intl.NumberFormat(undefined, { style: "percent" }).format(pattern.confidence);
  const id = `${rootUri}|pattern|${pattern.id}`;
  return {
    id,
    rootUri,
    subject: { type: "pattern", pattern },
    label: plain,
    description: `${counted(pattern)} · ${sureness}`,
    icon: new ThemeIcon(ICONS[pattern.kind] ?? "lightbulb"),
    tooltip: tooltip(plain, [
      [l10n.t("Held"), counted(pattern)],
      [l10n.t("Of these passed"), pattern.passed === null ? undefined : String(pattern.passed)],
      [l10n.t("Sure"), sureness],
      [l10n.t("Last seen"), fullTime(pattern.lastSeen)],
      [l10n.t("Commands"), pattern.commands.join(", ")],
      [l10n.t("Judged"), judged(pattern)],
    ]),
    spoken: l10n.t("Pattern: {0}, {1}, {2} sure", plain, counted(pattern), sureness),
    traits: pattern.commands.length > 0 ? "pattern command" : "pattern",
    children: pattern.files.map((path) => fileNode(id, rootUri, path)),
    expanded: false,
  };
}

function fileNode(parent: string, rootUri: string, path: string): ActivityNode {
  const folder = dirname(path);
  return {
    id: `${parent}|${path}`,
    rootUri,
    subject: { type: "file", path },
    label: basename(path),
    description: folder === "." ? "" : folder,
    icon: ThemeIcon.File,
    resource: Uri.joinPath(Uri.parse(rootUri), path),
    spoken: path,
    traits: "file",
  };
}

function counted(pattern: Pattern): string {
  return pattern.unit === "commits"
    ? l10n.t("{0} of {1} commits", pattern.successes, pattern.applications)
    : l10n.t("{0} of {1} times", pattern.successes, pattern.applications);
}

function judged(pattern: Pattern): string | undefined {
  if (pattern.helpful === 0 && pattern.unhelpful === 0) {
    return undefined;
  }
  return l10n.t("{0} × helpful, {1} × not helpful", pattern.helpful, pattern.unhelpful);
}
