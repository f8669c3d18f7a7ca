/** The view “Context”: brings page and session together. */
import * as vscode from "vscode";
import { insert, send, tellCopied } from "../commands/deliver";
import { activeEditor, editorPlace } from "../commands/place";
import { registerCommand, tellFailure } from "../commands/run";
import { someFolder } from "../folders";
import type { Context } from "../protocol";
import type { Services } from "../services";
import { SECTION } from "../settings";
import { Acts } from "./acts";
import { addressFor } from "./document";
import { pageFor, resourceRoots } from "./html";
import { Live } from "./live";
import { type PlainAction, toHost, type ToHost, type ToPage } from "./messages";
import { Session } from "./session";
import { pageStrings } from "./strings";

const VIEW = "contextls.context";

export function registerPanel(services: Services): vscode.Disposable {
  const session = new Session(services, () => {
    const folder = someFolder();
    return folder === undefined ? undefined : { folder, place: () => editorPlace(folder) };
  });
  const live = new Live(
    () => void session.refresh(),
    services.onDidChangeMemory,
    () => session.shown?.report.indexComplete === false,
  );
  const panel = new Panel(services, session, live);
  const setLive = (on: boolean) => async (): Promise<void> => {
    await vscode.workspace.getConfiguration(`${SECTION}.panel`).update("live", on, vscode.ConfigurationTarget.Global);
  };
  return vscode.Disposable.from(
    session,
    live,
    panel,
    vscode.window.registerWebviewViewProvider(VIEW, panel),
    registerCommand(services, "contextls.openPanel", async () => panel.open()),
    registerCommand(services, "contextls.panel.refresh", async () => session.refresh({ told: true })),
    registerCommand(services, "contextls.panel.follow", setLive(true)),
    registerCommand(services, "contextls.panel.unfollow", setLive(false)),
  );
}

class Panel implements vscode.WebviewViewProvider, vscode.Disposable {
  private readonly acts: Acts;
  private readonly watches: vscode.Disposable;
  private view: vscode.WebviewView | undefined;
  private ready = false;
  private focusWhenReady = false;

  constructor(
    private readonly services: Services,
    private readonly session: Session,
    private readonly live: Live,
  ) {
    this.acts = new Acts(services.requests, session, () => {
      live.quiet();
    });
    this.watches = vscode.Disposable.from(
      session.onDidChange((state) => {
        this.post({ type: "state", state });
      }),
      session.onDidAnswer((context) => {
        this.post({ type: "announce", text: this.told(context) });
      }),
    );
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    this.ready = false;
    const { extensionUri } = this.services.extension;
    view.webview.options = { enableScripts: true, localResourceRoots: resourceRoots(extensionUri) };
    view.webview.onDidReceiveMessage((value: unknown) => {
      const message = toHost(value);
      if (message !== undefined) {
        void this.hear(message);
      }
    });
    view.onDidChangeVisibility(() => {
      this.ready &&= view.visible; // a hidden page is gone; it says so when it is back
      this.live.setVisible(view.visible);
    });
    view.onDidDispose(() => {
      this.view = undefined;
      this.live.setVisible(false);
    });
    view.webview.html = pageFor(view.webview, extensionUri);
    this.live.setVisible(view.visible);
  }

  /** Shows the view and puts the cursor into the question. */
  async open(): Promise<void> {
    this.focusWhenReady = true;
    await vscode.commands.executeCommand(`${VIEW}.focus`);
    this.focusQuestion();
  }

  dispose(): void {
    this.watches.dispose();
  }

  private async hear(message: ToHost): Promise<void> {
    try {
      await this.obey(message);
    } catch (error) {
      void tellFailure(this.services, error);
    }
  }

  private async obey(message: ToHost): Promise<void> {
    switch (message.type) {
      case "ready":
        this.ready = true;
        this.post({ type: "strings", strings: pageStrings() });
        this.post({ type: "state", state: this.session.state });
        this.focusQuestion();
        return this.session.resume(message.saved);
      case "ask":
        return this.session.ask(message.question, message.second ?? undefined);
      case "archetype":
        return this.session.change({ archetype: message.name ?? undefined });
      case "budget":
        return this.session.change({ budget: message.tokens });
      case "item":
        return this.acts.act(message.action, message.key);
      case "bringBack":
        return this.session.bringBack(message.source);
      case "copy":
      case "send":
      case "insert":
      case "document":
      case "retry":
      case "setUp":
      case "log":
      case "openFolder":
      case "swap":
        return this.plain(message.type);
    }
  }

  private async plain(action: PlainAction): Promise<void> {
    switch (action) {
      case "copy":
      case "send":
      case "insert":
      case "document":
        return this.use(action, this.session.shown);
      case "swap":
        return this.session.swap();
      case "retry":
        await this.services.server.start();
        return this.session.refresh({ told: true });
      case "setUp":
        await vscode.commands.executeCommand("contextls.setUpServer");
        return;
      case "log":
        this.services.log.show();
        return;
      case "openFolder":
        await vscode.commands.executeCommand("workbench.action.files.openFolder");
        return;
    }
  }

  /** Hands the shown prompt on, byte for byte. */
  private async use(how: "copy" | "send" | "insert" | "document", context: Context | undefined): Promise<void> {
    if (context === undefined) {
      return;
    }
    if (how === "document") {
      this.live.quiet();
      const document = await vscode.workspace.openTextDocument(addressFor(await this.session.request()));
      await vscode.window.showTextDocument(document, { preview: false });
      return;
    }
    if (how === "send") {
      await send(this.services, context);
      return;
    }
    if (how === "insert") {
      const editor = activeEditor();
      if (editor !== undefined) {
        await insert(this.services, context, editor);
      }
      return;
    }
    await vscode.env.clipboard.writeText(context.content);
    tellCopied(this.services, context);
    this.post({ type: "copied" });
  }

  private told(context: Context): string {
    const pieces = context.components.length;
    const tokens = context.tokenCount.toLocaleString();
    return vscode.l10n.t("{0} pieces, {1} of {2} tokens", pieces, tokens, this.session.budget.toLocaleString());
  }

  private focusQuestion(): void {
    if (this.focusWhenReady && this.ready) {
      this.focusWhenReady = false;
      this.post({ type: "focus" });
    }
  }

  private post(message: ToPage): void {
    if (this.ready) {
      void this.view?.webview.postMessage(message);
    }
  }
}
