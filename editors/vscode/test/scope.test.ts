import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import type { ContextlsExports } from "../api/contextls";
import { scopeItems } from "../src/commands/scope";
import { homeOf } from "../src/sources";
import { copiedBy, folder } from "./support";

const QUESTION = "what discount does a large order earn?";

describe("a scope", () => {
  before(async () => {
    await vscode.extensions.getExtension<ContextlsExports>("contextls.contextls")?.activate();
  });

  it("is picked from folders and packages, those that count already first", () => {
    const api = { path: "packages/api", package: "@acme/api", files: 2 };
    const libs = { path: "libs", package: "", files: 1_200 };
    const items = scopeItems({ folders: [libs], files: 1_200, totalFiles: 1_202, choices: [api, libs], warnings: [] });
    assert.deepEqual(
      items.map(({ label, description, picked }) => [label, description, picked]),
      [
        ["libs", "1,200 files", true],
        ["@acme/api", "packages/api · 2 files", false],
      ],
    );
  });

  it("limits what is copied until nothing is chosen any more", async () => {
    const whole = await copiedBy("contextls.copyForQuery", QUESTION);
    assert.match(whole, /def discount_for/u);
    await vscode.commands.executeCommand("contextls.setScope", ["README.md"]);
    const limited = await copiedBy("contextls.copyForQuery", QUESTION);
    assert.doesNotMatch(limited, /^### `shop/mu);
    await vscode.commands.executeCommand("contextls.setScope", []);
    assert.equal(await copiedBy("contextls.copyForQuery", QUESTION), whole);
  });
});

describe("an answer of several folders", () => {
  it("says by its paths which folder a piece is of", () => {
    const parts = folder().uri.path.split("/");
    const name = parts.at(-1) ?? "";
    const home = homeOf(`${name}/shop/cart.py:1-3`);
    assert.equal(home?.folder, folder());
    assert.equal(home.source, "shop/cart.py:1-3");
    assert.equal(homeOf(`${parts.slice(-2).join("/")}/shop/cart.py`)?.source, "shop/cart.py");
    assert.equal(homeOf("elsewhere/shop/cart.py"), undefined);
  });
});
