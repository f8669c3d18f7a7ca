/** How a server process is started, and the ways in which that, or talking to it, fails. */

export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  /** Where it was found, in words for people. */
  readonly origin: "setting" | "environment" | "path";
  /** Where it runs; never a folder of the workspace, which must not decide what a program loads. */
  readonly cwd?: string;
}

/** What helps when no server can be started. */
export type Fix = "setUp" | "choosePath" | "installPython";

/** No server can be started; `fix` names what would help. */
export class ServerMissingError extends Error {
  override readonly name = "ServerMissingError";

  constructor(
    message: string,
    readonly fix: Fix,
  ) {
    super(message);
  }
}

/** The server was started, and again, and stops every time; it is not started any more until the user asks. */
export class ServerFailedError extends Error {
  override readonly name = "ServerFailedError";

  constructor(
    message: string,
    readonly origin: Launch["origin"],
  ) {
    super(message);
  }
}

/** The server went down before it answered. */
export class ServerGoneError extends Error {
  override readonly name = "ServerGoneError";
}

/** The server that runs does not know a method: it is older than this extension. */
export class ServerOutdatedError extends Error {
  override readonly name = "ServerOutdatedError";
}
