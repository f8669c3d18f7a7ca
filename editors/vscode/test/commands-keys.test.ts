import * as assert from "node:assert/strict";
import * as vscode from "vscode";

interface Key {
  readonly key: string;
  readonly command: string;
  readonly when?: string;
}

/** Without `key` it is for macOS alone. */
interface OwnKey extends Omit<Key, "key"> {
  readonly key?: string;
  readonly mac: string;
}

interface Contributed {
  readonly commands: readonly { readonly command: string }[];
  readonly keybindings: readonly OwnKey[];
  readonly menus: Readonly<Record<string, readonly { readonly command?: string; readonly when?: string }[]>>;
}

function contributed(): Contributed {
  const manifest = vscode.extensions.getExtension("contextls.contextls")?.packageJSON as { contributes: Contributed };
  return manifest.contributes;
}

/** Our keys that hold anywhere; one of a view of ours is meant for that view alone. */
function everywhere(): Contributed["keybindings"] {
  return contributed().keybindings.filter(({ when }) => !when?.includes("focusedView == contextls."));
}

/** Every key that VS Code and its own extensions bind on this platform. */
async function takenKeys(): Promise<readonly Key[]> {
  const uri = vscode.Uri.parse("vscode://defaultsettings/keybindings.json");
  const text = (await vscode.workspace.openTextDocument(uri)).getText();
  const json = text.replace(/^\s*\/\/.*$/gmu, "");
  const all = JSON.parse(json) as Key[];
  return all.filter(({ command }) => !command.startsWith("contextls.") && !command.startsWith("-"));
}

describe("the keys", () => {
  it("take no key of VS Code, nor the first half of one, nor a key whose first half is ours", async () => {
    const taken = await takenKeys();
    assert.ok(taken.length > 500, "VS Code told few keys");
    const macintosh = taken.some(({ key }) => key === "cmd+c");
    for (const own of everywhere()) {
      const key = macintosh ? own.mac : own.key;
      if (key === undefined) {
        continue;
      }
      const clashes = taken.filter((other) => other.key === key || other.key.startsWith(`${key} `) || leads(other, key));
      assert.deepEqual(clashes, [], `${own.command} takes ${key}`);
    }
  });

  it("need no AltGr on European keyboards", () => {
    for (const { key, mac } of contributed().keybindings) {
      assert.doesNotMatch(key ?? "", /ctrl\+(?:shift\+)?alt|alt\+(?:shift\+)?ctrl/u);
      assert.doesNotMatch(mac, /alt\+\w$/u);
    }
  });

  it("are there for a question, for what is under the cursor, for a problem, for a failure and for the panel", () => {
    const bound = contributed().keybindings.map(({ command }) => command);
    for (const command of ["copyForQuery", "copyForSelection", "copyForSymbol", "copyForProblem", "copyForFailure", "openPanel"]) {
      assert.ok(bound.includes(`contextls.${command}`), `${command} has no key`);
    }
  });
});

/** Whether a single stroke of VS Code would be lost behind our chord: where both can be meant at once. */
function leads(other: Key, key: string): boolean {
  if (other.key !== key.split(" ")[0] || other.when === "false") {
    return false;
  }
  // Ours hold in text editors, or say where they do not hold.
  const elsewhere = ["terminalFocus", "focusedView == 'workbench.panel.repl.view'"];
  return !elsewhere.some((where) => other.when?.includes(where));
}

describe("the keys in a terminal", () => {
  const inTerminals = (): readonly OwnKey[] => contributed().keybindings.filter(({ when }) => when?.includes("terminalFocus"));

  it("are those of everywhere, but for macOS, whose ⌘K clears a terminal", () => {
    for (const { key, when } of inTerminals()) {
      assert.match(when ?? "", key === undefined ? /isMac && terminalFocus/u : /\(!isMac \|\| !terminalFocus/u);
    }
    const commands = (forMacAlone: boolean): string[] =>
      inTerminals()
        .filter(({ key }) => (key === undefined) === forMacAlone)
        .map(({ command }) => command)
        .sort();
    assert.deepEqual(commands(true), commands(false));
    assert.ok(commands(true).includes("contextls.copyForFailure"));
  });
});

describe("the palette", () => {
  it("has every command of the manifest, under one prefix and registered", async () => {
    const registered = new Set(await vscode.commands.getCommands(true));
    for (const { command } of contributed().commands) {
      assert.ok(registered.has(command), `${command} is in the manifest only`);
      assert.match(command, /^contextls\./u);
    }
  });

  it("has menus of commands that exist", () => {
    const known = new Set(contributed().commands.map(({ command }) => command));
    for (const [menu, items] of Object.entries(contributed().menus)) {
      for (const { command } of items) {
        assert.ok(command === undefined || known.has(command), `${menu} names ${command ?? ""}`);
      }
    }
  });
});
