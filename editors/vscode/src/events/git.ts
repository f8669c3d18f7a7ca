/**
 * Commits and checkouts in repositories inside of a workspace folder: submodules, and clones side by side in a folder
 * that is no repository itself. The server follows the one repository that holds a folder by reading git's own log,
 * every other second and with nothing lost while no editor runs; telling it the same from here would record each move
 * twice, and telling it to look at once would win a second. Repositories further down it does not look for, but the
 * editor's git extension finds them.
 *
 * A clone inside of a repository that is no submodule of it is left out: it is ignored there, or not yet part of it.
 *
 * The switch of this kind also makes the server leave out what it sees itself: see `unrecorded` in `src/settings.ts`.
 */
import * as vscode from "vscode";
import type { RecordParams } from "../protocol";
import { asError } from "../server/server";
import type { Services } from "../services";
import { type GitApi, gitApi, type GitCommit, type GitRepository } from "./git-api";
import { folderOnDisk, type Recorder } from "./recorder";

const MOST_PATHS = 50;

interface Place {
  readonly branch: string | undefined;
  readonly commit: string | undefined;
}

export function recordGit(services: Services, recorder: Recorder): vscode.Disposable {
  const watches = new Map<string, vscode.Disposable>(); // the API makes a new object of a repository each time
  let disposed = false;

  const follow = (git: GitApi, repository: GitRepository): void => {
    let last = placeOf(repository);
    let telling = Promise.resolve();
    const watch = repository.state.onDidChange(() => {
      const before = last;
      last = placeOf(repository);
      const now = last;
      if (before.commit === undefined || now.commit === undefined || samePlace(before, now)) {
        return;
      }
      const folder = nestedIn(git, repository);
      if (folder !== undefined && recorder.wants("git", folder)) {
        telling = telling
          .then(async () => {
            await recorder.record("git", folder, await moved(repository, folder, before, now));
          })
          .catch((error: unknown) => {
            services.log.warn(`git in ${repository.rootUri.fsPath}: ${asError(error).message}`);
          });
      }
    });
    watches.get(idOf(repository))?.dispose();
    watches.set(idOf(repository), watch);
  };

  const start = async (): Promise<void> => {
    const git = await gitApi(vscode.extensions.getExtension("vscode.git"));
    if (git === undefined || disposed) {
      return;
    }
    opened = vscode.Disposable.from(
      git.onDidOpenRepository((repository) => {
        follow(git, repository);
      }),
      git.onDidCloseRepository((repository) => {
        watches.get(idOf(repository))?.dispose();
        watches.delete(idOf(repository));
      }),
    );
    for (const repository of git.repositories) {
      follow(git, repository);
    }
  };

  let opened: vscode.Disposable | undefined;
  start().catch((error: unknown) => {
    services.log.info(`git is not followed by the editor: ${asError(error).message}`);
  });
  return new vscode.Disposable(() => {
    disposed = true;
    opened?.dispose();
    vscode.Disposable.from(...watches.values()).dispose();
  });
}

function idOf({ rootUri }: GitRepository): string {
  return rootUri.toString();
}

function placeOf({ state }: GitRepository): Place {
  return { branch: state.HEAD?.name, commit: state.HEAD?.commit };
}

function samePlace(one: Place, other: Place): boolean {
  return one.branch === other.branch && one.commit === other.commit;
}

/** The workspace folder in which the server does not follow this repository by itself. */
function nestedIn(git: GitApi, repository: GitRepository): vscode.WorkspaceFolder | undefined {
  const folder = folderOnDisk(repository.rootUri);
  if (folder === undefined || holds(repository.rootUri, folder.uri)) {
    return undefined;
  }
  const outer = git.repositories.filter(
    (each) => idOf(each) !== idOf(repository) && holds(each.rootUri, repository.rootUri),
  );
  const isPart = outer.every(({ rootUri, state }) =>
    state.submodules.some(({ path }) => holds(vscode.Uri.joinPath(rootUri, path), repository.rootUri)),
  );
  return isPart ? folder : undefined;
}

function holds(outer: vscode.Uri, inner: vscode.Uri): boolean {
  return `${inner.path}/`.startsWith(`${outer.path.replace(/\/$/, "")}/`);
}

async function moved(
  repository: GitRepository,
  folder: vscode.WorkspaceFolder,
  before: Place,
  now: Place,
): Promise<RecordParams> {
  const branch = now.branch === undefined ? {} : { branch: now.branch };
  const { commit: from = "", branch: fromBranch } = before;
  const { commit: to = "" } = now;
  if (fromBranch === now.branch) {
    const made = await repository.getCommit(to);
    if (made.parents.includes(from)) {
      return committed(made, branch, await pathsOf(repository, folder, from, to));
    }
    const content = { from: from.slice(0, 12), to: to.slice(0, 12), ...branch, action: "reset" };
    return { type: "git_checkout", outcome: "success", content };
  }
  const content = { from: fromBranch ?? from.slice(0, 12), to: now.branch ?? to.slice(0, 12), ...branch };
  return { type: "git_checkout", outcome: "success", content };
}

function committed(made: GitCommit, branch: { branch?: string }, paths: readonly string[]): RecordParams {
  const [subject = ""] = made.message.split("\n");
  return { type: "git_commit", outcome: "success", content: { commit: made.hash, subject, ...branch, paths } };
}

async function pathsOf(
  repository: GitRepository,
  folder: vscode.WorkspaceFolder,
  from: string,
  to: string,
): Promise<readonly string[]> {
  const changes = await repository.diffBetween(from, to);
  const root = `${folder.uri.path.replace(/\/$/, "")}/`;
  const inside = changes.map(({ uri }) => uri.path).filter((path) => path.startsWith(root));
  return inside.slice(0, MOST_PATHS).map((path) => path.slice(root.length));
}
