import * as assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import type { AssembledContext, ContextlsApi, ContextlsExports } from "../api/contextls";
import { whyNothing } from "../src/commands/review";
import { copiedBy, eventually } from "./support";

const root = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file("/");
const QUESTION = "what discount does a large order earn?";
let api: ContextlsApi;

/** Runs a command that copies, and answers with the clipboard and the context that the command assembled. */
async function copied(command: string, ...args: unknown[]): Promise<{ text: string; context: AssembledContext }> {
  const contexts: AssembledContext[] = [];
  const listening = api.onDidAssemble((context) => contexts.push(context));
  try {
    const text = await copiedBy(command, ...args);
    const [context] = contexts;
    assert.ok(context, `${command} assembled nothing`);
    return { text, context };
  } finally {
    listening.dispose();
  }
}

/** The prompt of the command that everything begins with. */
async function prompt(query: string): Promise<string> {
  return (await copied("contextls.copyForQuery", query)).text;
}

function queryOf(context: AssembledContext): string {
  return (context as unknown as { metadata: { query: string } }).metadata.query;
}

async function show(path: string): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(vscode.Uri.joinPath(root, path));
}

/** Puts the cursor before `text`, or selects it. */
function place(editor: vscode.TextEditor, text: string, select = false): void {
  const start = editor.document.getText().indexOf(text);
  assert.notEqual(start, -1, `${editor.document.fileName} lacks ${text}`);
  const position = editor.document.positionAt(start);
  const end = select ? editor.document.positionAt(start + text.length) : position;
  editor.selection = new vscode.Selection(position, end);
}

const FAILED_RUN = `tests/test_cart.py F
Traceback (most recent call last):
  File "shop/cart.py", line 17, in discount_for
    return total * 0.05 / 0 if total > 100 else 0.0
ZeroDivisionError: float division by zero
1 failed, 7 passed in 0.12s
`;

async function codeAction(editor: vscode.TextEditor, range: vscode.Range): Promise<vscode.CodeAction | undefined> {
  const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    "vscode.executeCodeActionProvider",
    editor.document.uri,
    range,
  );
  return actions.find(({ title }) => title === "Copy context for this problem");
}

describe("the commands", () => {
  before(async () => {
    const extension = vscode.extensions.getExtension<ContextlsExports>("contextls.contextls");
    assert.ok(extension);
    api = (await extension.activate()).getApi(1);
    await eventually("the index", async () => {
      const { content, report } = await api.assemble({ query: QUESTION });
      return report.indexComplete && content.includes("def discount_for") ? true : undefined;
    });
  });

  afterEach(async () => {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  describe("commands that copy", () => {
    it("copy the prompt for a question", async () => {
      const { text, context } = await copied("contextls.copyForQuery", QUESTION);
      assert.ok(text.startsWith(`${QUESTION}\n\n## `));
      assert.match(text, /def discount_for/u);
      assert.equal(text, context.content);
    });

    it("ask about what is selected", async () => {
      place(await show("shop/invoice.py"), "discount_for(total)", true);
      const { text, context } = await copied("contextls.copyForSelection");
      assert.equal(queryOf(context), "discount_for(total)");
      assert.match(text, /^This is about the selected lines\.\n\n## /u);
      assert.match(text, /shop\/cart\.py/u);
    });

    it("ask about the name under the cursor", async () => {
      place(await show("shop/invoice.py"), "discount_for(total)");
      const { text, context } = await copied("contextls.copyForSymbol");
      assert.equal(queryOf(context), "discount_for");
      assert.match(text, /^This is about `discount_for`\.\n\n## /u);
      assert.match(text, /def discount_for/u);
    });

    it("ask about the symbol whose definition the cursor stands before", async () => {
      const editor = await show("web/checkout.ts");
      await eventually("the symbols of TypeScript", async () => {
        const symbols = await vscode.commands.executeCommand<unknown[] | undefined>(
          "vscode.executeDocumentSymbolProvider",
          editor.document.uri,
        );
        return symbols?.length ? symbols : undefined;
      });
      place(editor, "export function checkoutSummary");
      assert.equal(queryOf((await copied("contextls.copyForSymbol")).context), "checkoutSummary");
      place(editor, "readonly price");
      assert.equal(queryOf((await copied("contextls.copyForSymbol")).context), "Article.price");
    });

    it("ask about a problem in the words of the server's own code action", async () => {
      const editor = await show("shop/invoice.py");
      const line = editor.document.lineAt(7);
      const range = new vscode.Range(7, 19, 7, 31);
      const problem = new vscode.Diagnostic(range, ' "discount_for" is  not defined ', vscode.DiagnosticSeverity.Error);
      problem.source = "checker";
      problem.code = { value: "undefined-name", target: vscode.Uri.parse("https://example.org/undefined-name") };
      const problems = vscode.languages.createDiagnosticCollection("test");
      try {
        problems.set(editor.document.uri, [problem]);
        editor.selection = new vscode.Selection(range.start, range.start);
        const { text, context } = await copied("contextls.copyForProblem");
        assert.equal(queryOf(context), `"discount_for" is  not defined (checker undefined-name) at: ${line.text.trim()}`);
        const task = 'Fix this problem: "discount_for" is not defined at `shop/invoice.py:8` (checker undefined-name): ';
        assert.ok(text.startsWith(`${task}\`${line.text.trim()}\`\n\n## `), text);
        const action = await eventually("the server's code action", () => codeAction(editor, range));
        const [argument] = (action.command?.arguments ?? []) as { query: string }[];
        assert.equal(argument?.query, queryOf(context));
        assert.equal(await copiedBy("contextls.copyContext", argument), text);
      } finally {
        problems.dispose();
      }
    });

    it("ask about the last command that failed, and lead with the code it points at", async () => {
      const run = { command: "pytest tests/test_cart.py", exitCode: 1, stdout: FAILED_RUN };
      const { id } = await api.record({ type: "shell_exec", content: run, outcome: "failure" });
      assert.ok(id);
      const later = { command: "git status", exitCode: 0, stdout: "clean" };
      await api.record({ type: "shell_exec", content: later, outcome: "success" });
      const { text, context } = await copied("contextls.copyForFailure");
      assert.match(queryOf(context), /`pytest tests\/test_cart\.py` failed[^]*ZeroDivisionError/u);
      const [first] = context.components.filter(({ type }) => type === "semantic");
      assert.match(first?.source ?? "", /^shop\/cart\.py:/u);
      assert.match(text, /pytest tests\/test_cart\.py/u);
    });

    it("say once why there is nothing to review", () => {
      const none = "There are no unstaged changes in shop to review.";
      assert.equal(whyNothing(["there are no unstaged changes to show"], "unstaged", "shop"), none);
      assert.equal(
        whyNothing(["there are no changes to tell: /home/me/shop is in no git repository"], "unstaged", "shop"),
        "shop is in no git repository: there is nothing to review.",
      );
      assert.equal(
        whyNothing(["in conflict and therefore not staged: a.py", "there are no staged changes to show"], "staged", "shop"),
        "There are no staged changes in shop to review. In conflict and therefore not staged: a.py.",
      );
      const warned = ["there are no changes since main"];
      assert.equal(whyNothing(warned, "main", "shop"), "There are no changes since main in shop to review.");
    });

    it("copy nothing where there is nothing to review", async () => {
      await vscode.env.clipboard.writeText("nothing was copied");
      await vscode.commands.executeCommand("contextls.reviewStaged");
      await vscode.commands.executeCommand("contextls.reviewChanges");
      assert.equal(await vscode.env.clipboard.readText(), "nothing was copied");
    });

    it("ask for a review of what is staged, or of what is not", async () => {
      const path = join(root.fsPath, "README.md");
      const before = readFileSync(path, "utf8");
      try {
        writeFileSync(path, `${before}\nThere is a STAGED_FEE.\n`);
        execFileSync("git", ["add", "README.md"], { cwd: root.fsPath });
        writeFileSync(path, readFileSync(path, "utf8").replace("# Shop", "# Shop with an UNSTAGED_WORD"));
        const staged = await copied("contextls.reviewStaged");
        assert.match(staged.text, /^\+.*STAGED_FEE/mu);
        assert.doesNotMatch(staged.text, /^\+.*UNSTAGED_WORD/mu);
        const unstaged = await copied("contextls.reviewChanges");
        assert.match(unstaged.text, /^\+.*UNSTAGED_WORD/mu);
        assert.doesNotMatch(unstaged.text, /^\+.*STAGED_FEE/mu);
      } finally {
        execFileSync("git", ["reset", "--quiet", "--", "README.md"], { cwd: root.fsPath });
        writeFileSync(path, before);
      }
    });
  });

  describe("commands that write", () => {
    it("insert the context at every cursor, and one undo takes it back", async () => {
      const document = await vscode.workspace.openTextDocument({ content: "first\nsecond\n", language: "plaintext" });
      const editor = await vscode.window.showTextDocument(document);
      const after = (line: number): vscode.Selection => new vscode.Selection(line, 0, line, document.lineAt(line).text.length);
      editor.selections = [after(0), after(1)];
      await vscode.commands.executeCommand("contextls.insertForQuery", QUESTION);
      const parts = document.getText().split("def discount_for");
      assert.equal(parts.length, 3);
      assert.match(document.getText(), /^first[^]*second/u);
      await vscode.commands.executeCommand("undo");
      assert.equal(document.getText(), "first\nsecond\n");
      await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    });

    it("open the context as a Markdown document that leads to the code", async () => {
      await vscode.commands.executeCommand("contextls.openForQuery", QUESTION);
      const document = vscode.window.activeTextEditor?.document;
      assert.equal(document?.languageId, "markdown");
      assert.match(document.getText(), /def discount_for/u);
      assert.equal(document.uri.path, `/${QUESTION}.md`);
      assert.equal(document.isDirty, false);
      const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>("vscode.executeLinkProvider", document.uri);
      const cart = links.find(({ target }) => target?.path.endsWith("/shop/cart.py"));
      assert.match(cart?.target?.fragment ?? "", /^L\d+$/u);
      assert.match(document.getText(cart?.range), /^shop\/cart\.py:\d+-\d+$/u);
    });
  });

  describe("commands of the working set", () => {
    after(() => {
      rmSync(join(root.fsPath, ".context"), { recursive: true, force: true });
    });

    it("pin a file for the next prompt, and let it go", async () => {
      const uri = vscode.Uri.joinPath(root, "web/checkout.ts");
      await vscode.commands.executeCommand("contextls.pin", uri);
      assert.match(await prompt(QUESTION), /## Working Set[^]*web\/checkout\.ts[^]*checkoutSummary/u);
      await vscode.commands.executeCommand("contextls.unpin", uri);
      assert.doesNotMatch(await prompt(QUESTION), /## Working Set/u);
    });

    it("pin the file in front, and the symbol at the cursor", async () => {
      const editor = await show("shop/cart.py");
      await vscode.commands.executeCommand("contextls.pin");
      assert.match(await prompt("what is in the README?"), /## Working Set[^]*class Cart/u);
      await vscode.commands.executeCommand("contextls.unpin", editor.document.uri);
      place(editor, "total * 0.05");
      await vscode.commands.executeCommand("contextls.pinSymbol");
      const pinned = readFileSync(join(root.fsPath, ".context", "working-set.yml"), "utf8");
      assert.match(pinned, /discount_for/u);
      const section = /## Working Set[^]*?(?=\n## |$)/u.exec(await prompt("what is in the README?"))?.[0] ?? "";
      assert.match(section, /def discount_for/u);
      assert.doesNotMatch(section, /add_article/u);
      const target = { path: "shop/cart.py", symbol: "discount_for", rootUri: root.toString() };
      await vscode.commands.executeCommand("contextls.unpin", target);
      assert.doesNotMatch(await prompt("what is in the README?"), /## Working Set/u);
    });

    it("keep what is excluded out of the next prompt: every chosen file and folder, or a symbol", async () => {
      const web = vscode.Uri.joinPath(root, "web");
      const cart = vscode.Uri.joinPath(root, "shop/cart.py");
      await vscode.commands.executeCommand("contextls.exclude", web, [web, cart]);
      const without = await prompt("discount for the checkout summary");
      assert.doesNotMatch(without, /def discount_for|function checkoutSummary/u);
      await vscode.commands.executeCommand("contextls.include", web, [web, cart]);
      assert.match(await prompt("discount for the checkout summary"), /def discount_for/u);
      place(await show("shop/cart.py"), "total * 0.05");
      await vscode.commands.executeCommand("contextls.excludeSymbol");
      assert.doesNotMatch(await prompt(QUESTION), /def discount_for/u);
      await vscode.commands.executeCommand("contextls.include", {
        path: "shop/cart.py",
        symbol: "discount_for",
        rootUri: root.toString(),
      });
    });
  });

  describe("commands of the memory", () => {
    it("begin a task that leads every prompt until it is complete", async () => {
      await vscode.commands.executeCommand("contextls.pushTask", "ship the loyalty card");
      assert.match(await prompt(QUESTION), /ship the loyalty card/u);
      await vscode.commands.executeCommand("contextls.popTask", "cards are printed");
      assert.doesNotMatch(await prompt("what is in the README?"), /^.*ship the loyalty card.*$(?<!cards are printed)/mu);
    });

    it("record a note that the next prompt knows", async () => {
      await vscode.commands.executeCommand("contextls.note", "Norway has no discount at all");
      assert.match(await prompt("which country has no discount?"), /Norway has no discount at all/u);
    });

    it("pause, so that nothing is recorded, and go on", async () => {
      const note = { type: "note", content: { text: "said while paused" } };
      await vscode.commands.executeCommand("contextls.toggleMemory");
      assert.deepEqual(await api.record(note), { id: null, reason: "paused" });
      await vscode.commands.executeCommand("contextls.toggleMemory");
      assert.ok((await api.record(note)).id);
    });

    it("build the index from scratch, or bring it up to date", async () => {
      // A file that is new when all are indexed may be indexed by the watcher, and is then no change.
      const rebuilt = await vscode.commands.executeCommand<{ files: number; changed: number }>("contextls.rebuildIndex");
      assert.equal(rebuilt.changed, rebuilt.files);
      const path = join(root.fsPath, "shop", "tax.py");
      try {
        writeFileSync(path, "def tax_for(total: float) -> float:\n    return total * 0.25\n");
        const updated = await vscode.commands.executeCommand<{ files: number }>("contextls.updateIndex");
        assert.match(await prompt("tax_for"), /total \* 0\.25/u);
        assert.equal(updated.files, rebuilt.files + 1);
      } finally {
        rmSync(path);
      }
    });

    it("restart the server, which answers as before", async () => {
      await vscode.commands.executeCommand("contextls.restartServer");
      assert.match(await prompt(QUESTION), /def discount_for/u);
    });
  });
});
