// Real tasks become events, once each, whether or not their terminal has shell integration.
import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { Memory, withSetting } from "./events-support";
import { folder } from "./support";

describe("events of tasks", () => {
  let memory: Memory;

  before(async () => {
    memory = await Memory.shared();
  });

  after(() => {
    for (const terminal of vscode.window.terminals) {
      terminal.dispose();
    }
  });

  async function run(execution: vscode.ShellExecution | vscode.ProcessExecution): Promise<void> {
    const task = new vscode.Task({ type: "shell" }, folder(), "check", "events", execution);
    const ended = new Promise<void>((resolve) => {
      const watch = vscode.tasks.onDidEndTask((event) => {
        if (event.execution.task.name === "check") {
          watch.dispose();
          resolve();
        }
      });
    });
    await vscode.tasks.executeTask(task);
    await ended;
  }

  it("hold command, exit code, folder and output, and are one for each run", async () => {
    const execution = new vscode.ShellExecution("sleep 1; echo the-task-failed; exit 3");
    for (const count of [1, 2]) {
      await run(execution);
      const event = await memory.event("shell_exec", "the-task-failed");
      assert.equal(event.content.command, "sleep 1; echo the-task-failed; exit 3");
      assert.equal(event.content.exitCode, 3);
      assert.equal(event.content.stdout, "the-task-failed");
      assert.equal(event.content.cwd, folder().uri.fsPath);
      assert.ok(Number(event.content.durationMs) >= 300);
      await run(new vscode.ShellExecution(`true fence-${count}`));
      await memory.event("shell_exec", `fence-${count}`);
      assert.equal((await memory.holding("the-task-failed")).length, count);
    }
  });

  it("hold the arguments of a process as they could be typed", async () => {
    const cwd = vscode.Uri.joinPath(folder().uri, "shop").fsPath;
    await run(new vscode.ProcessExecution("/bin/sh", ["-c", "sleep 0.4; echo 'as a process'; exit 2"], { cwd }));
    const event = await memory.event("shell_exec", "as a process");
    assert.equal(event.content.command, "/bin/sh -c 'sleep 0.4; echo '\\''as a process'\\''; exit 2'");
    assert.equal(event.content.exitCode, 2);
    assert.equal(event.content.cwd, cwd);
    assert.equal((await memory.holding("as a process", "shell_exec")).length, 1);
    assert.equal((await memory.holding("Executing task")).length, 0);
  });

  it("are left out while their switch is off, also what their terminal shows", async () => {
    await withSetting("events.tasks", false, async () => {
      await run(new vscode.ShellExecution("sleep 0.3; true task-while-off"));
    });
    await run(new vscode.ShellExecution("sleep 0.3; true task-while-on"));
    await memory.event("shell_exec", "task-while-on");
    assert.equal((await memory.holding("task-while-off")).length, 0);
  });
});
