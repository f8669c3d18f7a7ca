/** All commands of the palette, the menus and the keys. */
import * as vscode from "vscode";
import type { Services } from "../services";
import { registerAskCommands } from "./ask";
import { registerCodeCommands } from "./code";
import { handOver } from "./deliver";
import { ContextDocuments } from "./documents";
import { registerFailureCommands } from "./failure";
import { registerPinCommands } from "./pins";
import { registerProblemCommands } from "./problems";
import { registerReviewCommands } from "./review";
import { registerScopeCommand } from "./scope";
import { registerSendCommands } from "./send";
import { registerStatusCommand } from "./status";
import { registerTaskCommands } from "./tasks";
import { registerUpkeepCommands } from "./upkeep";

export function registerCommands(services: Services): vscode.Disposable {
  const documents = new ContextDocuments(services);
  return vscode.Disposable.from(
    documents.register(),
    registerAskCommands(services, documents),
    registerCodeCommands(services),
    registerProblemCommands(services),
    registerFailureCommands(services),
    registerReviewCommands(services),
    registerScopeCommand(services),
    registerSendCommands(services),
    registerPinCommands(services),
    registerTaskCommands(services),
    registerUpkeepCommands(services),
    registerStatusCommand(services),
    // What a code action of the server copied is told of like everything else that was copied.
    services.server.onDidAssemble((context) => void handOver(services, context)),
  );
}
