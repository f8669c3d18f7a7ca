/** Finds the Python that the server's environment is made with. */
import { runChild } from "./child";
import { isProgram, programsNamed, type Search } from "./programs";

const WINDOWS = process.platform === "win32";
const OLDEST: readonly [number, number] = [3, 11];
const NAMES = ["python3.14", "python3.13", "python3.12", "python3.11", "python3", "python"];
const PROBE_MS = 10_000;
const PROBE =
  "import importlib.util as u, sys; print('python', *sys.version_info[:3], bool(u.find_spec('venv') and u.find_spec('ensurepip')), sys.executable, sep='|')";

export interface Python {
  readonly path: string;
  readonly version: readonly [number, number, number];
  /** Whether it can make an environment with pip in it; Debian splits that off. */
  readonly makesEnvironments: boolean;
}

/** What was found: the Python to use, or, for the explanation, the ones that would not do. */
export interface Found {
  readonly python: Python | undefined;
  readonly refused: readonly Python[];
}

export interface PythonPlaces {
  readonly search: Search;
  readonly cwd: string;
  /** What the user chose; then nothing else is tried. */
  readonly chosen: string;
  /** Interpreters that another extension knows. */
  readonly known: readonly string[];
}

/** The first that is new enough and can make environments. */
export async function findPython(places: PythonPlaces): Promise<Found> {
  const refused: Python[] = [];
  const seen = new Set<string>();
  for await (const candidate of candidates(places)) {
    const python = await probe(candidate, places.cwd);
    if (python === undefined || seen.has(python.path)) {
      continue;
    }
    seen.add(python.path);
    if (isNewEnough(python) && python.makesEnvironments) {
      return { python, refused };
    }
    refused.push(python);
  }
  return { python: undefined, refused };
}

export function isNewEnough({ version: [major, minor] }: Pick<Python, "version">): boolean {
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

/** Asks a program what Python it is; undefined when it is none. */
export async function probe(command: readonly string[], cwd: string): Promise<Python | undefined> {
  const [program = "", ...args] = command;
  const ended = await runChild(program, [...args, "-I", "-c", PROBE], { cwd, timeoutMs: PROBE_MS });
  const answer = ended.lines.find((line) => line.startsWith("python|"))?.split("|");
  if (ended.status !== 0 || answer === undefined) {
    return undefined;
  }
  const [, major, minor, micro, makes, path] = answer;
  const version = [Number(major), Number(minor), Number(micro)] as const;
  return { path: path ?? program, version, makesEnvironments: makes === "True" };
}

/** `uv`, which makes environments in seconds and needs no Python to do so. */
export async function findUv(search: Search): Promise<string | undefined> {
  return (await programsNamed("uv", search))[0];
}

async function* candidates(places: PythonPlaces): AsyncGenerator<readonly string[]> {
  if (places.chosen !== "") {
    yield [places.chosen];
    return;
  }
  const { search } = places;
  for (const name of NAMES) {
    for (const program of await programsNamed(name, search)) {
      if (!isAppleStub(program)) {
        yield [program];
      }
    }
  }
  if (WINDOWS) {
    for (const launcher of await programsNamed("py", search)) {
      yield [launcher, "-3"];
    }
  }
  for (const program of places.known) {
    if (await isProgram(program)) {
      yield [program];
    }
  }
}

/** Running this one may open a dialog that offers developer tools; it is too old in any case. */
function isAppleStub(program: string): boolean {
  return process.platform === "darwin" && program === "/usr/bin/python3";
}
