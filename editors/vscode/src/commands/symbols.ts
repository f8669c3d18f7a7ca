/** What the code under the cursor is called. */
import * as vscode from "vscode";

interface Named {
  /** With the names of what it lies in, as `Cart.total`. */
  readonly name: string;
  readonly range: vscode.Range;
  readonly nameRange: vscode.Range;
}

/**
 * The name under the cursor; before the name in a definition, or where no name is, that of the symbol around.
 *
 * Undefined where neither is: an empty line of a file that no extension knows the symbols of.
 */
export async function nameAt(document: vscode.TextDocument, position: vscode.Position): Promise<string | undefined> {
  const around = await symbolAround(document, position);
  if (around !== undefined && (beginsDefinition(around, position) || around.nameRange.contains(position))) {
    return around.name;
  }
  const word = document.getWordRangeAtPosition(position);
  return word === undefined ? around?.name : document.getText(word);
}

function beginsDefinition({ nameRange }: Named, position: vscode.Position): boolean {
  return position.line === nameRange.start.line && position.isBefore(nameRange.start);
}

/** The innermost symbol around a place, by whatever extension knows the language. */
async function symbolAround(document: vscode.TextDocument, position: vscode.Position): Promise<Named | undefined> {
  const found = await vscode.commands.executeCommand<
    readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined
  >("vscode.executeDocumentSymbolProvider", document.uri);
  const inside = (found ?? []).flatMap((symbol) => flattened(symbol)).filter(({ range }) => range.contains(position));
  return inside.reduce<Named | undefined>(
    (best, each) => (best === undefined || best.range.contains(each.range) ? each : best),
    undefined,
  );
}

function flattened(symbol: vscode.DocumentSymbol | vscode.SymbolInformation, parents = ""): readonly Named[] {
  if (!("children" in symbol)) {
    const { range } = symbol.location;
    return [{ name: symbol.name, range, nameRange: new vscode.Range(range.start, range.start) }];
  }
  const name = `${parents}${symbol.name}`;
  const own = { name, range: symbol.range, nameRange: symbol.selectionRange };
  return [own, ...symbol.children.flatMap((child) => flattened(child, `${name}.`))];
}
