/** The command about a problem that any extension reported. */
import * as vscode from "vscode";
import { chosenFolder, fileOf } from "../folders";
import type { Services } from "../services";
import { copy } from "./deliver";
import { activeEditor, placeIn } from "./place";
import { registerCommand } from "./run";

const LINE_CHARS = 300;
const ICONS: Readonly<Record<vscode.DiagnosticSeverity, string>> = {
  [vscode.DiagnosticSeverity.Error]: "error",
  [vscode.DiagnosticSeverity.Warning]: "warning",
  [vscode.DiagnosticSeverity.Information]: "info",
  [vscode.DiagnosticSeverity.Hint]: "lightbulb",
};

export function registerProblemCommands(services: Services): vscode.Disposable {
  return registerCommand(services, "contextls.copyForProblem", () => copyForProblem(services));
}

async function copyForProblem(services: Services): Promise<void> {
  const editor = activeEditor();
  if (editor === undefined) {
    return;
  }
  const { document } = editor;
  const problems = problemsAt(document.uri, editor.selection.active);
  if (problems.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t("There is no problem in this file."));
    return;
  }
  const problem = problems.length === 1 ? problems[0] : await pick(problems);
  const folder = problem === undefined ? undefined : await chosenFolder(fileOf(document));
  if (problem === undefined || folder === undefined) {
    return;
  }
  const place = await placeIn(folder, document, { range: problem.range });
  await copy(services, {
    query: queryFor(document, problem),
    task: taskFor(document, problem, place.range?.start.line),
    rootUri: folder.uri.toString(),
    ...place,
  });
}

/** Those at the cursor, else those of its line, else all of the file, worst first. */
function problemsAt(uri: vscode.Uri, position: vscode.Position): readonly vscode.Diagnostic[] {
  const all = vscode.languages
    .getDiagnostics(uri)
    .filter(({ message }) => message.trim() !== "")
    .sort((one, other) => one.severity - other.severity || one.range.start.compareTo(other.range.start));
  const here = all.filter(({ range }) => range.contains(position));
  const onLine = all.filter(({ range }) => range.start.line <= position.line && position.line <= range.end.line);
  return here.length > 0 ? here : onLine.length > 0 ? onLine : all;
}

async function pick(problems: readonly vscode.Diagnostic[]): Promise<vscode.Diagnostic | undefined> {
  const items = problems.map((problem) => ({
    label: problem.message.replace(/\s+/gu, " ").trim(),
    description: vscode.l10n.t("line {0}", problem.range.start.line + 1),
    iconPath: new vscode.ThemeIcon(ICONS[problem.severity]),
    problem,
  }));
  const title = vscode.l10n.t("Copy context for which problem?");
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.problem;
}

/** The question that a problem stands for; the server's own code action asks the same in the same words. */
function queryFor(document: vscode.TextDocument, problem: vscode.Diagnostic): string {
  const line = lineOf(document, problem);
  return joined([problem.message.trim(), originOf(problem), line === "" ? "" : `at: ${line}`]);
}

/** What a user would write who asks for help with a problem, in the words of the server's code action. */
function taskFor(document: vscode.TextDocument, problem: vscode.Diagnostic, at: number | undefined): string {
  const line = lineOf(document, problem);
  const path = vscode.workspace.asRelativePath(fileOf(document), false);
  const place = at === undefined ? `in \`${path}\`` : `at \`${path}:${String(at + 1)}\``;
  const task = joined(["Fix this problem:", problem.message.replace(/\s+/gu, " ").trim(), place, originOf(problem)]);
  return line === "" || line.includes("`") ? task : `${task}: \`${line}\``;
}

function originOf(problem: vscode.Diagnostic): string {
  const origin = [problem.source, codeOf(problem)].filter((part) => part !== undefined).join(" ");
  return origin === "" ? "" : `(${origin})`;
}

function lineOf(document: vscode.TextDocument, problem: vscode.Diagnostic): string {
  return Array.from(document.lineAt(problem.range.start.line).text.trim()).slice(0, LINE_CHARS).join("");
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(" ");
}

function codeOf({ code }: vscode.Diagnostic): string | number | undefined {
  return typeof code === "object" ? code.value : code;
}
