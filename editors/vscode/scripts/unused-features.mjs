// The language client comes with every feature of the protocol. Those that the server has no use for are left out of
// the bundle: half of what a window would load for nothing, and capabilities that nobody means.
const UNUSED = [
  "callHierarchy",
  "codeLens",
  "colorProvider",
  "completion",
  "declaration",
  "definition",
  "diagnostic",
  "documentHighlight",
  "documentLink",
  "documentSymbol",
  "foldingRange",
  "formatting",
  "hover",
  "implementation",
  "inlayHint",
  "inlineCompletion",
  "inlineValue",
  "linkedEditingRange",
  "notebook",
  "reference",
  "rename",
  "selectionRange",
  "semanticTokens",
  "signatureHelp",
  "typeDefinition",
  "typeHierarchy",
  "workspaceSymbol",
];

/** Every class of such a module becomes a feature that announces nothing and does nothing. */
const NOTHING = `
class Nothing {
  fillClientCapabilities() {}
  initialize() {}
  getState() { return { kind: "static" }; }
  clear() {}
}
module.exports = new Proxy({}, { get: () => Nothing });
`;

export const withoutUnusedFeatures = {
  name: "without-unused-features",
  setup(build) {
    const filter = new RegExp(`vscode-languageclient[\\\\/]lib[\\\\/]common[\\\\/](${UNUSED.join("|")})\\.js$`);
    build.onLoad({ filter }, () => ({ contents: NOTHING, loader: "js" }));
    // Only asks whether this VS Code is new enough for the client: it is, as the extension demands a newer one.
    build.onLoad({ filter: /semver[\\/]functions[\\/]\w+\.js$/ }, () => ({ contents: "module.exports = () => ({});", loader: "js" }));
  },
};
