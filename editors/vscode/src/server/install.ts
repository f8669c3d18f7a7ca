/** Makes the server's environment: finds what makes it, makes it, installs the wheel, tries it. */
import type * as vscode from "vscode";
import { type Ended, runChild } from "./child";
import type { Environment } from "./environment";
import { failureOf, noPython, noVenv, SetUpError, type Step } from "./failures";
import { findPython, findUv, type Found, isNewEnough, type Python, type PythonPlaces } from "./python";

/** Hears how far it is: `fraction` from 0 to 1, `line` the tool's own words. */
export type Progress = (step: Step, fraction: number, line: string) => void;

export interface Installation {
  readonly environment: Environment;
  readonly python: PythonPlaces;
  /** Variables on top of our own, such as the proxy of the editor's settings. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly progress: Progress;
  readonly log: vscode.LogOutputChannel;
  readonly token: vscode.CancellationToken;
}

/** What makes the environment and installs into it. */
type Tool = { readonly kind: "uv"; readonly uv: string; readonly python: Python | undefined } | { readonly kind: "pip"; readonly python: Python };

const ANY_PYTHON = ">=3.11,<3.15"; // what uv is asked for where the machine has none
const CREATE_AT = 0.05;
const INSTALL_AT = 0.12;
const START_AT = 0.95;
/** User-wide choices that would send packages elsewhere than into the environment. */
const MISLEADING = { PIP_USER: "0", PIP_TARGET: undefined, PIP_PREFIX: undefined, PIP_ROOT: undefined, PIP_REQUIRE_VIRTUALENV: undefined };

/**
 * Makes the environment again and marks it complete. Rejects with `SetUpError`, or `undefined` is returned when it was
 * cancelled; then, and on failure, nothing of it is left.
 */
export async function install(installation: Installation): Promise<Environment | undefined> {
  const { environment, token } = installation;
  await environment.prepareStorage();
  let made = false;
  try {
    const tools = await chosenTools(installation);
    made = await withFirstThatWorks(tools, installation);
  } finally {
    if (!made) {
      await environment.remove();
    }
  }
  return made && !token.isCancellationRequested ? environment : undefined;
}

async function chosenTools({ python, progress }: Installation): Promise<readonly Tool[]> {
  progress("find", 0, "");
  const [uv, found] = await Promise.all([findUv(python.search), findPython(python)]);
  const tools: Tool[] = [];
  if (uv !== undefined && (python.chosen === "" || found.python !== undefined)) {
    tools.push({ kind: "uv", uv, python: found.python });
  }
  if (found.python !== undefined) {
    tools.push({ kind: "pip", python: found.python });
  }
  if (tools.length === 0) {
    throw new SetUpError(nothingFound(found));
  }
  return tools;
}

function nothingFound({ refused }: Found): ReturnType<typeof noPython> {
  const lacking = refused.find(isNewEnough);
  return lacking === undefined
    ? noPython(refused.map((python) => `${python.path} (${python.version.join(".")})`))
    : noVenv(lacking.path, lacking.version.slice(0, 2).join("."));
}

/** True once the environment is whole; false when it was cancelled. */
async function withFirstThatWorks(tools: readonly Tool[], installation: Installation): Promise<boolean> {
  for (const [index, tool] of tools.entries()) {
    try {
      return await withTool(tool, installation);
    } catch (error) {
      const final = !(error instanceof SetUpError) || error.failure.final || index === tools.length - 1;
      if (final) {
        throw error;
      }
      installation.log.warn(`${error.message} Trying without ${tool.kind}.`);
    }
  }
  return false;
}

async function withTool(tool: Tool, installation: Installation): Promise<boolean> {
  const { environment, token } = installation;
  await environment.remove();
  for (const [step, command] of stepsOf(tool, environment)) {
    await runStep(step, command, installation);
    if (token.isCancellationRequested) {
      return false;
    }
    if (step === "create") {
      await environment.mark();
    }
  }
  await environment.markComplete();
  return true;
}

function stepsOf(tool: Tool, { path, python, wheel }: Environment): readonly (readonly [Step, readonly string[]])[] {
  const tried = [python, "-I", "-m", "contextls.cli.main", "--version"];
  if (tool.kind === "uv") {
    const base = tool.python?.path ?? ANY_PYTHON;
    return [
      ["create", [tool.uv, "venv", "--no-project", "--python", base, path]],
      ["install", [tool.uv, "pip", "install", "--python", python, wheel.path]],
      ["start", tried],
    ];
  }
  // Neither compiles what it installs: Python does so with what is used, and most of it never is.
  const pip = ["-I", "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--progress-bar=off", "--no-compile"];
  return [
    ["create", [tool.python.path, "-I", "-m", "venv", path]],
    ["install", [python, ...pip, "--retries=2", "--prefer-binary", wheel.path]],
    ["start", tried],
  ];
}

async function runStep(step: Step, command: readonly string[], installation: Installation): Promise<void> {
  const { environment, log, progress, token, variables } = installation;
  const [program = "", ...args] = command;
  log.info(command.join(" "));
  const counted = new Counter(step, environment.wheel.packages, progress);
  const ended: Ended = await runChild(program, args, {
    cwd: environment.storage,
    env: { ...MISLEADING, ...variables },
    token,
    onLine: (line) => {
      log.info(line);
      counted.hear(line);
    },
  });
  if (ended.status !== 0 && !token.isCancellationRequested) {
    throw new SetUpError(failureOf(step, ended.lines));
  }
}

/** Turns the lines of a tool into a fraction of the whole work. */
class Counter {
  private packages = 0;

  constructor(
    private readonly step: Step,
    private readonly expected: number,
    private readonly progress: Progress,
  ) {
    progress(step, { find: 0, create: CREATE_AT, install: INSTALL_AT, start: START_AT }[step], "");
  }

  hear(given: string): void {
    const line = given.trim();
    if (this.step !== "install" || line === "") {
      return;
    }
    if (/^(Collecting|Processing|Downloading|Prepared) /.test(line)) {
      this.packages += 0.5; // most are told of twice: found, then fetched
    }
    const fetched = Math.min(1, this.packages / this.expected);
    const share = /^(Installing|Installed) /.test(line) ? 0.95 : fetched * 0.85;
    this.progress(this.step, INSTALL_AT + (START_AT - INSTALL_AT) * share, line);
  }
}
