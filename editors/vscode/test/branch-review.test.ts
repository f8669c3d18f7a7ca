import * as assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { orderBases } from "../src/commands/review-base";
import { gitApi } from "../src/events/git-api";
import { copiedBy, eventually, pause } from "./support";

const root = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file("/");

describe("a review of a branch", () => {
  const git = (...args: string[]): string => execFileSync("git", args, { cwd: root.fsPath, encoding: "utf8" });

  it("offers the branch that work is merged to first", () => {
    const names = ["topic", "origin/topic", "older", "origin/HEAD", "origin/main", "main"];
    assert.deepEqual(orderBases(names, "topic", "origin/topic"), ["main", "origin/main", "origin/topic", "older"]);
    assert.deepEqual(orderBases(names, "main", "origin/main").slice(0, 2), ["origin/main", "topic"]);
    assert.deepEqual(orderBases(["work", "other"], "work"), ["other"]);
  });

  it("copies all that is new since a base, and says so where nothing is", async () => {
    git("add", "--all"); // what other suites left
    git("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "--quiet", "--allow-empty", "-m", "Keep");
    const base = git("rev-parse", "HEAD").trim();
    const path = join(root.fsPath, "README.md");
    const before = readFileSync(path, "utf8");
    try {
      writeFileSync(path, `${before}\nThere is a BRANCH_FEE.\n`);
      const text = await copiedBy("contextls.reviewBranch", base);
      assert.match(text, /^\+.*BRANCH_FEE/mu);
    } finally {
      writeFileSync(path, before);
    }
    await vscode.env.clipboard.writeText("nothing was copied");
    await vscode.commands.executeCommand("contextls.reviewBranch", base);
    assert.equal(await vscode.env.clipboard.readText(), "nothing was copied");
  });

  it("lets the user choose among the branches of the repository", async () => {
    const path = join(root.fsPath, "README.md");
    const before = readFileSync(path, "utf8");
    const api = await gitApi(vscode.extensions.getExtension("vscode.git"));
    await eventually("the repository", () => api?.getRepository(root) ?? undefined);
    git("branch", "older");
    try {
      writeFileSync(path, `${before}\nThere is a CHOSEN_FEE.\n`);
      await vscode.env.clipboard.writeText("nothing was copied");
      let done = false;
      const command = vscode.commands.executeCommand("contextls.reviewBranch").then(() => (done = true));
      await eventually("an answer to the choice", async () => {
        await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
        await pause(100);
        return done || undefined;
      });
      await command;
      assert.match(await vscode.env.clipboard.readText(), /^\+.*CHOSEN_FEE/mu);
    } finally {
      writeFileSync(path, before);
      git("branch", "-D", "older");
    }
  });
});
