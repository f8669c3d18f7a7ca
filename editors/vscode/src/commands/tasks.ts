/** Commands about what is being worked on, and notes that later prompts know. */
import * as vscode from "vscode";
import { chosenFolder } from "../folders";
import type { TaskFrame } from "../protocol";
import type { Services } from "../services";
import { registerCommand } from "./run";

const TOLD_MS = 5_000;

export function registerTaskCommands(services: Services): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand(services, "contextls.pushTask", (goal) => pushTask(services, goal)),
    registerCommand(services, "contextls.popTask", (result) => popTask(services, result)),
    registerCommand(services, "contextls.note", (text) => recordNote(services, text)),
  );
}

/** In which the goal of a new task is typed. */
export function goalBox(): vscode.InputBoxOptions {
  return {
    title: vscode.l10n.t("Begin a task"),
    prompt: vscode.l10n.t("What is it that you want to reach? Prompts begin with it until it is complete."),
    ignoreFocusOut: true,
  };
}

/** In which is typed what came of a task. */
export function resultBox({ goal }: TaskFrame): vscode.InputBoxOptions {
  return {
    title: vscode.l10n.t("Complete “{0}”", goal),
    prompt: vscode.l10n.t("What came of it? Later tasks will know; it may stay empty."),
    ignoreFocusOut: true,
  };
}

async function pushTask(services: Services, given: unknown): Promise<void> {
  const folder = await chosenFolder();
  if (folder === undefined) {
    return;
  }
  const rootUri = folder.uri.toString();
  const goal = await said(given, goalBox());
  if (goal === undefined || goal === "") {
    return;
  }
  const { task } = await services.requests.pushTask(goal, rootUri);
  vscode.window.setStatusBarMessage(vscode.l10n.t("$(add) Task begun: {0}", task.goal), TOLD_MS);
}

async function popTask(services: Services, given: unknown): Promise<void> {
  const folder = await chosenFolder();
  if (folder === undefined) {
    return;
  }
  const rootUri = folder.uri.toString();
  const list = await services.requests.tasks(rootUri);
  const current = list.tasks.find(({ id }) => id === list.current);
  if (current === undefined) {
    void vscode.window.showInformationMessage(vscode.l10n.t("No task is being worked on."));
    return;
  }
  const result = await said(given, resultBox(current));
  if (result === undefined) {
    return;
  }
  const { task, current: next } = await services.requests.popTask(result === "" ? undefined : result, rootUri);
  const told =
    next === null
      ? vscode.l10n.t("$(check) Task complete: {0}", task.goal)
      : vscode.l10n.t("$(check) Task complete: {0}. Back to: {1}", task.goal, next.goal);
  vscode.window.setStatusBarMessage(told, TOLD_MS);
}

async function recordNote(services: Services, given: unknown): Promise<void> {
  if (!services.memory.records) {
    await tellPaused(services);
    return;
  }
  const folder = await chosenFolder();
  if (folder === undefined) {
    return;
  }
  const text = await said(given, {
    title: vscode.l10n.t("Record a note"),
    prompt: vscode.l10n.t("What should later prompts know?"),
    ignoreFocusOut: true,
  });
  if (text === undefined || text === "") {
    return;
  }
  const recorded = await services.requests.record({
    type: "note",
    content: { text },
    rootUri: folder.uri.toString(),
  });
  if (recorded.id === null) {
    const reason = recorded.reason || vscode.l10n.t("the server gave no reason");
    throw new Error(vscode.l10n.t("The note was not kept: {0}.", reason));
  }
  vscode.window.setStatusBarMessage(vscode.l10n.t("$(note) Note recorded"), TOLD_MS);
}

async function tellPaused(services: Services): Promise<void> {
  if (services.memory.state === "untrusted") {
    void vscode.window.showInformationMessage(
      vscode.l10n.t("Nothing is recorded in a workspace that is not trusted, so no note was taken."),
    );
    return;
  }
  const resume = vscode.l10n.t("Resume Memory");
  const told = vscode.l10n.t("Memory is paused, so no note was taken.");
  if ((await vscode.window.showInformationMessage(told, resume)) === resume) {
    await services.memory.toggle();
  }
}

/** The trimmed text that the command was run with, else what the user types; undefined when dismissed. */
async function said(given: unknown, box: vscode.InputBoxOptions): Promise<string | undefined> {
  return (typeof given === "string" ? given : await vscode.window.showInputBox(box))?.trim();
}
