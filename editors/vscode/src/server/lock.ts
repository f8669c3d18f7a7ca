/** Lets one window at a time make the environment. */
import { open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { CancellationToken } from "vscode";
import { LOCK } from "./footprint";

const RETRY_MS = 500;

/** Runs `work` alone; waits for a window that is at it. Undefined when `token` is cancelled meanwhile. */
export async function alone<R>(folder: string, token: CancellationToken, work: () => Promise<R>): Promise<R | undefined> {
  const path = join(folder, LOCK);
  while (!(await taken(path))) {
    if (token.isCancellationRequested) {
      return undefined;
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function taken(path: string): Promise<boolean> {
  try {
    const file = await open(path, "wx");
    await file.writeFile(String(process.pid));
    await file.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") {
      throw error;
    }
  }
  const holder = Number(await readFile(path, "utf8").catch(() => ""));
  if (holder > 0 && !isAlive(holder)) {
    await rm(path, { force: true }); // of a window that was killed
  }
  return false;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
