// Bundles the extension and its webview into dist/; with --tests, the tests of the extension host into out/test/.
import { build, context } from "esbuild";
import { readdirSync } from "node:fs";
import { withoutUnusedFeatures } from "./scripts/unused-features.mjs";

const production = process.argv.includes("--production");
const shared = { bundle: true, logLevel: "warning", minify: production, sourcemap: production ? false : "linked" };
const host = { ...shared, platform: "node", format: "cjs", target: "node20", charset: "utf8", external: ["vscode"], plugins: [withoutUnusedFeatures] };

// The language client is most of the code, and is not needed while the extension activates: a file of its own.
const CLIENT = "vscode-languageclient/node";
const clientApart = {
  name: "client-apart",
  setup: ({ onResolve }) => {
    onResolve({ filter: /^vscode-languageclient\/node$/ }, () => ({ path: "./client.js", external: true }));
  },
};
const client = { ...host, entryPoints: [CLIENT], outfile: "dist/client.js" };
const extension = {
  ...host,
  plugins: [clientApart],
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
};
// Plain Node runs this one, without VS Code, once the extension has been uninstalled.
const uninstall = { ...host, plugins: [], external: [], entryPoints: ["src/uninstall.ts"], outfile: "dist/uninstall.js" };
const webview = {
  ...shared,
  platform: "browser",
  format: "iife",
  target: "es2022",
  entryPoints: ["webview/panel.ts", "webview/panel.css"],
  outdir: "dist/webview",
};
// What suites share at run time, the server that is asked what was recorded, is there once for all of them.
const SHARED = ["support", "events-support"];
const supportApart = {
  name: "support-apart",
  setup: ({ onResolve }) => {
    onResolve({ filter: new RegExp(`^\\./(${SHARED.join("|")})$`) }, ({ path }) => ({ path: `${path}.js`, external: true }));
  },
};
const suites = readdirSync("test").filter((name) => name.endsWith(".test.ts"));
const tests = {
  ...host,
  minify: false,
  sourcemap: "inline",
  plugins: [withoutUnusedFeatures, supportApart],
  external: ["vscode", "mocha"],
  entryPoints: ["index.ts", ...SHARED.map((name) => `${name}.ts`), ...suites].map((name) => `test/${name}`),
  outdir: "out/test",
};

const wanted = process.argv.includes("--tests") ? [tests] : [extension, client, uninstall, webview];
if (process.argv.includes("--watch")) {
  await Promise.all(wanted.map(async (options) => (await context(options)).watch()));
} else {
  await Promise.all(wanted.map((options) => build(options)));
}
