/** The server's wheel that this extension carries, as `scripts/build-wheel.mjs` describes it. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";

export interface Wheel {
  readonly path: string;
  readonly version: string;
  /** The first characters of the SHA-256 of the wheel. */
  readonly hash: string;
  /** How many packages an environment with it has, roughly: for progress. */
  readonly packages: number;
}

/** Undefined where the extension was not packaged and the wheel not built. */
export async function carriedWheel(extensionPath: string): Promise<Wheel | undefined> {
  const folder = join(extensionPath, "wheel");
  try {
    const text = await readFile(join(folder, "wheel.json"), "utf8");
    const { file, version, sha256, packages } = JSON.parse(text) as WheelFile;
    return { path: join(folder, file), version, hash: sha256.slice(0, 8), packages };
  } catch {
    return undefined;
  }
}

interface WheelFile {
  readonly file: string;
  readonly version: string;
  readonly sha256: string;
  readonly packages: number;
}
