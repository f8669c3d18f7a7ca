/** What the code is called, by whatever extension knows its language. */
import * as vscode from "vscode";

interface Named {
  /** With the names of what it lies in, as `Cart.total`. */
  readonly name: string;
  /** As its extension has it, without what it lies in. */
  readonly own: string;
  readonly range: vscode.Range;
  readonly nameRange: vscode.Range;
}

/**
 * The name under the cursor; before the name in a definition, or where no name is, that of the symbol around.
 *
 * Undefined where neither is: an empty line of a file that no extension knows the symbols of.
 */
export async function nameAt(document: vscode.TextDocument, position: vscode.Position): Promise<string | undefined> {
  const around = innermost(await symbolsIn(document), position);
  if (around !== undefined && (beginsDefinition(around, position) || around.nameRange.contains(position))) {
    return around.name;
  }
  const word = document.getWordRangeAtPosition(position);
  return word === undefined ? around?.name : document.getText(word);
}

/** Where a symbol is defined: the one of this full name, else the first whose own name is the last part of it. */
export async function definitionOf(document: vscode.TextDocument, name: string): Promise<vscode.Range | undefined> {
  const symbols = await symbolsIn(document);
  const last = name.split(/[.#:]+/u).at(-1) ?? name;
  const found = symbols.find((symbol) => symbol.name === name) ?? symbols.find(({ own }) => own === last);
  return found?.nameRange;
}

function beginsDefinition({ nameRange }: Named, position: vscode.Position): boolean {
  return position.line === nameRange.start.line && position.isBefore(nameRange.start);
}

function innermost(symbols: readonly Named[], position: vscode.Position): Named | undefined {
  const inside = symbols.filter(({ range }) => range.contains(position));
  return inside.reduce<Named | undefined>(
    (best, each) => (best === undefined || best.range.contains(each.range) ? each : best),
    undefined,
  );
}

async function symbolsIn({ uri }: vscode.TextDocument): Promise<readonly Named[]> {
  const found = await vscode.commands.executeCommand<
    readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined
  >("vscode.executeDocumentSymbolProvider", uri);
  return (found ?? []).flatMap((symbol) => flattened(symbol));
}

function flattened(symbol: vscode.DocumentSymbol | vscode.SymbolInformation, parents = ""): readonly Named[] {
  if (!("children" in symbol)) {
    const { range } = symbol.location;
    return [{ name: symbol.name, own: symbol.name, range, nameRange: new vscode.Range(range.start, range.start) }];
  }
  const name = `${parents}${symbol.name}`;
  const own = { name, own: symbol.name, range: symbol.range, nameRange: symbol.selectionRange };
  return [own, ...symbol.children.flatMap((child) => flattened(child, `${name}.`))];
}
