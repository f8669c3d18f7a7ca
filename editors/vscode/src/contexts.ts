/** Every context that is assembled passes here, so that all views show the same newest one. */
import * as vscode from "vscode";
import type { AssembledContext, AssembleParams } from "./protocol";
import type { Requests } from "./requests";

export class Contexts implements vscode.Disposable {
  private readonly assembled = new vscode.EventEmitter<AssembledContext>();
  private readonly params = new WeakMap<AssembledContext, AssembleParams>();
  private newest: AssembledContext | undefined;

  /** A context was assembled for the user: copied, inserted, opened, shown or handed to a chat. */
  readonly onDidAssemble = this.assembled.event;

  constructor(private readonly requests: Requests) {}

  get last(): AssembledContext | undefined {
    return this.newest;
  }

  /** Rejects as `Requests.assemble` does. */
  async assemble(params: AssembleParams, token?: vscode.CancellationToken): Promise<AssembledContext> {
    const context = await this.requests.assemble(params, token);
    this.note(context, params);
    return context;
  }

  /** What was asked for `context`, where that is known. */
  paramsOf(context: AssembledContext): AssembleParams | undefined {
    return this.params.get(context);
  }

  /** A context that was assembled by other means, such as a code action. */
  note(context: AssembledContext, params?: AssembleParams): void {
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
