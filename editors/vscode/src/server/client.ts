/** The language client: what it tells the server of itself, and what it does with what comes back. */
import type * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  type ExecuteCommandSignature,
  LanguageClient,
  type LanguageClientOptions,
  type MessageTransports,
  type StaticFeature,
  StreamMessageReader,
  StreamMessageWriter,
  type WorkDoneProgressBegin,
  type WorkDoneProgressEnd,
  type WorkDoneProgressReport,
} from "vscode-languageclient/node";
import type { Context } from "../protocol";
import { SECTION } from "../settings";
import type { ServerProcess } from "./process";

const COPY_CONTEXT = "contextls.copyContext";

/** How far work of the server is; it can be stopped with `window/workDoneProgress/cancel` and its token. */
export interface ServerProgress {
  readonly token: string | number;
  readonly value: WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd;
}

/** What a client does besides carrying messages. */
export interface ClientHooks {
  /** What the server is told of the settings. */
  settings(): Readonly<Record<string, unknown>>;
  /** The connection is gone, for whatever reason. */
  closed(): void;
  /** A code action of the server has assembled a prompt. */
  assembled(context: Context): void;
  progressed(progress: ServerProgress): void;
}

class Client extends LanguageClient {
  /** Into the log only: the caller that started the server tells the user, with a button that helps. */
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }

  /** Never rejects: what does not run is stopped. The client stops itself after a failed start, and hears nobody. */
  override async stop(timeout?: number): Promise<void> {
    try {
      await super.stop(timeout);
    } catch {
      // it did not run
    }
  }
}

/** A client of a process that runs; the caller that started the process also ends it. */
export function createClient(process: ServerProcess, log: vscode.LogOutputChannel, hooks: ClientHooks): LanguageClient {
  const transports: MessageTransports = {
    reader: new StreamMessageReader(process.output),
    writer: new StreamMessageWriter(process.input),
    detached: true,
  };
  const client = new Client(SECTION, "contextls", () => Promise.resolve(transports), clientOptions(log, hooks));
  client.registerFeature(OUR_CAPABILITIES);
  return client;
}

const OUR_CAPABILITIES: StaticFeature = {
  fillClientCapabilities(capabilities): void {
    const known = capabilities.experimental as Record<string, unknown> | undefined;
    capabilities.experimental = { ...known, contextls: { copyToClipboard: true, didChangeMemory: true } };
  },
  initialize: () => undefined,
  getState: () => ({ kind: "static" }),
  clear: () => undefined,
};

function clientOptions(log: vscode.LogOutputChannel, hooks: ClientHooks): LanguageClientOptions {
  return {
    documentSelector: [{ scheme: "file" }],
    initializationOptions: () => hooks.settings(),
    outputChannel: log,
    progressOnInitialization: false,
    // A failed start is told once, by the caller that started it, with a button that helps.
    initializationFailedHandler: () => false,
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: () => {
        hooks.closed();
        return { action: CloseAction.DoNotRestart, handled: true, message: "the connection to the server is closed" };
      },
    },
    middleware: {
      executeCommand: async (command, args, next) => executeCommand(command, args, next, hooks),
      handleWorkDoneProgress: (token, value, next) => {
        hooks.progressed({ token, value });
        if (value.kind === "end") {
          next(token, value); // the status shows progress; the client only has to forget the token
        }
      },
      workspace: {
        configuration: (params, token, next) =>
          params.items.every((item) => item.section === SECTION)
            ? params.items.map(() => hooks.settings())
            : next(params, token),
      },
    },
  };
}

async function executeCommand(
  command: string,
  args: unknown[],
  next: ExecuteCommandSignature,
  hooks: ClientHooks,
): Promise<unknown> {
  const answer: unknown = await next(command, args);
  if (command === COPY_CONTEXT && answer !== null && typeof answer === "object") {
    hooks.assembled(answer as Context);
  }
  return answer;
}
