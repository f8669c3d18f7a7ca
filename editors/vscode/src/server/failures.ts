/** Says in plain words why an environment could not be made, from what `venv`, `pip` and `uv` printed. */
import * as vscode from "vscode";
import { INSTALLED_MB } from "./footprint";

export type Step = "find" | "create" | "install" | "start";

/** What a failure may be mended with, besides trying again. */
export type Mend = "installPython" | "choosePython" | "chooseServer";

export interface Failure {
  readonly step: Step;
  /** The whole message: the step, the reason, the last words of the tool. */
  readonly message: string;
  readonly mends: readonly Mend[];
  /** No other way of installing would do better. A network that fails is none of this: pip and uv have their own settings. */
  readonly final: boolean;
}

/** An environment could not be made. */
export class SetUpError extends Error {
  override readonly name = "SetUpError";

  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

interface Reason {
  readonly text: string;
  readonly mends?: readonly Mend[];
  readonly final?: boolean;
}

/** The failure of `step`; `lines` are the last ones that its tool printed. */
export function failureOf(step: Step, lines: readonly string[]): Failure {
  const reason = recognised(lines.join("\n"));
  const said = lastWords(lines);
  const parts = [stepFailed(step), reason?.text, said === "" ? undefined : `(${said})`];
  return {
    step,
    message: parts.filter((part) => part !== undefined).join(" "),
    mends: reason?.mends ?? [],
    final: reason?.final ?? false,
  };
}

/** No Python would do; `refused` are the ones that were found, as people write them. */
export function noPython(refused: readonly string[]): Failure {
  const needed = vscode.l10n.t("The contextls server needs Python 3.11 or newer.");
  const found =
    refused.length === 0
      ? vscode.l10n.t("None was found on this machine.")
      : vscode.l10n.t("Only these were found: {0}.", refused.join(", "));
  return {
    step: "find",
    message: `${needed} ${found}`,
    mends: ["installPython", "choosePython", "chooseServer"],
    final: true,
  };
}

/** The only new Pythons cannot make environments: Debian and Ubuntu put that into a package of its own. */
export function noVenv(path: string, version: string): Failure {
  return {
    step: "find",
    message: vscode.l10n.t(
      "{0} cannot make environments: its module “venv” or “ensurepip” is missing. On Debian and Ubuntu, “sudo apt install python{1}-venv” installs it.",
      path,
      version,
    ),
    mends: ["choosePython"],
    final: true,
  };
}

function stepFailed(step: Step): string {
  switch (step) {
    case "find":
      return vscode.l10n.t("No Python for the contextls server was found.");
    case "create":
      return vscode.l10n.t("The environment for the contextls server could not be made.");
    case "install":
      return vscode.l10n.t("The contextls server could not be installed.");
    case "start":
      return vscode.l10n.t("The contextls server was installed, but does not start.");
  }
}

const OFFLINE =
  /temporary failure in name resolution|name or service not known|getaddrinfo failed|nodename nor servname|network is (unreachable|down)|no route to host|dns error|failed to lookup address|connection refused|connecttimeout|connection timed out|newconnectionerror/i;
const PROXY = /proxyerror|proxy authentication|407|cannot connect to proxy|tunnel connection failed|unsuccessful tunnel|tunnel error/i;
const CERTIFICATE = /certificate_verify_failed|certificate verify failed|sslerror|invalid peer certificate|unknownissuer|self.signed certificate/i;
const NO_ROOM = /no space left on device|errno 28|os error 28|not enough space|disk quota exceeded/i;
const REFUSED = /permission denied|errno 13|access is denied|operation not permitted|read-only file system/i;
const NO_ENSUREPIP = /ensurepip is not available|no module named '?(ensurepip|venv)/i;
const NO_MATCH = /no matching distribution found|could not find a version that satisfies|no solution found|has no wheels? with a matching/i;
const NO_BUILD =
  /failed building wheel|failed to build|metadata-generation-failed|subprocess-exited-with-error|microsoft visual c\+\+|unable to find vcvarsall|command '.*(gcc|cc|clang|cl\.exe)' failed/i;

/** Most telling first: a proxy that refuses also reads like no connection at all. */
function recognised(output: string): Reason | undefined {
  if (NO_ROOM.test(output)) {
    return { text: vscode.l10n.t("The disk is full: about {0} MB are needed.", INSTALLED_MB), final: true };
  }
  if (PROXY.test(output)) {
    const text = vscode.l10n.t(
      "The proxy refused the connection: check the setting “http.proxy” or the variable HTTPS_PROXY, and its user name and password.",
    );
    return { text };
  }
  if (CERTIFICATE.test(output)) {
    const text = vscode.l10n.t(
      "The certificate of the package index is not trusted: where a company reads along, name its certificate in the variable SSL_CERT_FILE or in pip's setting “cert”.",
    );
    return { text };
  }
  if (OFFLINE.test(output)) {
    const text = vscode.l10n.t(
      "The package index cannot be reached: is this machine online? The server's dependencies come from pypi.org, or from the index in pip's own settings.",
    );
    return { text };
  }
  if (NO_ENSUREPIP.test(output)) {
    const text = vscode.l10n.t("This Python lacks “venv”; on Debian and Ubuntu, “sudo apt install python3-venv” installs it.");
    return { text, mends: ["choosePython"] };
  }
  if (NO_MATCH.test(output) || NO_BUILD.test(output)) {
    const text = vscode.l10n.t(
      "The package index has no ready-made package for this Python on this machine; there are some for Python 3.11 to 3.14 on Linux with glibc, macOS on Apple silicon, and Windows on x64.",
    );
    return { text, mends: ["choosePython"] };
  }
  if (REFUSED.test(output)) {
    return { text: vscode.l10n.t("The operating system did not allow it.") };
  }
  return undefined;
}

/** The last line that says something: an error before anything else. */
function lastWords(lines: readonly string[]): string {
  const telling = lines.map((line) => line.trim()).filter((line) => line !== "" && !/^(\[notice\]|warning)/i.test(line));
  const error = telling.findLast((line) => /^(error|fatal|×|.*error:)/i.test(line));
  const last = error ?? telling.at(-1) ?? "";
  return last.length > 200 ? `${last.slice(0, 199)}…` : last;
}
