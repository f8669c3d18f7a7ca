/** Opens what a row is about. */
import * as vscode from "vscode";
import { lineOf, pathOf } from "./fields";
import type { EventDocuments } from "./documents";
import { type ActivityNode, isA } from "./node";

/** A click on a row shows what it is about and leaves the keyboard in the tree, as in the explorer. */
export const KEEP_FOCUS = "keepFocus";

/** A file of the workspace, with the lines or the symbol that are meant. */
export interface Place {
  readonly path: string;
  /** One-based. */
  readonly line?: number | undefined;
  readonly symbol?: string | undefined;
  readonly folder?: boolean;
}

/** The place that a row is about; undefined for what has none. */
export function placeOf(node: ActivityNode): Place | undefined {
  const { subject } = node;
  switch (subject.type) {
    case "pin":
      return { path: subject.pin.path, folder: subject.pin.folder, symbol: subject.pin.symbol ?? undefined };
    case "excluded": {
      const { path, folder, symbol } = subject.excluded;
      return { path, folder, symbol: symbol ?? undefined };
    }
    case "file":
      return { path: subject.path };
    case "event": {
      const path = pathOf(subject.event);
      return path === undefined ? undefined : { path, line: lineOf(subject.event) };
    }
    case "folder":
    case "group":
    case "section":
    case "manifest":
    case "task":
    case "more":
    case "pattern":
    case "message":
      return undefined;
  }
}

/** An event without a file opens as a document that tells all of it. Throws where the file is gone. */
export async function open(node: ActivityNode, documents: EventDocuments, preserveFocus: boolean): Promise<void> {
  const place = placeOf(node);
  const options = { preview: true, preserveFocus };
  if (place !== undefined) {
    await openPlace(node.rootUri, place, options);
  } else if (isA(node, "manifest")) {
    await vscode.window.showTextDocument(vscode.Uri.file(node.subject.location), options);
  } else if (isA(node, "event")) {
    await documents.show(node.subject.event, options);
  }
}

async function openPlace(
  rootUri: string,
  place: Place,
  options: vscode.TextDocumentShowOptions,
): Promise<void> {
  const uri = vscode.Uri.joinPath(vscode.Uri.parse(rootUri), place.path);
  try {
    await vscode.workspace.fs.stat(uri);
  } catch {
    throw new Error(vscode.l10n.t("{0} is no longer there.", place.path));
  }
  if (place.folder === true) {
    await vscode.commands.executeCommand("revealInExplorer", uri);
    return;
  }
  const editor = await vscode.window.showTextDocument(uri, options);
  const range = place.symbol === undefined ? lineRange(place.line) : await symbolRange(uri, place.symbol);
  if (range !== undefined) {
    editor.selection = new vscode.Selection(range.start, range.start);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }
}

function lineRange(line: number | undefined): vscode.Range | undefined {
  return line === undefined ? undefined : new vscode.Range(line - 1, 0, line - 1, 0);
}

/** Where a qualified name is defined, as far as an installed language knows; undefined when none does. */
async function symbolRange(uri: vscode.Uri, name: string): Promise<vscode.Range | undefined> {
  const symbols = await vscode.commands.executeCommand<(vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined>(
    "vscode.executeDocumentSymbolProvider",
    uri,
  );
  const last = name.split(/[.#:]+/u).at(-1) ?? name;
  const found = flat(symbols ?? []).find((symbol) => symbol.name === last || symbol.name === name);
  return found?.range ?? textRange(await vscode.workspace.openTextDocument(uri), last);
}

function textRange(document: vscode.TextDocument, name: string): vscode.Range | undefined {
  const word = new RegExp(`(?<![\\p{L}\\p{N}_$])${name.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&")}(?![\\p{L}\\p{N}_$])`, "u");
  const at = document.getText().search(word);
  const start = at === -1 ? undefined : document.positionAt(at);
  return start && new vscode.Range(start, start);
}

function flat(
  symbols: readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[],
): readonly { readonly name: string; readonly range: vscode.Range }[] {
  return symbols.flatMap((symbol) =>
    "children" in symbol
      ? [{ name: symbol.name, range: symbol.selectionRange }, ...flat(symbol.children)]
      : [{ name: symbol.name, range: symbol.location.range }],
  );
}
