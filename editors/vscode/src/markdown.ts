/** Text of others in Markdown of ours. */
import { MarkdownString } from "vscode";

/** `text` on one line, with everything escaped that Markdown or the editor would read as more than text. */
export function escaped(text: string): string {
  const line = text.replace(/\s+/gu, " ").trim();
  // `appendText` also keeps lines from being broken, which long ones need.
  return new MarkdownString("", true).appendText(line).value.replaceAll("&nbsp;", " ");
}
