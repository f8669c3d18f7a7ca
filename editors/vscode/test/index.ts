// Runs every suite of this folder in the extension host and writes one line of JSON per test for the process outside.
import { appendFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import Mocha from "mocha";

/** One line of the results: what became of one test. */
export interface Outcome {
  readonly suite: string;
  readonly title: string;
  readonly passed: boolean;
  readonly milliseconds: number;
  readonly message: string;
}

/** The variable that names the file of results; without it they go to the console only. */
const RESULTS = "CONTEXTLS_TEST_RESULTS";
/** The variable that names the suites to run, with blanks between them; without it all of them run. */
const SUITES = "CONTEXTLS_TEST_SUITES";
const TIMEOUT_MS = 90_000;

/** Called by VS Code; it reports failure to the caller that opened the window when the promise is rejected. */
export async function run(): Promise<void> {
  const mocha = new Mocha({ ui: "bdd", timeout: TIMEOUT_MS, forbidOnly: true, forbidPending: true, color: false });
  const wanted = process.env[SUITES]?.split(" ").map((name) => name.replace(/\.ts$/, ".js"));
  const suites = readdirSync(__dirname).filter((name) => name.endsWith(".test.js") && (wanted?.includes(name) ?? true)).sort();
  for (const suite of suites) {
    mocha.addFile(join(__dirname, suite));
  }
  await mocha.loadFilesAsync();
  const failures = await new Promise<number>((resolve) => {
    const runner = mocha.run(resolve);
    runner.on("pass", (test) => { write(outcome(test)); });
    runner.on("fail", (test: Mocha.Runnable, error: unknown) => { write(outcome(test, error)); });
  });
  if (failures > 0) {
    throw new Error(`${failures} of the tests failed`);
  }
}

function outcome(test: Mocha.Runnable, error?: unknown): Outcome {
  return {
    suite: suiteOf(test),
    title: test.fullTitle(),
    passed: error === undefined,
    milliseconds: test.duration ?? 0,
    message: error instanceof Error ? (error.stack ?? error.message) : error === undefined ? "" : JSON.stringify(error),
  };
}

/** The name of the suite's source file; a failing hook of no file belongs to none. */
function suiteOf(test: Mocha.Runnable): string {
  const file = test.file ?? test.parent?.file ?? "";
  return file.slice(__dirname.length + 1).replace(/\.js$/, ".ts");
}

function write(result: Outcome): void {
  const line = JSON.stringify(result);
  console.log(line);
  const path = process.env[RESULTS];
  if (path !== undefined) {
    appendFileSync(path, `${line}\n`);
  }
}
