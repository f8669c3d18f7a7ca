/** Whether this editor has a chat that a prompt can be sent to. */
import * as vscode from "vscode";

const OPEN_CHAT = "workbench.action.chat.open";
/** Looked at by menus. */
const HAS_CHAT_KEY = "contextls.hasChat";

/** A chat is there once the editor can open one and has a model for it. */
export class ChatPresence implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<boolean>();
  private readonly watch: vscode.Disposable | undefined;
  private present = false;

  readonly onDidChange = this.changed.event;

  constructor() {
    const { lm } = vscode as Partial<Pick<typeof vscode, "lm">>; // editors built on VS Code may have none
    if (typeof lm?.selectChatModels === "function") {
      this.watch = lm.onDidChangeChatModels(() => {
        void this.look();
      });
      void this.look();
    }
  }

  get there(): boolean {
    return this.present;
  }

  /** Puts `text` into the input of the chat; whether it is sent is the user's decision. */
  async fill(text: string): Promise<void> {
    await vscode.commands.executeCommand(OPEN_CHAT, { query: text, isPartialQuery: true });
  }

  dispose(): void {
    this.watch?.dispose();
    this.changed.dispose();
  }

  private async look(): Promise<void> {
    const [commands, models] = await Promise.all([vscode.commands.getCommands(true), vscode.lm.selectChatModels()]);
    const there = commands.includes(OPEN_CHAT) && models.length > 0;
    if (there !== this.present) {
      this.present = there;
      await vscode.commands.executeCommand("setContext", HAS_CHAT_KEY, there);
      this.changed.fire(there);
    }
  }
}
