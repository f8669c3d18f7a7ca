// Finding what a server can be made with, making its environment, and saying why that failed: with real tools.
import * as assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import * as vscode from "vscode";
import { Environment } from "../src/server/environment";
import { failureOf, noPython, SetUpError } from "../src/server/failures";
import { findServer, type Places } from "../src/server/find";
import { install, type Installation } from "../src/server/install";
import { ServerMissingError } from "../src/server/launch";
import { alone } from "../src/server/lock";
import { programsNamed, safeVariables, type Search } from "../src/server/programs";
import { findPython } from "../src/server/python";
import { carriedWheel, type Wheel } from "../src/server/wheel";
import { eventually } from "./support";

const NOWHERE = "http://127.0.0.1:9/simple"; // no index answers here

let folder = "";
let python = "";

describe("setting the server up", () => {
  before(() => {
    const program = vscode.workspace.getConfiguration("contextls").get<string>("server.path") ?? "";
    const own = join(dirname(program), "python");
    python = execFileSync(own, ["-c", "import os, sys; print(os.path.realpath(sys.executable))"], { encoding: "utf8" }).trim();
  });

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "contextls-")));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  /** An executable file that prints `lines` and ends with `status`. */
  function program(path: string, lines: string, status = 0): string {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `#!/bin/sh\ncat <<'END'\n${lines}\nEND\nexit ${status}\n`);
    chmodSync(path, 0o755);
    return path;
  }

  function searching(...path: readonly string[]): Search {
    return { path: path.join(delimiter), barred: [join(folder, "workspace")] };
  }

  describe("looking for programs", () => {
    it("finds nothing that a workspace has put there, by whatever way", async () => {
      const workspace = join(folder, "workspace");
      const safe = program(join(folder, "safe", "python3"), "");
      program(join(workspace, "bin", "python3"), "");
      mkdirSync(join(folder, "links"));
      symlinkSync(join(workspace, "bin", "python3"), join(folder, "links", "python3"));
      symlinkSync(join(workspace, "bin"), join(folder, "linked"));
      const search = searching(".", "bin", "", join(workspace, "bin"), join(folder, "links"), join(folder, "linked"), join(folder, "safe"));
      assert.deepEqual(await programsNamed("python3", search), [safe]);
    });

    it("does not take a file that cannot be executed, nor a folder, for a program", async () => {
      mkdirSync(join(folder, "a", "uv"), { recursive: true });
      mkdirSync(join(folder, "b"));
      writeFileSync(join(folder, "b", "uv"), "");
      assert.deepEqual(await programsNamed("uv", searching(join(folder, "a"), join(folder, "b"))), []);
    });

    it("hands on no variable that decides what a Python loads, and no relative folder to look in", () => {
      const given = { HOME: "/home/me", PATH: [".", "", "/usr/bin", "bin"].join(delimiter), PYTHONPATH: ".", PYTHONHOME: "/w" };
      assert.deepEqual(safeVariables(given), { HOME: "/home/me", PATH: "/usr/bin" });
    });
  });

  describe("choosing a Python", () => {
    const probed = (version: string, path: string, makes = "True"): string => `python|${version.split(".").join("|")}|${makes}|${path}`;

    function pythons(search: Search, chosen = "", known: readonly string[] = []): ReturnType<typeof findPython> {
      return findPython({ search, cwd: folder, chosen, known });
    }

    it("takes the newest by name, and asks it what it is", async () => {
      program(join(folder, "bin", "python3"), probed("3.11.4", "/three"));
      program(join(folder, "bin", "python3.12"), probed("3.12.1", "/twelve"));
      const { python: found } = await pythons(searching(join(folder, "bin")));
      assert.deepEqual(found, { path: "/twelve", version: [3, 12, 1], makesEnvironments: true });
    });

    it("goes on past one that is too old, broken, or cannot make environments, and remembers them", async () => {
      program(join(folder, "bin", "python3.13"), "pyenv: python3.13: command not found", 127);
      program(join(folder, "bin", "python3.12"), probed("3.12.1", "/bare", "False"));
      program(join(folder, "bin", "python3"), probed("3.9.2", "/old"));
      const { python: none, refused } = await pythons(searching(join(folder, "bin")));
      assert.equal(none, undefined);
      assert.deepEqual(refused.map(({ path }) => path), ["/bare", "/old"]);
      const selected = program(join(folder, "conda", "python"), probed("3.13.0", "/conda"));
      assert.equal((await pythons(searching(join(folder, "bin")), "", [selected])).python?.path, "/conda");
    });

    it("uses the one that the user chose, and no other", async () => {
      program(join(folder, "bin", "python3"), probed("3.12.0", "/other"));
      const chosen = program(join(folder, "mine", "python"), probed("3.10.0", "/mine"));
      const { python: none, refused } = await pythons(searching(join(folder, "bin")), chosen);
      assert.equal(none, undefined);
      assert.deepEqual(refused.map(({ path }) => path), ["/mine"]);
    });

    it("knows a real one", async () => {
      const { python: found } = await pythons(searching(), python);
      assert.ok(found?.makesEnvironments);
      assert.ok(found.version[0] === 3 && found.version[1] >= 11);
    });
  });

  describe("which server is started", () => {
    const wheel: Wheel = { path: "", version: "1.2.3", hash: "0a1b2c3d", packages: 1 };

    function places(...path: readonly string[]): Places {
      return { extension: join(folder, "extension"), storage: folder, wheel, search: searching(...path) };
    }

    function madeEnvironment(): Environment {
      const environment = new Environment(folder, wheel);
      program(environment.python, "");
      return environment;
    }

    it("is that of the setting, then our own, then one on the path with the same version", async () => {
      const environment = madeEnvironment();
      await environment.markComplete();
      program(join(folder, "old", "contextls"), "contextls 1.2.2");
      const same = program(join(folder, "same", "contextls"), "contextls 1.2.3");
      const set = program(join(folder, "set", "contextls"), "");
      const path = [join(folder, "old"), join(folder, "same")];
      const unset = { path: "", python: "" };
      assert.equal((await findServer({ path: set, python: "" }, places(...path))).command, set);
      const own = await findServer(unset, places(...path));
      assert.equal(own.command, environment.python);
      assert.deepEqual([own.origin, own.cwd, own.args[0]], ["environment", folder, "-I"]);
      await environment.remove();
      assert.equal((await findServer(unset, places(...path))).command, same);
      await assert.rejects(findServer(unset, places(join(folder, "old"))), /is not set up yet/u);
    });

    it("is never an environment that was not made to the end, or whose Python has gone", async () => {
      const unset = { path: "", python: "" };
      const environment = madeEnvironment();
      await assert.rejects(findServer(unset, places()), ServerMissingError);
      await environment.markComplete();
      assert.equal((await findServer(unset, places())).origin, "environment");
      rmSync(environment.python);
      await assert.rejects(findServer(unset, places()), ServerMissingError);
    });

    it("is named where the setting points to nothing", async () => {
      await assert.rejects(findServer({ path: "/nowhere/contextls", python: "" }, places()), (error: unknown) => {
        assert.ok(error instanceof ServerMissingError && error.fix === "choosePath");
        assert.match(error.message, /“\/nowhere\/contextls”, which the setting contextls\.server\.path names/u);
        return true;
      });
    });

    it("replaces that of an older version, which then goes", async () => {
      const old = new Environment(folder, { ...wheel, version: "1.0.0" });
      program(old.python, "");
      const environment = madeEnvironment();
      assert.equal(await environment.hasPredecessor(), false); // half an environment is no wish
      await old.markComplete();
      assert.equal(await environment.hasPredecessor(), true);
      await environment.removePredecessors();
      assert.deepEqual([existsSync(old.path), existsSync(environment.path)], [false, true]);
    });
  });

  describe("making the environment", function () {
    this.timeout(120_000);

    const log = vscode.window.createOutputChannel("contextls set-up under test", { log: true });
    after(() => {
      log.dispose();
    });

    async function installation(more: Partial<Installation> = {}): Promise<Installation> {
      const extension = vscode.extensions.getExtension("contextls.contextls")?.extensionPath ?? "";
      const wheel = (await carriedWheel(extension)) ?? assert.fail("wheel/ is missing: run node scripts/build-wheel.mjs");
      const variables = { PIP_INDEX_URL: NOWHERE, PIP_FIND_LINKS: undefined, PIP_EXTRA_INDEX_URL: undefined, PIP_CONFIG_FILE: "/dev/null", PIP_RETRIES: "0" };
      return {
        environment: new Environment(folder, wheel),
        python: { search: searching(), cwd: folder, chosen: python, known: [] },
        variables,
        progress: () => undefined,
        log,
        token: new vscode.CancellationTokenSource().token,
        ...more,
      };
    }

    it("says that the index cannot be reached, and leaves nothing behind", async () => {
      const steps: string[] = [];
      const given = await installation({ progress: (step) => steps.push(step) });
      await assert.rejects(install(given), (error: unknown) => {
        assert.ok(error instanceof SetUpError);
        assert.equal(error.failure.step, "install");
        assert.match(error.message, /could not be installed\. The package index cannot be reached: is this machine online\?.*\(ERROR: /u);
        return true;
      });
      assert.deepEqual([...new Set(steps)], ["find", "create", "install"]);
      assert.deepEqual(readdirSync(folder), []);
    });

    it("ends at once when it is cancelled, with all that it started, and leaves nothing behind", async () => {
      const source = new vscode.CancellationTokenSource();
      const given = await installation({
        token: source.token,
        progress: (step) => {
          if (step === "create") {
            setTimeout(() => {
              source.cancel();
            }, 500);
          }
        },
      });
      assert.equal(await install(given), undefined);
      assert.deepEqual(readdirSync(folder), []);
      // A process that was killed is there until the system has taken it away.
      await eventually("their end", () => (processesOf(given.environment.path).length === 0 ? true : undefined));
    });

    it("does not call an environment whole whose server does not start", async () => {
      const given = await installation();
      const bare = { ...given, variables: { ...given.variables, PIP_NO_DEPS: "1" } }; // nothing that it needs
      await assert.rejects(install(bare), (error: unknown) => {
        assert.ok(error instanceof SetUpError);
        assert.equal(error.failure.step, "start");
        assert.match(error.message, /was installed, but does not start\..*No module named/u);
        return true;
      });
      assert.deepEqual(readdirSync(folder), []);
    });

    it("is done by one window at a time, also after one was killed over it", async () => {
      const { token } = new vscode.CancellationTokenSource();
      writeFileSync(join(folder, "set-up.lock"), "4194303"); // of a process that is no more
      const order: string[] = [];
      const work = (name: string) => async (): Promise<void> => {
        order.push(`${name} begins`);
        await new Promise((resolve) => setTimeout(resolve, 100));
        order.push(`${name} ends`);
      };
      await Promise.all([alone(folder, token, work("one")), alone(folder, token, work("two"))]);
      assert.deepEqual(order.map((line) => line.split(" ")[1]), ["begins", "ends", "begins", "ends"]);
      assert.deepEqual(readdirSync(folder), []);
    });
  });

  describe("why a set-up failed", () => {
    const reasons: readonly (readonly [string, string, RegExp])[] = [
      ["no network", "Could not fetch URL: getaddrinfo failed", /is this machine online\?/u],
      ["no network, says uv", "error: dns error: failed to lookup address information", /is this machine online\?/u],
      ["a proxy", "ProxyError('Cannot connect to proxy.', OSError('Tunnel connection failed: 407'))", /The proxy refused.*HTTPS_PROXY/u],
      ["a certificate", "SSLError(SSLCertVerificationError(1, 'CERTIFICATE_VERIFY_FAILED'))", /certificate.*SSL_CERT_FILE/u],
      ["a full disk", "ERROR: Could not install packages: [Errno 28] No space left on device", /The disk is full/u],
      ["Debian's Python", "The virtual environment was not created because ensurepip is not available.", /apt install python3-venv/u],
      ["too new a Python", "ERROR: No matching distribution found for lancedb>=0.40", /Python 3\.11 to 3\.14 on Linux with/u],
      ["a missing permission", "ERROR: [Errno 13] Permission denied: '/x'", /did not allow it/u],
    ];
    for (const [what, line, words] of reasons) {
      it(`is said in plain words: ${what}`, () => {
        const { message } = failureOf("install", ["Collecting lancedb", line, "[notice] A new release of pip is available"]);
        assert.match(message, words);
        assert.ok(message.includes(line.slice(0, 60)), message);
      });
    }

    it("names the step and the tool's last words where nobody knows better", () => {
      const { message } = failureOf("create", ["one", "error: something odd", "two"]);
      assert.equal(message, "The environment for the contextls server could not be made. (error: something odd)");
    });

    it("names the Pythons that would not do, with what helps", () => {
      const { mends, message } = noPython(["/usr/bin/python3 (3.9.2)"]);
      assert.equal(message, "The contextls server needs Python 3.11 or newer. Only these were found: /usr/bin/python3 (3.9.2).");
      assert.deepEqual(mends, ["installPython", "choosePython", "chooseServer"]);
    });
  });
});

/** Processes whose command line names `path`. */
function processesOf(path: string): readonly string[] {
  const numbers = readdirSync("/proc").filter((name) => /^\d+$/u.test(name));
  return numbers.map(commandLine).filter((line) => line.includes(path));
}

function commandLine(pid: string): string {
  try {
    return readFileSync(join("/proc", pid, "cmdline"), "utf8");
  } catch {
    return "";
  }
}
