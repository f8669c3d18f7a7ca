/** Where a piece of a context comes from, as a place that an editor can open. */
import * as vscode from "vscode";

export interface SourcePlace {
  /** Relative to the workspace folder, with `/`. */
  readonly path: string;
  /** One-based, inclusive; undefined for a whole file. */
  readonly startLine?: number;
  readonly endLine?: number;
  /** The qualified name in `path#symbol`. */
  readonly symbol?: string;
  readonly folder?: boolean;
}

const LINES = /^(?<path>.+):(?<start>\d{1,9})(?:-(?<end>\d{1,9}))?$/su;
const SYMBOL = /^(?<path>[^#]+)#(?<symbol>.+)$/su;

/** Reads `path:start-end`, `path:line` and `path#symbol`; undefined for ids and other words that are no place. */
export function sourcePlace(source: string): SourcePlace | undefined {
  const lines = LINES.exec(source)?.groups;
  if (lines?.path !== undefined && lines.start !== undefined) {
    const startLine = Number(lines.start);
    return { path: lines.path, startLine, endLine: lines.end === undefined ? startLine : Number(lines.end) };
  }
  const symbol = SYMBOL.exec(source)?.groups;
  if (symbol?.path !== undefined && symbol.symbol !== undefined) {
    return { path: symbol.path, symbol: symbol.symbol };
  }
  return undefined;
}

/** The place as VS Code has it, below `folder`. */
export function sourceLocation(folder: vscode.Uri, place: SourcePlace): vscode.Location {
  const uri = vscode.Uri.joinPath(folder, ...place.path.split("/"));
  const first = Math.max(0, (place.startLine ?? 1) - 1);
  const last = Math.max(first, (place.endLine ?? place.startLine ?? 1) - 1);
  return new vscode.Location(uri, new vscode.Range(first, 0, last, 0));
}
