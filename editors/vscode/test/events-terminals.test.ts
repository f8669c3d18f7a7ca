// Commands of a real terminal become events of the memory.
import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { Memory, shellTerminal, withSetting } from "./events-support";
import { folder } from "./support";

describe("events of terminals", () => {
  let memory: Memory;
  let terminal: vscode.Terminal;

  before(async () => {
    memory = await Memory.shared();
    terminal = await shellTerminal("events");
  });

  after(() => {
    terminal.dispose();
  });

  /** Types a line and waits for its end; answers with the exit code. */
  async function run(line: string): Promise<number | undefined> {
    const ended = new Promise<number | undefined>((resolve) => {
      const watch = vscode.window.onDidEndTerminalShellExecution((event) => {
        if (event.terminal === terminal) {
          watch.dispose();
          resolve(event.exitCode);
        }
      });
    });
    terminal.sendText(line);
    return ended;
  }

  it("hold the command, how it ended, where it ran, how long it took and what it showed", async () => {
    await run("sh -c \"sleep 0.4; printf '10 %%\\r\\033[31m100 %%\\033[0m done\\n'; echo NameError in cart; exit 3\"");
    const event = await memory.event("shell_exec", "NameError in cart");
    const { command, exitCode, cwd, durationMs, stdout } = event.content;
    assert.match(String(command), /^sh -c "sleep 0\.4; printf/);
    assert.equal(exitCode, 3);
    assert.equal(event.outcome, "failure");
    assert.equal(cwd, folder().uri.fsPath);
    assert.ok(Number(durationMs) >= 200 && Number(durationMs) < 10_000, String(durationMs));
    assert.equal(stdout, "100 % done\nNameError in cart");
  });

  it("make the failures that a command printed known by file and line", async () => {
    await run("sh -c \"sleep 0.4; echo 'shop/cart.py:4: error: No such discount'; exit 1\"");
    const event = await memory.event("error", "No such discount");
    assert.equal(event.content.path, "shop/cart.py");
    assert.equal(event.content.line, 4);
  });

  it("are one for each command, and none for an empty line or a command that ran elsewhere", async () => {
    await run("");
    await run("cd /tmp");
    await run("echo from-elsewhere");
    await run(`cd '${folder().uri.fsPath}'`);
    await run("true once-only");
    await memory.event("shell_exec", "once-only");
    assert.equal((await memory.holding("once-only")).length, 1);
    assert.equal((await memory.holding("from-elsewhere")).length, 0);
    assert.equal((await memory.holding("cd '")).length, 0);
    const commands = (await memory.events("shell_exec")).map(({ content }) => content.command);
    assert.ok(commands.includes("cd /tmp"));
    assert.ok(commands.every((command) => String(command).trim() !== ""));
  });

  it("hold both ends of a long output", async function () {
    this.timeout(60_000);
    await run("sh -c 'sleep 0.4; echo the-long-one; seq 1 300000; exit 4'");
    const { content } = await memory.event("shell_exec", "the-long-one");
    const stdout = String(content.stdout);
    assert.match(stdout, /^the-long-one\n1\n2\n/);
    assert.match(stdout, /\n299999\n300000$/);
    assert.ok(stdout.length < 20_000);
  });

  it("hold no secrets", async () => {
    await run(`sh -c "sleep 0.4; echo shown-with-secret ghp_${"a1B2".repeat(9)}"`);
    const { content } = await memory.event("shell_exec", "shown-with-secret");
    assert.doesNotMatch(JSON.stringify(content), /a1B2a1B2/);
  });

  it("are left out while their switch is off, or memory is paused", async () => {
    await withSetting("events.terminals", false, async () => {
      await run("true while-off");
    });
    await vscode.commands.executeCommand("contextls.toggleMemory");
    await run("true while-paused");
    await vscode.commands.executeCommand("contextls.toggleMemory");
    await run("true while-on-again");
    await memory.event("shell_exec", "while-on-again");
    assert.equal((await memory.holding("while-off")).length, 0);
    assert.equal((await memory.holding("while-paused")).length, 0);
  });
});
