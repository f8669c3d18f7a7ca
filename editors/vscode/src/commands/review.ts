/** Commands that ask for a review of what is not committed yet. */
import * as vscode from "vscode";
import { chosenFolder } from "../folders";
import type { Context } from "../protocol";
import type { Services } from "../services";
import { sourcePlace } from "../sources";
import { tellCopied } from "./deliver";
import { registerCommand, withProgress } from "./run";

/** The server's own words for what this command says in the user's language. */
const SAYS_NONE = /^there are no \w+ changes to show$/u;
const SAYS_NO_REPOSITORY = /^there are no changes to tell: .* is in no git repository$/u;

type Changes = "staged" | "unstaged";

export function registerReviewCommands(services: Services): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand(services, "contextls.reviewStaged", (clicked) => review(services, "staged", clicked)),
    registerCommand(services, "contextls.reviewChanges", (clicked) => review(services, "unstaged", clicked)),
  );
}

/** `clicked` is what the menu of the source control view stands on, where the command comes from there. */
async function review(services: Services, changes: Changes, clicked: unknown): Promise<void> {
  const folder = await chosenFolder(repositoryOf(clicked));
  if (folder === undefined) {
    return;
  }
  const staged = changes === "staged";
  const query = staged ? "Review my staged changes." : "Review my unstaged changes.";
  const rootUri = folder.uri.toString();
  const context = await withProgress(vscode.l10n.t("Assembling context"), (token) =>
    services.requests.assemble({ query, changes, strategy: "review", rootUri }, token),
  );
  if (!holdsChanges(context)) {
    void vscode.window.showInformationMessage(whyNothing(context.report.warnings, staged, folder.name));
    return;
  }
  services.contexts.note(context);
  await vscode.env.clipboard.writeText(context.content);
  tellCopied(services, context);
}

/** Why there is nothing to review, in whole sentences, each reason once. */
export function whyNothing(warnings: readonly string[], staged: boolean, name: string): string {
  if (warnings.some((warning) => SAYS_NO_REPOSITORY.test(warning))) {
    return vscode.l10n.t("{0} is in no git repository: there is nothing to review.", name);
  }
  const none = staged
    ? vscode.l10n.t("There are no staged changes in {0} to review.", name)
    : vscode.l10n.t("There are no unstaged changes in {0} to review.", name);
  const others = warnings.filter((warning) => !SAYS_NONE.test(warning));
  return [none, ...others.map((other) => `${other.charAt(0).toUpperCase()}${other.slice(1)}.`)].join(" ");
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
