// The way of events into the memory: in order, nothing lost while the server is away.
import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { Memory, shellTerminal } from "./events-support";
import { serversOfThisHost } from "./processes";
import { eventually } from "./support";

describe("the recorder of events", () => {
  let memory: Memory;
  let terminal: vscode.Terminal;

  before(async () => {
    memory = await Memory.shared();
    terminal = await shellTerminal("recorder");
  });

  after(() => {
    terminal.dispose();
  });

  it("keeps the order, and what happens while the server is killed and starts again", async function () {
    this.timeout(60_000);
    const before = await eventually("the extension's server", () => serversOfThisHost()[0]);
    let ended = 0;
    const watch = vscode.window.onDidEndTerminalShellExecution((event) => {
      ended += event.terminal === terminal ? 1 : 0;
    });
    for (let number = 0; number < 6; number += 1) {
      if (number === 2) {
        process.kill(before, "SIGKILL");
      }
      terminal.sendText(`true step-${number}`);
      await eventually(`the end of step ${number}`, () => (ended > number ? true : undefined));
    }
    watch.dispose();
    await memory.event("shell_exec", "step-5");
    const steps = (await memory.holding("true step-", "shell_exec")).map(({ content }) => content.command);
    assert.deepEqual(steps.reverse(), [0, 1, 2, 3, 4, 5].map((number) => `true step-${number}`));
    assert.ok(!serversOfThisHost().includes(before));
  });
});
