/**
 * Which document is in front. Everything else about documents the server hears as a language server does: what is
 * opened, edited, saved, renamed. It takes what is opened for what is in front, though, and extensions open documents
 * behind the scenes; so the document in front is named again after that.
 *
 * The switch of this kind also makes the server leave out what it sees itself: see `unrecorded` in `src/settings.ts`.
 */
import * as vscode from "vscode";
import type { Services } from "../services";
import { recordsEvents } from "../settings";
import { folderOnDisk } from "./recorder";

const METHOD = "context/didFocus";
/** Who goes through the tabs looks at the last one. */
const FLICK_MS = 250;
/** Something that is on no disk takes the focus away. */
const NOTHING = "untitled:nothing";

export function recordDocuments(services: Services): vscode.Disposable {
  let timer: NodeJS.Timeout | undefined;
  const tell = (): void => {
    timer = undefined;
    const uri = documentInFront();
    if (services.memory.records) {
      services.server.notify(METHOD, { uri: isWanted(uri) ? uri.toString() : NOTHING });
    }
  };
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(tell, FLICK_MS);
  };
  return vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(soon),
    vscode.window.onDidChangeActiveNotebookEditor(soon),
    vscode.window.tabGroups.onDidChangeTabs(soon),
    vscode.window.tabGroups.onDidChangeTabGroups(soon),
    vscode.workspace.onDidOpenTextDocument(({ uri }) => {
      if (uri.scheme === "file") {
        soon();
      }
    }),
    services.memory.onDidChange(soon),
    services.server.onDidChangeState(({ kind }) => {
      if (kind === "running") {
        soon();
      }
    }),
    {
      dispose: () => {
        clearTimeout(timer);
      },
    },
  );
}

function isWanted(uri: vscode.Uri | undefined): uri is vscode.Uri {
  return uri !== undefined && folderOnDisk(uri) !== undefined && recordsEvents("documents", uri);
}

/** The file of the tab in front; of a comparison the side that can be edited. */
function documentInFront(): vscode.Uri | undefined {
  const input: unknown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (
    input instanceof vscode.TabInputText ||
    input instanceof vscode.TabInputNotebook ||
    input instanceof vscode.TabInputCustom
  ) {
    return input.uri;
  }
  if (input instanceof vscode.TabInputTextDiff || input instanceof vscode.TabInputNotebookDiff) {
    return input.modified;
  }
  return undefined;
}
