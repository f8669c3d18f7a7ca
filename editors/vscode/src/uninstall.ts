/**
 * What VS Code runs with plain Node after the extension was uninstalled and the editor started again: deletes the
 * server's environments. Memory (events, pins, indexes) is the user's and stays.
 */
import { fork } from "node:child_process";
import { lstat, readdir, rm, rmdir } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { isMarked, isStorage, LOCK, recorded } from "./server/footprint";

const DELETE = "--delete";
const READY = "ready";

/**
 * VS Code gives the script 5 s, too little for some 20,000 files on a slow disk, and then deletes the extension's folder:
 * a process of its own does the work, and this one ends when that has read all it needs.
 */
async function hand(): Promise<void> {
  const worker = fork(__filename, [DELETE], { detached: true, stdio: ["ignore", "ignore", "ignore", "ipc"], cwd: homedir(), execArgv: [] });
  await new Promise<void>((resolve) => {
    worker.once("message", () => { resolve(); });
    worker.once("error", () => { resolve(); });
    worker.once("exit", () => { resolve(); });
  });
  if (worker.connected) {
    worker.disconnect();
  }
  worker.unref();
}

async function deleteAll(storages: readonly string[]): Promise<void> {
  for (const storage of storages) {
    await deleteEnvironments(storage).catch(() => undefined); // what cannot be deleted keeps no other from being deleted
  }
}

/** Deletes what is marked as ours, and the storage itself if nothing else lies in it. Links are never followed. */
async function deleteEnvironments(storage: string): Promise<void> {
  if (!(await isStorage(storage))) {
    return;
  }
  for (const name of await readdir(storage)) {
    const path = join(storage, name);
    if (await isMarked(path)) {
      await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    }
  }
  const lock = join(storage, LOCK);
  if (await lstat(lock).then((found) => found.isFile(), () => false)) {
    await rm(lock, { force: true });
  }
  await rmdir(storage);
}

async function main(): Promise<void> {
  if (!process.argv.includes(DELETE)) {
    await hand();
    return;
  }
  const storages = await recorded(dirname(__dirname));
  process.send?.(READY);
  await deleteAll(storages);
}

void main();
