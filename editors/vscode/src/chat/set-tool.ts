/** The language-model tool that keeps files in every prompt, or lets them go: the user confirms each call. */
import * as vscode from "vscode";
import { openFolderFirst, someFolder } from "../folders";
import type { Update, UpdateAnswer } from "../protocol";
import type { Services } from "../services";
import { describeStep, noteConfirmed } from "../working-set-news";

export const SET_TOOL = "contextls_update_working_set";

interface SetToolInput {
  readonly updates: readonly Update[];
}

export function registerSetTool(services: Services): vscode.Disposable {
  return vscode.lm.registerTool<SetToolInput>(SET_TOOL, {
    prepareInvocation: ({ input }) => ({
      invocationMessage: vscode.l10n.t("Updating the working set"),
      confirmationMessages: {
        title: vscode.l10n.t("Update the working set?"),
        message: confirmation(input),
      },
    }),
    invoke: async ({ input }) => {
      const folder = someFolder();
      if (folder === undefined) {
        throw new Error(openFolderFirst());
      }
      const rootUri = folder.uri.toString();
      const answer = await services.requests.updateWorkingSet({ updates: input.updates, rootUri });
      noteConfirmed(rootUri, answer.id);
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(told(answer))]);
    },
  });
}

/** What the user reads before anything is done: each update, with its reason. */
export function confirmation({ updates }: SetToolInput): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  updates.forEach((update, at) => {
    text.appendMarkdown(at === 0 ? "" : "  \n").appendText(describeStep({ ...update, target: update.path }));
  });
  return text;
}

/** For models, and so in one language. */
function told({ applied, refused, workingSet }: UpdateAnswer): string {
  const now = workingSet.files.map((file) => {
    const name = file.symbol === null ? file.path : `${file.path}#${file.symbol}`;
    return `- ${name}, priority ${file.priority}, by a ${file.by}`;
  });
  const what = applied
    ? ["Done."]
    : ["Nothing was changed:", ...refused.map(({ path, reason }) => `- ${path} ${reason}`)];
  return [...what, now.length > 0 ? "The working set is now:" : "The working set is empty.", ...now].join("\n");
}
