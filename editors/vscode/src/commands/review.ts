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
    const none = staged
      ? vscode.l10n.t("There are no staged changes in {0} to review.", folder.name)
      : vscode.l10n.t("There are no unstaged changes in {0} to review.", folder.name);
    const reasons = context.report.warnings.filter((warning) => !SAYS_NONE.test(warning));
    void vscode.window.showInformationMessage([none, ...reasons].join(" "));
    return;
  }
  services.contexts.note(context);
  await vscode.env.clipboard.writeText(context.content);
  tellCopied(services, context);
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
