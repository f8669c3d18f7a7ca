// Commits appear once: those of the workspace by the server's own eyes, those of repositories inside of it by git's.
import * as assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import * as vscode from "vscode";
import { type GitApi, gitApi } from "../src/events/git-api";
import { Memory, withSetting, writeFile } from "./events-support";
import { eventually, folder, pause } from "./support";

const IDENTITY = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false"];

describe("events of git", () => {
  let memory: Memory;
  let api: GitApi;

  before(async () => {
    memory = await Memory.shared();
    const found = await gitApi(vscode.extensions.getExtension("vscode.git"));
    assert.ok(found, "the git extension is there");
    api = found;
    await eventually("the repository of the workspace", () =>
      api.repositories.find(({ rootUri }) => rootUri.path === folder().uri.path),
    );
  });

  before("the server follows the repository", async () => {
    const commits = await followed("Fence");
    git(folder().uri.fsPath, "reset", "--hard", `HEAD~${commits}`);
  });

  /** Commits until the server has followed one; answers with the number of commits. */
  async function followed(subject: string): Promise<number> {
    let commits = 0;
    await eventually("a commit that the server follows", async () => {
      commits += 1;
      git(folder().uri.fsPath, "commit", "--allow-empty", "-m", `${subject} ${commits}`);
      await pause(2_500); // it looks every other second
      return (await memory.holding(subject, "git_commit"))[0];
    });
    return commits;
  }

  function git(at: string, ...args: readonly string[]): void {
    execFileSync("git", [...IDENTITY, ...args], { cwd: at, stdio: "pipe" });
  }

  it("tell a commit in the workspace once", async () => {
    git(folder().uri.fsPath, "commit", "--allow-empty", "-m", "Commit in the workspace");
    const event = await memory.event("git_commit", "Commit in the workspace");
    assert.equal(event.content.branch, "main");
    await eventually("the editor's own view of it", () =>
      api.repositories.find(({ state }) => state.HEAD?.commit === event.content.commit),
    );
    await pause(500);
    assert.equal((await memory.holding("Commit in the workspace")).length, 1);
    git(folder().uri.fsPath, "reset", "--hard", "HEAD~1");
  });

  describe("in a submodule", () => {
    let inner: string;

    before(async () => {
      const root = folder().uri.fsPath;
      const source = `${root}-source`;
      writeFile("../shop-source/.keep", "");
      git(source, "init", "--quiet", "--initial-branch=main");
      git(source, "commit", "--allow-empty", "-m", "Begin");
      git(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", source, "parts");
      inner = vscode.Uri.joinPath(folder().uri, "parts").fsPath;
      await eventually("the repository of the submodule", () =>
        api.repositories.find(({ rootUri, state }) => rootUri.fsPath === inner && state.HEAD?.commit !== undefined),
      );
      await eventually("the submodule in its outer repository", () => {
        const outer = api.repositories.find(({ rootUri }) => rootUri.path === folder().uri.path);
        return outer?.state.submodules.some(({ path }) => path === "parts") === true ? true : undefined;
      });
    });

    after(() => {
      const root = folder().uri.fsPath;
      git(root, "rm", "--cached", "-r", "--force", "parts", ".gitmodules");
      rmSync(`${root}/.gitmodules`, { force: true });
      rmSync(`${root}/.git/modules`, { recursive: true, force: true });
      rmSync(inner, { recursive: true, force: true });
      rmSync(`${root}-source`, { recursive: true, force: true });
    });

    it("a commit is told once with its files, and a checkout with both branches", async () => {
      writeFile("parts/wheel.py", "wheel = 1\n");
      git(inner, "add", "wheel.py");
      git(inner, "commit", "--quiet", "-m", "Add a wheel");
      const event = await memory.event("git_commit", "Add a wheel");
      assert.deepEqual(event.content.paths, ["parts/wheel.py"]);
      git(inner, "checkout", "--quiet", "-b", "faster");
      // The git extension may pass over what changes while it is at work, and sees it with the next change.
      const checkout = await eventually("a checkout that the editor saw", async () => {
        writeFile("parts/next-change.txt", String(Date.now()));
        await pause(1_000);
        return (await memory.holding("faster", "git_checkout"))[0];
      });
      assert.equal(checkout.content.from, "main");
      assert.equal(checkout.content.to, "faster");
      assert.equal((await memory.holding("Add a wheel")).length, 1);
    });
  });

  it("are left out while their switch is off", async () => {
    await withSetting("events.git", false, async () => {
      git(folder().uri.fsPath, "commit", "--allow-empty", "-m", "Commit while off");
      await pause(3_000);
    });
    const commits = 1 + (await followed("Commit while on"));
    assert.equal((await memory.holding("Commit while off")).length, 0);
    git(folder().uri.fsPath, "reset", "--hard", `HEAD~${commits}`);
  });
});
