/** The language-model tool `#context`: any model in the chat may ask the server by itself. */
import * as vscode from "vscode";
import { isTooEarly, untilThere } from "../commands/early";
import { openFolderFirst, someFolder } from "../folders";
import { optional } from "../optional";
import type { AssembleParams, Context, GivenMessage } from "../protocol";
import type { Services } from "../services";
import { maxTokens } from "../settings";

export const TOOL = "contextls_assemble";

interface ToolInput {
  readonly query: string;
  readonly otherWords?: readonly string[];
  readonly maxTokens?: number;
  readonly archetype?: string;
  readonly paths?: readonly string[];
  readonly seen?: readonly string[];
}

const LEAST_TOKENS = 32;
/** For models, and so in one language. */
const NOTHING = "Nothing in this workspace answers the question.";
const NOTHING_NEW = "Nothing in this workspace answers the question beyond what was answered before.";
const MOST_GIVEN = 64;

/** What models were given, by the id of the answer; the oldest goes first. */
class Given {
  private readonly texts = new Map<string, string>();

  add(id: string, text: string): void {
    this.texts.delete(id);
    this.texts.set(id, text);
    for (const oldest of [...this.texts.keys()].slice(0, Math.max(0, this.texts.size - MOST_GIVEN))) {
      this.texts.delete(oldest);
    }
  }

  /** Those of `ids` that are still known, as the turns of a conversation. */
  turns(ids: readonly string[]): readonly { id: string; text: string }[] {
    return ids.map((id) => ({ id, text: this.texts.get(id) ?? "" })).filter(({ text }) => text !== "");
  }
}

export function registerTool(services: Services): vscode.Disposable {
  const given = new Given();
  return vscode.lm.registerTool<ToolInput>(TOOL, {
    prepareInvocation: ({ input }) => ({
      invocationMessage: vscode.l10n.t("Assembling context for “{0}”", input.query),
    }),
    invoke: async ({ input, tokenizationOptions }, token) => {
      const seen = given.turns(input.seen ?? []);
      const params = toolParams(input, tokenizationOptions?.tokenBudget);
      const history = seen.flatMap(({ id, text }): GivenMessage[] => [
        { role: "user", content: text },
        { role: "assistant", content: id },
      ]);
      const asked = history.length === 0 ? params : { ...params, history };
      const ask = (): Promise<Context> => services.requests.assemble(asked, token);
      const first = await ask();
      const context = isTooEarly(first) ? await untilThere(ask, token) : first;
      services.contexts.note(context, params);
      given.add(context.id, context.content);
      const parts = [
        seen.map(({ id }, at) => `Turn ${at + 1} is the answer ${id}.`).join("\n"),
        context.content || (seen.length > 0 ? NOTHING_NEW : NOTHING),
        context.report.warnings.map((warning) => `> ${warning}\n`).join(""),
        `Id of this answer: ${context.id}`,
      ];
      return new vscode.LanguageModelToolResult([
        new vscode.LanguageModelTextPart(parts.filter((text) => text !== "").join("\n\n")),
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
    taskLine: false, // a model knows what it asks
    rootUri: folder.uri.toString(),
    ...optional({
      otherWords: input.otherWords,
      strategy: input.archetype,
      filters: input.paths === undefined ? undefined : { paths: input.paths },
    }),
  };
}
