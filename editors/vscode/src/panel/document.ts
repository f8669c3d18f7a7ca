/** The address of a prompt as a document, in the form that the commands give it. */
import * as vscode from "vscode";
import { SCHEME } from "../commands/documents";
import type { AssembleParams } from "../protocol";

const TITLE_CHARS = 60;

export function addressFor(params: AssembleParams): vscode.Uri {
  const title = params.query.replace(/[\s/\\]+/gu, " ").trim().slice(0, TITLE_CHARS);
  return vscode.Uri.from({ scheme: SCHEME, path: `/${title}.md`, query: JSON.stringify(params) });
}
