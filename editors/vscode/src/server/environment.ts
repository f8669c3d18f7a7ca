/** The environment of the server's own, in the extension's storage: made whole, or not there. */
import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { environmentName, mark } from "./footprint";
import type { Launch } from "./launch";
import { isProgram } from "./programs";
import type { Wheel } from "./wheel";

const WINDOWS = process.platform === "win32";
const PREFIX = "server-";
const MARKER = "complete.json";
/** `-I`: neither variables such as PYTHONPATH nor the folder it runs in decide what it loads. */
const SERVE = ["-I", "-m", "contextls.cli.main", "serve"];

export class Environment {
  readonly path: string;

  /** `storage` is the folder that VS Code gives the extension for all workspaces. */
  constructor(
    readonly storage: string,
    readonly wheel: Wheel,
  ) {
    this.path = join(storage, environmentName(wheel.version, wheel.hash));
  }

  get python(): string {
    return WINDOWS ? join(this.path, "Scripts", "python.exe") : join(this.path, "bin", "python");
  }

  get launch(): Launch {
    return { command: this.python, args: SERVE, origin: "environment", cwd: this.storage };
  }

  /** Whether it was made to the end, and the Python that it was made with is still there. */
  async isComplete(): Promise<boolean> {
    return (await exists(join(this.path, MARKER))) && (await isProgram(this.python));
  }

  /** Says that it is ours, as soon as its folder is there. */
  async mark(): Promise<void> {
    await mark(this.path);
  }

  /** Says that it is whole; the last thing that is written. */
  async markComplete(): Promise<void> {
    const text = JSON.stringify({ version: this.wheel.version, made: new Date().toISOString() });
    await writeFile(join(this.path, MARKER), text, "utf8");
  }

  async remove(): Promise<void> {
    await rm(join(this.path, MARKER), { force: true }); // first: what is removed halfway must not look whole
    await rm(this.path, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  async prepareStorage(): Promise<void> {
    await mkdir(this.storage, { recursive: true });
  }

  /** Whether an environment for another version is there: then the user has wanted one before. */
  async hasPredecessor(): Promise<boolean> {
    const others = await this.others();
    const whole = await Promise.all(others.map((folder) => exists(join(folder, MARKER))));
    return whole.includes(true);
  }

  /** Removes the environments of other versions; what cannot be removed is left for the next time. */
  async removePredecessors(): Promise<void> {
    for (const folder of await this.others()) {
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    }
  }

  private async others(): Promise<readonly string[]> {
    const entries = await readdir(this.storage, { withFileTypes: true }).catch(() => []);
    return entries
      .filter((entry) => entry.isDirectory() && entry.name.startsWith(PREFIX))
      .map((entry) => join(this.storage, entry.name))
      .filter((path) => path !== this.path);
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false;
  }
}
