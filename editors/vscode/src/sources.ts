/** Where a piece of a context comes from, as a place that an editor can open. */
import * as vscode from "vscode";
import { diskFolders } from "./folders";

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

/** A piece of an answer of several folders: the folder that its source begins with, and the source in it. */
export function homeOf(source: string): { readonly folder: vscode.WorkspaceFolder; readonly source: string } | undefined {
  const homes = diskFolders().flatMap((folder) =>
    namesOf(folder.uri)
      .filter((name) => source.startsWith(`${name}/`))
      .map((name) => ({ folder, source: source.slice(name.length + 1), length: name.length })),
  );
  return homes.sort((one, other) => other.length - one.length)[0];
}

/** What the server may call a folder: its own name, and with those above it where another is called the same. */
function namesOf({ path }: vscode.Uri): string[] {
  const parts = path.split("/").filter((part) => part !== "");
  return parts.map((_, index) => parts.slice(index).join("/"));
}
