// Collects the texts that users see into l10n/bundle.l10n.json, for translators. With --check it only says whether that
// file is up to date.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const BUNDLE = "l10n/bundle.l10n.json";

const sources = readdirSync("src", { recursive: true }).filter((name) => name.endsWith(".ts"));
const texts = [...new Set(sources.flatMap((name) => textsIn(join("src", name))))].sort();
const bundle = `${JSON.stringify(Object.fromEntries(texts.map((text) => [text, text])), null, 2)}\n`;

if (!process.argv.includes("--check")) {
  writeFileSync(BUNDLE, bundle);
} else if (readFileSync(BUNDLE, "utf8") !== bundle) {
  console.error(`${BUNDLE} is not up to date; run: npm run l10n`);
  process.exitCode = 1;
}

/** The first argument of each `l10n.t(...)`; one that is no plain text would be missing from the file, and is an error. */
function textsIn(path) {
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest);
  const found = [];
  const visit = (node) => {
    if (ts.isCallExpression(node) && /^(vscode\.)?l10n\.t$/.test(node.expression.getText(source))) {
      const [text] = node.arguments;
      if (text === undefined || !ts.isStringLiteralLike(text)) {
        throw new Error(`${path}: not a plain text: ${node.getText(source)}`);
      }
      found.push(text.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
