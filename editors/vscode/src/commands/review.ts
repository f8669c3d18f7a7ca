/** Commands that ask for a review: of what is not committed yet, or of a whole branch. */
import * as vscode from "vscode";
import { chosenFolder } from "../folders";
import type { Context } from "../protocol";
import type { Services } from "../services";
import { sourcePlace } from "../sources";
import { tellCopied } from "./deliver";
import { chosenBase } from "./review-base";
import { registerCommand, withProgress } from "./run";

/** The server's own words for what this command says in the user's language. */
const SAYS_NONE = /^there are no (?:\w+ changes to show|changes since .*)$/u;
const SAYS_NO_REPOSITORY = /^there are no changes to tell: .* is in no git repository$/u;


export function registerReviewCommands(services: Services): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand(services, "contextls.reviewStaged", (clicked) => review(services, "staged", clicked)),
    registerCommand(services, "contextls.reviewChanges", (clicked) => review(services, "unstaged", clicked)),
    registerCommand(services, "contextls.reviewBranch", (given) => reviewBranch(services, given)),
  );
}

/** `given` is the base where a key binding or another extension names one, else as for the other reviews. */
async function reviewBranch(services: Services, given: unknown): Promise<void> {
  const folder = await chosenFolder(repositoryOf(given));
  const base = folder === undefined ? undefined : typeof given === "string" ? given : await chosenBase(folder);
  if (folder !== undefined && base !== undefined) {
    await reviewIn(services, folder, base, "Review the changes of this branch.");
  }
}

/** `clicked` is what the menu of the source control view stands on, where the command comes from there. */
async function review(services: Services, changes: "staged" | "unstaged", clicked: unknown): Promise<void> {
  const folder = await chosenFolder(repositoryOf(clicked));
  if (folder !== undefined) {
    await reviewIn(services, folder, changes, `Review my ${changes} changes.`);
  }
}

async function reviewIn(services: Services, folder: vscode.WorkspaceFolder, changes: string, query: string): Promise<void> {
  const rootUri = folder.uri.toString();
  const context = await withProgress(vscode.l10n.t("Assembling context"), (token) =>
    services.requests.assemble({ query, changes, strategy: "review", rootUri }, token),
  );
  if (!holdsChanges(context)) {
    void vscode.window.showInformationMessage(whyNothing(context.report.warnings, changes, folder.name));
    return;
  }
  services.contexts.note(context);
  await vscode.env.clipboard.writeText(context.content);
  tellCopied(services, context);
}

/** Why there is nothing to review, in whole sentences, each reason once. */
export function whyNothing(warnings: readonly string[], changes: string, name: string): string {
  if (warnings.some((warning) => SAYS_NO_REPOSITORY.test(warning))) {
    return vscode.l10n.t("{0} is in no git repository: there is nothing to review.", name);
  }
  const none = noneOf(changes, name);
  const others = warnings.filter((warning) => !SAYS_NONE.test(warning));
  return [none, ...others.map((other) => `${other.charAt(0).toUpperCase()}${other.slice(1)}.`)].join(" ");
}

function noneOf(changes: string, name: string): string {
  if (changes === "staged") {
    return vscode.l10n.t("There are no staged changes in {0} to review.", name);
  }
  return changes === "unstaged"
    ? vscode.l10n.t("There are no unstaged changes in {0} to review.", name)
    : vscode.l10n.t("There are no changes since {0} in {1} to review.", changes, name);
}

/** Changes are what happened lately at a place in a file; events have no place. */
function holdsChanges({ components, report }: Context): boolean {
  return [...components, ...report.omitted].some(
    ({ type, source }) => type === "recent" && sourcePlace(source)?.startLine !== undefined,
  );
}

function repositoryOf(clicked: unknown): vscode.Uri | undefined {
  if (clicked === null || typeof clicked !== "object") {
    return undefined;
  }
  const { rootUri, resourceStates } = clicked as Partial<vscode.SourceControl & vscode.SourceControlResourceGroup>;
  return rootUri ?? resourceStates?.[0]?.resourceUri;
}
