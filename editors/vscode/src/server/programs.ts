/** Looks for programs where a workspace cannot put them. */
import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join, relative } from "node:path";

const WINDOWS = process.platform === "win32";
/** Where programs lie that a search path which came from no shell does not name. */
const USUAL_FOLDERS: readonly string[] = WINDOWS
  ? [join(homedir(), ".local", "bin"), join(homedir(), ".cargo", "bin")]
  : ["/usr/local/bin", "/opt/homebrew/bin", join(homedir(), ".local", "bin"), join(homedir(), ".cargo", "bin"), "/usr/bin"];

/** Where programs may come from: the folders of the search path, and those that none may lie in. */
export interface Search {
  readonly path: string;
  /** Absolute folders whose contents are not trusted: those of the workspace. */
  readonly barred: readonly string[];
}

/** The search path of this process, and the usual folders behind it. */
export function wholePath(): string {
  return [process.env.PATH ?? "", ...USUAL_FOLDERS].join(delimiter);
}

/**
 * The variables for a program that this extension starts: none that decide what a Python loads, and no search path that
 * leads into the folder it happens to run in.
 */
export function safeVariables(variables: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const kept = Object.entries(variables).filter(([name]) => !name.toUpperCase().startsWith("PYTHON"));
  return Object.fromEntries(
    kept.map(([name, value]) => [name, name.toUpperCase() === "PATH" ? absoluteFolders(value ?? "") : value]),
  );
}

function absoluteFolders(path: string): string {
  return path.split(delimiter).filter(isAbsolute).join(delimiter);
}

/** All programs called `name`, in the order of the search path; none from a relative or a barred folder. */
export async function programsNamed(name: string, search: Search): Promise<readonly string[]> {
  const barred = await Promise.all(search.barred.map(resolved));
  const found: string[] = [];
  for (const folder of new Set(search.path.split(delimiter))) {
    const program = join(folder, WINDOWS ? `${name}.exe` : name);
    if (isAbsolute(folder) && (await isProgram(program)) && !(await liesIn(program, [...search.barred, ...barred]))) {
      found.push(program);
    }
  }
  return found;
}

/** Whether `path`, or what it links to, lies in one of `folders`. */
export async function liesIn(path: string, folders: readonly string[]): Promise<boolean> {
  const places = [path, await resolved(path)];
  return places.some((place) => folders.some((folder) => isInside(place, folder)));
}

/** Whether `path` is a file that may be executed. */
export async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (!way.startsWith("..") && !isAbsolute(way));
}

async function resolved(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    return path;
  }
}
