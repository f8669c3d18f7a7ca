/** The language-model tool `#context`: any model in the chat may ask the server by itself. */
import * as vscode from "vscode";
import { someFolder } from "../folders";
import { type AssembleParams, optional } from "../protocol";
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

export function registerTool(services: Services): vscode.Disposable {
  return vscode.lm.registerTool<ToolInput>(TOOL, {
    prepareInvocation: ({ input }) => ({
      invocationMessage: vscode.l10n.t("Assembling context for “{0}”", input.query),
    }),
    invoke: async ({ input, tokenizationOptions }, token) => {
      const params = toolParams(input, tokenizationOptions?.tokenBudget);
      const context = await services.contexts.assemble(params, token);
      const warnings = context.report.warnings.map((warning) => `> ${warning}\n`).join("");
      return new vscode.LanguageModelToolResult([
        new vscode.LanguageModelTextPart(warnings === "" ? context.content : `${context.content}\n\n${warnings}`),
      ]);
    },
  });
}

function toolParams(input: ToolInput, tokenBudget: number | undefined): AssembleParams {
  const folder = someFolder();
  if (folder === undefined) {
    throw new Error(vscode.l10n.t("Open a folder first: contextls answers about a folder."));
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
