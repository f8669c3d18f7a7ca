import tseslint from "typescript-eslint";

// What `@types/mocha` declares for src too, where it is checked with the tests: when it runs there is nothing by these names.
const MOCHA = [
  "after", "afterEach", "before", "beforeEach", "context", "describe", "it", "mocha", "run", "setup", "specify", "suite",
  "suiteSetup", "suiteTeardown", "teardown", "test", "xcontext", "xdescribe", "xit", "xspecify",
];

export default tseslint.config(
  { ignores: ["dist/", "out/", "node_modules/", "wheel*/", "**/*.mjs"] },
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: {
      // The project of the tests holds src too: one program less to read, and for `npm run check` one less to check.
      parserOptions: { project: ["./test/tsconfig.json", "./webview/tsconfig.json"] },
    },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unused-expressions": "error",
      eqeqeq: "error",
      "max-lines": ["error", { max: 300, skipBlankLines: true, skipComments: true }],
      "max-lines-per-function": ["error", { max: 70, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ["src/**/*.ts"],
    rules: { "no-restricted-globals": ["error", ...MOCHA] },
  },
  {
    files: ["test/**/*.ts"],
    rules: { "max-lines-per-function": "off" },
  },
);
