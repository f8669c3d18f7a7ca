/**
 * Contexts as Markdown documents.
 *
 * They are read-only and virtual: a prompt is an answer, so closing it must not ask whether to save it. The address holds
 * the question, so the document can be made again after the window was reloaded; "Save As" makes a file of it.
 */
import * as vscode from "vscode";
import type { AssembleParams } from "../protocol";
import type { Services } from "../services";
import { homeOf, sourceLocation, sourcePlace } from "../sources";
import { assemble, tellDone } from "./deliver";

export const SCHEME = "contextls";
const TITLE_CHARS = 60;
/** The heading of a piece of code in a prompt. */
const HEADING = /^#+ `([^`\n]+)`/gmu;

export class ContextDocuments implements vscode.TextDocumentContentProvider, vscode.DocumentLinkProvider {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;

  constructor(private readonly services: Services) {}

  register(): vscode.Disposable {
    return vscode.Disposable.from(
      this.changed,
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.languages.registerDocumentLinkProvider({ scheme: SCHEME }, this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        this.texts.delete(uri.toString());
      }),
    );
  }

  /** Assembles and shows; asked again, the same document shows the new answer. */
  async open(params: AssembleParams): Promise<void> {
    const context = await assemble(this.services, params);
    if (context === undefined) {
      return;
    }
    const uri = addressOf(params);
    this.texts.set(uri.toString(), context.content);
    this.changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: false });
    const count = context.tokenCount.toLocaleString(vscode.env.language);
    tellDone(this.services, context, vscode.l10n.t("Context opened: {0} tokens", count));
  }

  async provideTextDocumentContent(uri: vscode.Uri, token: vscode.CancellationToken): Promise<string> {
    const known = this.texts.get(uri.toString());
    return known ?? (await this.services.contexts.assemble(paramsOf(uri), token)).content;
  }

  /** Each heading leads to the code that it names. */
  provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
    const { rootUri, roots } = paramsOf(document.uri);
    const root = rootUri === undefined ? undefined : vscode.Uri.parse(rootUri);
    return [...document.getText().matchAll(HEADING)].flatMap(({ 0: heading, 1: source = "", index }) => {
      const home = roots === undefined ? undefined : homeOf(source);
      const place = sourcePlace(home?.source ?? source);
      const folder = home?.folder.uri ?? root;
      if (folder === undefined || place === undefined) {
        return [];
      }
      const start = index + heading.indexOf("`") + 1;
      const range = new vscode.Range(document.positionAt(start), document.positionAt(start + source.length));
      const target = sourceLocation(folder, place).uri.with({ fragment: `L${place.startLine ?? 1}` });
      return [new vscode.DocumentLink(range, target)];
    });
  }
}

function addressOf(params: AssembleParams): vscode.Uri {
  const line = params.query.replace(/[\s/\\]+/gu, " ").trim();
  const title = line.length <= TITLE_CHARS ? line : `${line.slice(0, TITLE_CHARS - 1)}…`;
  return vscode.Uri.from({ scheme: SCHEME, path: `/${title}.md`, query: JSON.stringify(params) });
}

function paramsOf(uri: vscode.Uri): AssembleParams {
  return JSON.parse(uri.query) as AssembleParams;
}
