// Uncaught exceptions of real debug sessions: VS Code's own debugger for JavaScript runs real programs.
import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { Memory, withSetting, writeFile } from "./events-support";
import { folder, pause } from "./support";

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

/** What is looked at here of the messages of the Debug Adapter Protocol. */
interface Message {
  readonly command?: string;
  readonly arguments?: { readonly filterOptions?: readonly { readonly filterId: string }[] };
}

describe("events of debug sessions", () => {
  let memory: Memory;

  before(async () => {
    memory = await Memory.shared();
    writeFile("debugged/main.js", PROGRAM);
    writeFile("debugged/prices.js", PRICES);
    writeFile("debugged/caught.js", "try { require('./prices').discount(100) } catch {}\nprocess.exit(0);\n");
  });

  /** Runs a program in the debugger and waits for its end. */
  async function debug(name: string, argument: string): Promise<void> {
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
    });
    assert.ok(started);
    await ended;
  }

  /** Ticks, or no longer, “Uncaught Exceptions” in the list of exceptions to stop at, as a person does. */
  async function toggleUncaught(): Promise<void> {
    void vscode.commands.executeCommand("debug.toggleExceptionBreakpoints");
    await pause(1_000);
    for (const key of ["quickOpenSelectNext", "quickOpenSelectNext", "quickPickManyToggle", "acceptSelectedQuickOpenItem"]) {
      await vscode.commands.executeCommand(`workbench.action.${key}`);
      await pause(200);
    }
  }

  it("tell an exception with its message, place and stack, and none that was caught", async function () {
    this.timeout(60_000);
    await debug("caught", "caught-discount");
    await debug("main", "no-such-discount");
    const event = await memory.event("error", "no-such-discount");
    assert.equal(event.content.message, "RangeError: no-such-discount");
    assert.equal(event.content.path, "debugged/prices.js");
    assert.equal(event.content.line, 2);
    assert.match(String(event.content.stack), /main\.js:3/);
    assert.equal(event.outcome, "failure");
    await pause(500);
    assert.equal((await memory.holding("no-such-discount", "error")).length, 1);
    assert.equal((await memory.holding("caught-discount", "error")).length, 0);
  });

  it("tell an exception at which the debugger stopped, once, as the editor was told of it", async function () {
    this.timeout(120_000);
    const filters: string[] = [];
    const watch = vscode.debug.registerDebugAdapterTrackerFactory("*", {
      createDebugAdapterTracker: () => ({
        onWillReceiveMessage: ({ command, arguments: given }: Message) => {
          if (command === "setExceptionBreakpoints") {
            filters.push(...(given?.filterOptions ?? []).map(({ filterId }) => filterId));
          }
        },
        onDidSendMessage: ({ command }: Message) => {
          if (command === "exceptionInfo") {
            void vscode.commands.executeCommand("workbench.action.debug.continue");
          }
        },
      }),
    });
    await toggleUncaught();
    await debug("main", "stopped-discount");
    await toggleUncaught();
    watch.dispose();
    assert.ok(filters.includes("uncaught") && !filters.includes("all"), filters.join());
    const event = await memory.event("error", "stopped-discount");
    assert.equal(event.content.message, "RangeError: stopped-discount");
    assert.match(String(event.content.stack), /^\s*at exports\.discount/);
    assert.equal(event.content.path, "debugged/prices.js");
    await pause(500);
    assert.equal((await memory.holding("stopped-discount", "error")).length, 1);
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
