/** Actions on the stack of tasks, in the folder whose rows were clicked. */
import * as vscode from "vscode";
import { goalBox, resultBox } from "../commands/tasks";
import type { Services } from "../services";
import type { ActivityNode, NodeOf } from "./node";
import type { ActivityProvider } from "./provider";

export class TaskActions {
  constructor(
    private readonly services: Services,
    private readonly provider: ActivityProvider,
  ) {}

  async push(node: ActivityNode): Promise<void> {
    const goal = await vscode.window.showInputBox(goalBox());
    if (goal !== undefined && goal.trim() !== "") {
      await this.services.requests.pushTask(goal.trim(), node.rootUri);
      this.refresh(node);
    }
  }

  async pop(node: NodeOf<"task">): Promise<void> {
    const result = await vscode.window.showInputBox(resultBox(node.subject.task));
    if (result !== undefined) {
      await this.services.requests.popTask(result.trim() === "" ? undefined : result.trim(), node.rootUri);
      this.refresh(node);
    }
  }

  async block(node: NodeOf<"task">): Promise<void> {
    const reason = await vscode.window.showInputBox({
      title: vscode.l10n.t("Set aside “{0}”", node.subject.task.goal),
      prompt: vscode.l10n.t("Why can it not go on? It may stay empty."),
      ignoreFocusOut: true,
    });
    if (reason !== undefined) {
      await this.services.requests.blockTask(reason.trim() === "" ? undefined : reason.trim(), node.rootUri);
      this.refresh(node);
    }
  }

  async resume(node: NodeOf<"task">): Promise<void> {
    await this.services.requests.resumeTask(node.subject.task.id, node.rootUri);
    this.refresh(node);
  }

  private refresh({ rootUri }: ActivityNode): void {
    this.provider.touch(rootUri, ["tasks"], 0);
  }
}
