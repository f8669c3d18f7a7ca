/** Every context that is assembled passes here, so that all views show the same newest one. */
import * as vscode from "vscode";
import type { AssembleParams, Context } from "./protocol";
import type { Requests } from "./requests";

export class Contexts implements vscode.Disposable {
  private readonly assembled = new vscode.EventEmitter<Context>();
  private readonly params = new WeakMap<Context, AssembleParams>();
  private newest: Context | undefined;

  /** A context was assembled for the user: copied, inserted, opened, shown or handed to a chat. */
  readonly onDidAssemble = this.assembled.event;

  constructor(private readonly requests: Requests) {}

  get last(): Context | undefined {
    return this.newest;
  }

  /** Rejects as `Requests.assemble` does. */
  async assemble(params: AssembleParams, token?: vscode.CancellationToken): Promise<Context> {
    const context = await this.requests.assemble(params, token);
    this.note(context, params);
    return context;
  }

  /** What was asked for `context`, where that is known. */
  paramsOf(context: Context): AssembleParams | undefined {
    return this.params.get(context);
  }

  /** A context that was assembled by other means, such as a code action. */
  note(context: Context, params?: AssembleParams): void {
    if (params !== undefined) {
      this.params.set(context, params);
    }
    this.newest = context;
    this.assembled.fire(context);
  }

  dispose(): void {
    this.assembled.dispose();
  }
}
