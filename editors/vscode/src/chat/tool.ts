/** The language-model tool `#context`: any model in the chat may ask the server by itself. */
import * as vscode from "vscode";
import { isTooEarly, untilThere } from "../commands/early";
import { openFolderFirst, someFolder } from "../folders";
import { optional } from "../optional";
import type { AssembleParams, Context } from "../protocol";
import type { Services } from "../services";
import { maxTokens } from "../settings";

export const TOOL = "contextls_assemble";

interface ToolInput {
  readonly query: string;
  readonly maxTokens?: number;
  readonly archetype?: string;
  readonly paths?: readonly string[];
}

const LEAST_TOKENS = 32;
/** For models, and so in one language. */
const NOTHING = "Nothing in this workspace answers the question.";

export function registerTool(services: Services): vscode.Disposable {
  return vscode.lm.registerTool<ToolInput>(TOOL, {
    prepareInvocation: ({ input }) => ({
      invocationMessage: vscode.l10n.t("Assembling context for “{0}”", input.query),
    }),
    invoke: async ({ input, tokenizationOptions }, token) => {
      const params = toolParams(input, tokenizationOptions?.tokenBudget);
      const ask = (): Promise<Context> => services.requests.assemble(params, token);
      const first = await ask();
      const context = isTooEarly(first) ? await untilThere(ask, token) : first;
      services.contexts.note(context, params);
      const warnings = context.report.warnings.map((warning) => `> ${warning}\n`).join("");
      return new vscode.LanguageModelToolResult([
        new vscode.LanguageModelTextPart([context.content || NOTHING, warnings].filter((text) => text !== "").join("\n\n")),
      ]);
    },
  });
}

function toolParams(input: ToolInput, tokenBudget: number | undefined): AssembleParams {
  const folder = someFolder();
  if (folder === undefined) {
    throw new Error(openFolderFirst());
  }
  const wanted = input.maxTokens ?? maxTokens();
  return {
    query: input.query,
    maxTokens: Math.max(LEAST_TOKENS, Math.floor(Math.min(wanted, tokenBudget ?? wanted))),
    rootUri: folder.uri.toString(),
    ...optional({
      strategy: input.archetype,
      filters: input.paths === undefined ? undefined : { paths: input.paths },
    }),
  };
}
