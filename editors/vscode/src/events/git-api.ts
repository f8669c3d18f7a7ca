/** The part of the built-in git extension's API (version 1) that is used here. */
import type * as vscode from "vscode";

export interface GitCommit {
  readonly hash: string;
  readonly message: string;
  readonly parents: readonly string[];
}

export interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly state: {
    readonly HEAD:
      | { readonly name?: string; readonly commit?: string; readonly upstream?: { readonly remote: string; readonly name: string } }
      | undefined;
    readonly submodules: readonly { readonly path: string }[];
    readonly onDidChange: vscode.Event<void>;
  };
  getCommit(ref: string): Promise<GitCommit>;
  getBranches(query: { readonly remote: boolean; readonly sort: "committerdate" }): Promise<readonly { readonly name?: string }[]>;
  diffBetween(one: string, other: string): Promise<readonly { readonly uri: vscode.Uri }[]>;
}

export interface GitApi {
  readonly repositories: readonly GitRepository[];
  getRepository(uri: vscode.Uri): GitRepository | null;
  readonly onDidOpenRepository: vscode.Event<GitRepository>;
  readonly onDidCloseRepository: vscode.Event<GitRepository>;
}

interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): GitApi;
}

/** The API; undefined where the git extension is missing, switched off or without git. */
export async function gitApi(extension: vscode.Extension<unknown> | undefined): Promise<GitApi | undefined> {
  const git = (await extension?.activate()) as GitExtension | undefined;
  return git?.enabled === true ? git.getAPI(1) : undefined;
}
