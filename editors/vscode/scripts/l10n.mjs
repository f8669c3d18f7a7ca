// Collects the texts that users see into l10n/bundle.l10n.json, for translators. With --check it only says whether that
// file is up to date.
import { getL10nJson } from "@vscode/l10n-dev";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const BUNDLE = "l10n/bundle.l10n.json";

const sources = readdirSync("src", { recursive: true })
  .filter((name) => name.endsWith(".ts"))
  .sort()
  .map((name) => ({ extension: ".ts", contents: readFileSync(join("src", name), "utf8") }));
const texts = Object.entries(await getL10nJson(sources)).sort(([one], [other]) => (one < other ? -1 : 1));
const bundle = `${JSON.stringify(Object.fromEntries(texts), null, 2)}\n`;

if (!process.argv.includes("--check")) {
  writeFileSync(BUNDLE, bundle);
} else if (readFileSync(BUNDLE, "utf8") !== bundle) {
  console.error(`${BUNDLE} is not up to date; run: npm run l10n`);
  process.exitCode = 1;
}
