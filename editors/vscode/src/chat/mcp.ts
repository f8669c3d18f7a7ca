/** Offers our server to the agent mode of VS Code over the Model Context Protocol: the one that the editor itself runs. */
import * as vscode from "vscode";
import { diskFolders } from "../folders";
import type { Launch } from "../server/launch";
import type { Services } from "../services";

/** As in package.json, under `mcpServerDefinitionProviders`. */
export const PROVIDER = "contextls.memory";

export function registerMcpServer({ server }: Services): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const fire = (): void => {
    changed.fire();
  };
  return vscode.Disposable.from(
    changed,
    server.onDidChangeState(({ kind }) => {
      if (kind === "running") {
        fire();
      }
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(fire),
    vscode.lm.registerMcpServerDefinitionProvider(PROVIDER, {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: () => {
        const { launch, state } = server;
        return launch !== undefined && state.kind === "running" ? definitions(launch, state.version) : [];
      },
    }),
  );
}

/** None where no folder is open: there is nothing to remember then. */
export function definitions(launch: Launch, version: string, folders = diskFolders()): vscode.McpStdioServerDefinition[] {
  if (folders.length === 0) {
    return [];
  }
  const roots = folders.flatMap(({ uri }) => ["--root", uri.fsPath]);
  const before = launch.args.filter((argument) => argument !== "serve");
  const definition = new vscode.McpStdioServerDefinition("contextls", launch.command, [...before, "mcp", ...roots], {}, version);
  if (launch.cwd !== undefined) {
    definition.cwd = vscode.Uri.file(launch.cwd);
  }
  return [definition];
}
