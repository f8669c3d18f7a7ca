/** How a server process is started, and why that may not be possible. */

export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  /** Where it was found, in words for people. */
  readonly origin: "setting" | "environment" | "path";
}

/** No server can be started; `fix` names what would help. */
export class ServerMissingError extends Error {
  override readonly name = "ServerMissingError";

  constructor(
    message: string,
    readonly fix: "setUp" | "choosePath" | "installPython",
  ) {
    super(message);
  }
}
