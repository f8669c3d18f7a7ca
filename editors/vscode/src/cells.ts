/** Where the cells of a notebook stand in its file: the server counts the lines of that. */
import * as vscode from "vscode";

const SOURCE = /^(\s*)"source": \[(?:\],?)?$/u;

/** The cell that a document is the text of. */
export function cellOf(document: vscode.TextDocument): vscode.NotebookCell | undefined {
  const cells = vscode.workspace.notebookDocuments.flatMap((notebook) => notebook.getCells());
  return cells.find((cell) => cell.document === document);
}

/**
 * The line of its file that comes before the first line of a cell.
 *
 * Undefined where the file has another text, as before it is saved, or does not give each line of a cell one of its own.
 */
export async function lineBeforeCell(document: vscode.TextDocument): Promise<number | undefined> {
  const cell = cellOf(document);
  if (cell === undefined) {
    return undefined;
  }
  const file = await vscode.workspace.fs.readFile(cell.notebook.uri);
  const lines = new TextDecoder().decode(file).split(/\r?\n/u);
  const found = lines.flatMap((line, at) => {
    const indent = SOURCE.exec(line)?.[1]?.length;
    return indent === undefined ? [] : [{ at, indent }];
  });
  // Outputs may have fields of the same name: further in.
  const least = Math.min(...found.map(({ indent }) => indent));
  const sources = found.filter(({ indent }) => indent === least);
  const at = sources[cell.index]?.at;
  const isWhole = sources.length === cell.notebook.cellCount;
  return at !== undefined && isWhole && textBehind(lines, at) === document.getText().replaceAll("\r\n", "\n") ? at : undefined;
}

/** The text whose list of lines begins on the line `at`. */
function textBehind(lines: readonly string[], at: number): string | undefined {
  if (lines[at]?.includes("[]") === true) {
    return "";
  }
  const end = lines.findIndex((line, number) => number > at && line.trim().startsWith("]"));
  try {
    return (JSON.parse(`[${lines.slice(at + 1, end).join("")}]`) as string[]).join("");
  } catch {
    return undefined;
  }
}
