/** What a set-up leaves on the disk, and how the script that runs after an uninstallation finds it. Knows no `vscode`. */
import { lstat, readdir, readFile, realpath, rename, writeFile } from "node:fs/promises";
import { basename, dirname, isAbsolute, join } from "node:path";

/** What the server's environment takes on the disk: measured, and held to by the test of a first use. */
export const INSTALLED_MB = 660;

/** VS Code names the extension's storage so, and, with the version behind it, its folder. */
const EXTENSION = "contextls.contextls";
/** In the extension's folder, which every editor and every portable copy of one has to itself. */
const RECORD = ".installed.json";
const MOST_RECORD_BYTES = 64 * 1024;

const ENVIRONMENT = /^server-\d[\w.+-]*-[0-9a-f]{8}$/u;
/** In every environment from its first moment: without it nothing is deleted after an uninstallation. */
const MARK = "contextls-environment.json";

export const LOCK = "set-up.lock";

export function environmentName(version: string, hash: string): string {
  return `server-${version}-${hash}`;
}

/** Says that the folder was made by this extension and may be deleted by it. */
export async function mark(environment: string): Promise<void> {
  await writeFile(join(environment, MARK), JSON.stringify({ madeBy: EXTENSION }), "utf8");
}

/** Whether a folder is one that `mark` was called for: no link, by name and content. */
export async function isMarked(environment: string): Promise<boolean> {
  if (!ENVIRONMENT.test(basename(environment)) || !(await isFolder(environment))) {
    return false;
  }
  const read = await readSmall(join(environment, MARK));
  return isObject(read) && read.madeBy === EXTENSION;
}

/**
 * Keeps in the extension's folder in which storage environments were made, also those that the record of another version
 * beside it names. Where that folder cannot be written, no editor can uninstall it either.
 */
export async function remember(extension: string, storage: string): Promise<void> {
  try {
    const known = await recorded(extension);
    const here = await realpath(storage);
    if (known.includes(here)) {
      return;
    }
    const path = join(extension, RECORD);
    const storages = [...new Set([here, ...known, ...(await recordedBeside(extension))])];
    const fresh = `${path}.${process.pid}`;
    await writeFile(fresh, JSON.stringify({ storages }), "utf8");
    await rename(fresh, path);
  } catch {
    return;
  }
}

/** The storages that the record names, whatever they are by now. */
export async function recorded(extension: string): Promise<readonly string[]> {
  const read = await readSmall(join(extension, RECORD));
  const storages: unknown = isObject(read) ? read.storages : undefined;
  return Array.isArray(storages) ? storages.filter((path): path is string => typeof path === "string") : [];
}

/** Whether a path is the storage of this extension in some editor: a folder of that name, reached through no link. */
export async function isStorage(path: string): Promise<boolean> {
  const named = isAbsolute(path) && basename(path) === EXTENSION && basename(dirname(path)) === "globalStorage";
  if (!named || !(await isFolder(path))) {
    return false;
  }
  return (await realpath(path)) === path;
}

async function recordedBeside(extension: string): Promise<readonly string[]> {
  const folder = dirname(extension);
  const versions = (await readdir(folder)).filter((name) => name.startsWith(`${EXTENSION}-`));
  return (await Promise.all(versions.map((name) => recorded(join(folder, name))))).flat();
}

async function isFolder(path: string): Promise<boolean> {
  return lstat(path).then((found) => found.isDirectory(), () => false);
}

/** What a small JSON file holds; undefined where there is none, or something else in its place. */
async function readSmall(path: string): Promise<unknown> {
  try {
    const found = await lstat(path);
    return found.isFile() && found.size <= MOST_RECORD_BYTES ? JSON.parse(await readFile(path, "utf8")) : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
