/** The stack of tasks as a tree; what is finished lies in a section of its own. */
import { l10n, ThemeColor, ThemeIcon } from "vscode";
import type { TaskFrame, TaskList } from "../protocol";
import type { ActivityNode } from "./node";
import { fullTime } from "./times";
import { tooltip } from "./tooltip";

export function taskNodes(rootUri: string, list: TaskList): readonly ActivityNode[] {
  const roots = list.tasks.filter((task) => task.parent === null || !list.tasks.some(({ id }) => id === task.parent));
  const open = roots.filter((task) => task.status !== "complete");
  const done = roots.filter((task) => task.status === "complete");
  const rows = open.map((task) => taskNode(rootUri, task, list));
  if (done.length === 0) {
    return rows;
  }
  const children = done.reverse().map((task) => taskNode(rootUri, task, list));
  const section: ActivityNode = {
    id: `${rootUri}|tasksDone`,
    rootUri,
    subject: { type: "section" },
    label: l10n.t("Completed"),
    description: String(done.length),
    icon: new ThemeIcon("checklist"),
    traits: "section",
    children,
    expanded: false,
  };
  return [...rows, section];
}

function taskNode(rootUri: string, task: TaskFrame, list: TaskList): ActivityNode {
  const current = task.id === list.current;
  const children = list.tasks.filter((other) => other.parent === task.id);
  const node = {
    id: `${rootUri}|task|${task.id}`,
    rootUri,
    subject: { type: "task", task },
    label: task.goal,
    description: describe(task, current),
    icon: iconOf(task, current),
    tooltip: tooltip(task.goal, [
      [l10n.t("Status"), statusName(task, current)],
      [l10n.t("Began"), fullTime(task.createdAt)],
      [l10n.t("Ended"), task.completedAt === null ? undefined : fullTime(task.completedAt)],
      [l10n.t("Result"), task.result ?? undefined],
      [l10n.t("Reason"), task.reason ?? undefined],
    ]),
    spoken: l10n.t("Task {0}, {1}", task.goal, describe(task, current)),
    traits: ["task", task.status, current && "current"].filter(Boolean).join(" "),
  } as const;
  if (children.length === 0) {
    return node;
  }
  const rows = children.map((child) => taskNode(rootUri, child, list));
  return { ...node, children: rows, expanded: task.status !== "complete" };
}

function describe(task: TaskFrame, current: boolean): string {
  const said = task.status === "complete" ? task.result : task.reason;
  const name = statusName(task, current);
  return said === null || task.status === "active" ? name : `${name} · ${said}`;
}

function statusName(task: TaskFrame, current: boolean): string {
  switch (task.status) {
    case "complete":
      return l10n.t("completed");
    case "blocked":
      return l10n.t("set aside");
    case "active":
      return current ? l10n.t("current") : l10n.t("under way");
  }
}

function iconOf(task: TaskFrame, current: boolean): ThemeIcon {
  switch (task.status) {
    case "complete":
      return new ThemeIcon("pass", new ThemeColor("testing.iconPassed"));
    case "blocked":
      return new ThemeIcon("debug-pause", new ThemeColor("list.warningForeground"));
    case "active":
      return current
        ? new ThemeIcon("target", new ThemeColor("charts.blue"))
        : new ThemeIcon("circle-large-outline");
  }
}
