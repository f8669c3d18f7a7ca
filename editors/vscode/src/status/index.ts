/** Tells how things stand: in the status bar, among the language statuses, and while indexing how far it is. */
import * as vscode from "vscode";
import { registerCommand } from "../commands/run";
import type { Services } from "../services";
import { StatusBar } from "./bar";
import { registerExplaining } from "./explain";
import { FrontFile } from "./file";
import { Indexing } from "./indexing";
import { LanguageStatus } from "./language";
import { IndexingProgress } from "./progress";
import type { Snapshot } from "./snapshot";
import { Truth } from "./truth";
import { tickWalkthrough } from "./walkthrough";

/** Set while there is something to stop. */
const INDEXING_KEY = "contextls.indexing";

export function registerStatus(services: Services): vscode.Disposable {
  const indexing = new Indexing(services.server);
  const truth = new Truth(services, indexing);
  const bar = new StatusBar();
  const file = new FrontFile(services);
  const language = new LanguageStatus();
  let wasIndexing: boolean | undefined;
  const show = (snapshot: Snapshot): void => {
    bar.show(snapshot);
    language.show(snapshot, file.current);
    const isIndexing = snapshot.indexing !== undefined;
    if (isIndexing !== wasIndexing) {
      wasIndexing = isIndexing;
      void vscode.commands.executeCommand("setContext", INDEXING_KEY, isIndexing);
    }
  };
  show(truth.snapshot);
  return vscode.Disposable.from(
    indexing,
    new IndexingProgress(services.server),
    truth,
    bar,
    file,
    language,
    truth.onDidChange(show),
    file.onDidChange((found) => {
      language.show(truth.snapshot, found);
    }),
    tickWalkthrough(services.server),
    registerCommand(services, "contextls.stopIndexing", () => {
      indexing.stop();
      return Promise.resolve();
    }),
    registerExplaining(services),
  );
}
