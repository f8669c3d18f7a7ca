// Uncaught exceptions of real debug sessions: VS Code's own debugger for JavaScript runs real programs.
import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { folder, Memory, pause, withSetting, writeFile } from "./events-support";

const PROGRAM = `const { discount } = require("./prices");
function total(amount) {
  return amount - discount(amount).value;
}
total(100);
`;
const PRICES = `exports.discount = (amount) => {
  if (amount > 50) throw new RangeError(process.argv[2]);
  return { value: 0 };
};
`;

describe("events of debug sessions", () => {
  let memory: Memory;

  before(async () => {
    memory = await Memory.open();
    writeFile("debugged/main.js", PROGRAM);
    writeFile("debugged/prices.js", PRICES);
    writeFile("debugged/caught.js", "try { require('./prices').discount(100) } catch {}\nprocess.exit(0);\n");
  });

  after(async () => {
    await memory.close();
  });

  /** Runs a program in the debugger; where it stops it is told to go on, and a session that ends is waited for. */
  async function debug(name: string, argument: string, more: object = {}): Promise<void> {
    const ended = new Promise<void>((resolve) => {
      const watch = vscode.debug.onDidTerminateDebugSession((session) => {
        if (session.parentSession === undefined) {
          watch.dispose();
          resolve();
        }
      });
    });
    const program = vscode.Uri.joinPath(folder().uri, `debugged/${name}.js`).fsPath;
    const started = await vscode.debug.startDebugging(folder(), {
      type: "node",
      request: "launch",
      name: "debugged",
      program,
      args: [argument],
      runtimeExecutable: process.execPath,
      console: "internalConsole",
      ...more,
    });
    assert.ok(started);
    const going = setInterval(() => {
      void vscode.commands.executeCommand("workbench.action.debug.continue");
    }, 2_500);
    await ended;
    clearInterval(going);
  }

  it("tell the exception with its message, place and stack", async function () {
    this.timeout(60_000);
    await debug("main", "no-such-discount");
    const event = await memory.event("error", "no-such-discount");
    assert.equal(event.content.message, "RangeError: no-such-discount");
    assert.equal(event.content.path, "debugged/prices.js");
    assert.equal(event.content.line, 2);
    assert.match(String(event.content.stack), /main\.js:3/);
    assert.equal(event.outcome, "failure");
    await pause(500);
    assert.equal((await memory.holding("no-such-discount", "error")).length, 1);
  });

  it("tell nothing of an exception that was caught, or of a program that ended well", async function () {
    this.timeout(60_000);
    await debug("caught", "caught-discount");
    await debug("main", "fence-discount");
    await memory.event("error", "fence-discount");
    assert.equal((await memory.holding("caught-discount", "error")).length, 0);
  });

  it("are left out while their switch is off", async function () {
    this.timeout(60_000);
    await withSetting("events.debug", false, async () => {
      await debug("main", "off-discount");
      await pause(500);
    });
    assert.equal((await memory.holding("off-discount", "error")).length, 0);
  });
});
