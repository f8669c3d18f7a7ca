/**
 * Problems of every language, from every source: the server hears all diagnostics of each document that changed and
 * makes events of what appeared and what is gone. While memory is paused it still hears them, so that what changed
 * meanwhile is not told as news afterwards; it then records nothing. A workspace that is not trusted tells it nothing.
 */
import * as vscode from "vscode";
import type { Services } from "../services";
import { recordsEvents } from "../settings";
import { folderOnDisk } from "./recorder";

const METHOD = "context/didChangeDiagnostics";
/** Checkers report in bursts; the server itself waits until a set held still. */
const BURST_MS = 300;
const MOST_OF_A_DOCUMENT = 500;
const MOST_AT_ONCE = 100;
const OUR_SOURCE = "contextls";

export function recordDiagnostics(services: Services): vscode.Disposable {
  const changed = new Map<string, vscode.Uri>();
  const told = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  const send = (): void => {
    timer = undefined;
    if (services.server.state.kind !== "running" || services.memory.state === "untrusted") {
      return; // all of them are sent once that is over
    }
    for (const [key, uri] of [...changed].slice(0, MOST_AT_ONCE)) {
      changed.delete(key);
      const diagnostics = wanted(uri) ? problemsOf(uri) : [];
      if (diagnostics.length > 0 || told.has(key)) {
        told.add(key);
        services.server.notify(METHOD, { uri: key, diagnostics });
      }
      if (diagnostics.length === 0) {
        told.delete(key);
      }
    }
    if (changed.size > 0) {
      later();
    }
  };
  const later = (): void => {
    timer ??= setTimeout(send, BURST_MS);
  };
  const note = (uris: readonly vscode.Uri[]): void => {
    for (const uri of uris) {
      const key = uri.toString();
      if (uri.scheme === "file" && (wanted(uri) || told.has(key))) {
        changed.set(key, uri);
      }
    }
    if (changed.size > 0) {
      later();
    }
  };
  const all = (): void => {
    note(vscode.languages.getDiagnostics().map(([uri]) => uri));
  };

  return vscode.Disposable.from(
    vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      note(uris);
    }),
    services.server.onDidChangeState(({ kind }) => {
      if (kind === "running") {
        told.clear();
        all();
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(all),
    {
      dispose: () => {
        clearTimeout(timer);
      },
    },
  );
}

function wanted(uri: vscode.Uri): boolean {
  return folderOnDisk(uri) !== undefined && recordsEvents("diagnostics", uri);
}

/** As the protocol has them; the worst first, where they are too many. */
function problemsOf(uri: vscode.Uri): readonly object[] {
  return vscode.languages
    .getDiagnostics(uri)
    .filter(({ source }) => source !== OUR_SOURCE)
    .sort((one, other) => one.severity - other.severity)
    .slice(0, MOST_OF_A_DOCUMENT)
    .map((diagnostic) => ({
      range: { start: plain(diagnostic.range.start), end: plain(diagnostic.range.end) },
      severity: diagnostic.severity + 1,
      message: diagnostic.message,
      ...(diagnostic.source === undefined ? {} : { source: diagnostic.source }),
      ...codeOf(diagnostic),
    }));
}

function codeOf({ code }: vscode.Diagnostic): { code?: string | number } {
  if (code === undefined) {
    return {};
  }
  return { code: typeof code === "object" ? code.value : code };
}

function plain({ line, character }: vscode.Position): object {
  return { line, character };
}
