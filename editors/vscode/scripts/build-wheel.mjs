// Builds the server's wheel into wheel/, with wheel.json that says what it is. Quick where it is up to date already.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const extension = dirname(dirname(fileURLToPath(import.meta.url)));
const repository = join(extension, "..", "..");
const target = join(extension, "wheel");
const SOURCES = ["pyproject.toml", "README.md", "LICENSE", "server/contextls", "grammars"];
const EPOCH = "1577836800"; // the same sources give the same file, byte for byte

/** The newest change among the files below `path`, in milliseconds. */
function newest(path) {
  const found = statSync(path);
  if (!found.isDirectory()) {
    return path.endsWith(".pyc") ? 0 : found.mtimeMs;
  }
  const inside = readdirSync(path).filter((name) => name !== "__pycache__");
  return Math.max(found.mtimeMs, ...inside.map((name) => newest(join(path, name))));
}

function isUpToDate() {
  const description = join(target, "wheel.json");
  if (!existsSync(description)) {
    return false;
  }
  const { file } = JSON.parse(readFileSync(description, "utf8"));
  const built = statSync(description).mtimeMs;
  return existsSync(join(target, file)) && SOURCES.every((source) => newest(join(repository, source)) < built);
}

/** A Python that has pip: the one named, the checkout's own environment, or one on the path. */
function findPython() {
  const own = process.platform === "win32" ? "Scripts/python.exe" : "bin/python";
  const candidates = [process.env.PYTHON, join(repository, ".venv", own), "python3", "python", "py"];
  const usable = (name) => name && spawnSync(name, ["-m", "pip", "--version"], { stdio: "ignore" }).status === 0;
  const python = candidates.find(usable);
  if (python === undefined) {
    throw new Error("the wheel of the server is built with Python and pip, and none was found; name one in PYTHON");
  }
  return python;
}

function buildInto(folder) {
  const pip = ["-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps", "--wheel-dir", folder, repository];
  execFileSync(findPython(), pip, { stdio: ["ignore", "inherit", "inherit"], env: { ...process.env, SOURCE_DATE_EPOCH: EPOCH } });
  return readdirSync(folder).find((name) => name.endsWith(".whl"));
}

/** How many packages an environment with the wheel has, about: each requirement brings some of its own. */
function packagesOf(requirements) {
  return Math.round(requirements * 1.5);
}

function requirementsIn(project) {
  const dependencies = /^dependencies = \[(.*?)^\]/ms.exec(project)?.[1] ?? "";
  return dependencies.split("\n").filter((line) => line.trim().startsWith('"')).length;
}

if (!isUpToDate()) {
  const fresh = `${target}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh);
  const file = buildInto(fresh);
  const sha256 = createHash("sha256").update(readFileSync(join(fresh, file))).digest("hex");
  const packages = packagesOf(requirementsIn(readFileSync(join(repository, "pyproject.toml"), "utf8")));
  const description = { file, version: file.split("-")[1], sha256, packages };
  writeFileSync(join(fresh, "wheel.json"), `${JSON.stringify(description, null, 2)}\n`);
  rmSync(target, { recursive: true, force: true });
  renameSync(fresh, target);
}
