/** Tooltips: text from terminals and files goes in escaped, and no link in them runs anything. */
import { l10n, MarkdownString } from "vscode";
import { escaped } from "../markdown";

const EXCERPT_LINES = 14;
const EXCERPT_WIDTH = 160;

export type Fact = readonly [name: string, value: string | undefined];

/** A headline, a list of facts (those without a value are left out) and, if there is any, a piece of output. */
export function tooltip(headline: string, facts: readonly Fact[], output?: string): MarkdownString {
  const text = new MarkdownString();
  text.appendMarkdown(`**${escaped(headline)}**`);
  const given = facts.filter((fact): fact is readonly [string, string] => fact[1] !== undefined && fact[1] !== "");
  given.forEach(([name, value], index) => {
    text.appendMarkdown(`${index === 0 ? "\n\n" : "  \n"}${escaped(l10n.t("{0}: {1}", name, value))}`);
  });
  const shown = excerpt(output ?? "");
  if (shown !== "") {
    text.appendMarkdown("\n\n").appendCodeblock(shown, "text");
  }
  return text;
}

/** The end of an output, where it says what went wrong; long lines are cut. */
export function excerpt(output: string): string {
  const lines = output
    .trimEnd()
    .split(/\r?\n/u)
    .map((line) => (line.length > EXCERPT_WIDTH ? `${line.slice(0, EXCERPT_WIDTH - 1)}…` : line));
  const cut = lines.length > EXCERPT_LINES;
  return (cut ? ["…", ...lines.slice(-EXCERPT_LINES)] : lines).join("\n");
}
