/** What the panel shows and how it comes to change: one question, its newest answer, and perhaps a second to compare. */
import * as vscode from "vscode";
import type { AssembledTurn, AssembleParams, Context } from "../protocol";
import { asError } from "../server/server";
import type { Services } from "../services";
import { maxTokens } from "../settings";
import type { ArchetypeView, PanelState, Saved } from "./messages";
import type { Piece } from "./model";
import { piecesOf } from "./model";
import { followed, NO_QUESTION, type Question, requestFor, reworded } from "./question";
import { stateOf } from "./state";
import { words } from "./strings";
import { asTurn } from "./turn";

/** Where the user is; undefined without a folder. */
export type Whereabouts = () =>
  | { readonly folder: vscode.WorkspaceFolder; readonly place: () => Promise<Partial<AssembleParams>> }
  | undefined;

export interface SessionServices extends Pick<Services, "requests" | "contexts"> {
  readonly chat: Pick<Services["chat"], "there" | "onDidChange">;
  readonly server: Pick<Services["server"], "state" | "onDidChangeState">;
}

export class Session implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<PanelState>();
  private readonly answered = new vscode.EventEmitter<Context>();
  private readonly watches: vscode.Disposable;
  private readonly marks = new Map<string, boolean>();
  private readonly words = words();
  private archetypes: readonly ArchetypeView[] = [];
  private question: Question = NO_QUESTION;
  private second: string | undefined;
  private context: Context | undefined;
  private secondContext: Context | undefined;
  /** The newest turn of a chat: it stays while the panel asks other questions. */
  private turn: AssembledTurn | undefined;
  private pieces: ReadonlyMap<string, Piece> = new Map();
  private shownBudget = 0;
  /** The folder that the shown answer is about: the user may be in another one by now. */
  private shownIn: vscode.WorkspaceFolder | undefined;
  private failure: Error | undefined;
  private asking: vscode.CancellationTokenSource | undefined;

  readonly onDidChange = this.changed.event;
  /** A question that the user asked here has its answer. */
  readonly onDidAnswer = this.answered.event;

  constructor(
    private readonly services: SessionServices,
    private readonly whereabouts: Whereabouts,
  ) {
    const { chat, contexts, server } = services;
    this.watches = vscode.Disposable.from(
      contexts.onDidAssemble((context) => {
        this.follow(context);
      }),
      server.onDidChangeState(() => {
        this.serverChanged();
      }),
      chat.onDidChange(() => {
        this.tell();
      }),
    );
    if (contexts.last !== undefined) {
      this.follow(contexts.last);
    }
  }

  get state(): PanelState {
    return stateOf({
      server: this.services.server.state,
      folder: folderName(this.folder),
      question: this.question,
      second: this.second,
      budget: this.budget,
      shownBudget: this.shownBudget,
      archetypes: this.archetypes,
      context: this.context,
      secondContext: this.secondContext,
      failure: this.failure,
      busy: this.asking !== undefined,
      marks: this.marks,
      turn: this.turn,
      chat: this.services.chat.there,
      words: this.words,
    });
  }

  /** The answer that is shown. */
  get shown(): Context | undefined {
    return this.context;
  }

  /** The budget of the next answer. */
  get budget(): number {
    return this.question.budget ?? maxTokens();
  }

  /** What is asked for what is shown. */
  async request(): Promise<AssembleParams> {
    const where = this.whereabouts();
    const rootUri = where === undefined ? {} : { rootUri: where.folder.uri.toString() };
    const { question, budget } = this;
    return { ...requestFor(question, budget, (await where?.place()) ?? {}), ...rootUri };
  }

  /** The folder of what is shown, else the one that would be asked. */
  get folder(): vscode.WorkspaceFolder | undefined {
    return this.shownIn ?? this.whereabouts()?.folder;
  }

  get rootUri(): string | undefined {
    return this.folder?.uri.toString();
  }

  piece(key: string): Piece | undefined {
    return this.pieces.get(key);
  }

  /** What the page still knew, where this session knows nothing yet. */
  async resume(saved: Saved | null): Promise<void> {
    if (saved !== null && this.context === undefined && this.question.text === "" && saved.question !== "") {
      this.question = {
        ...NO_QUESTION,
        text: saved.question,
        archetype: saved.archetype ?? undefined,
        budget: saved.budget ?? undefined,
      };
      this.second = saved.second ?? undefined;
    }
    await Promise.all([this.loadArchetypes(), this.context === undefined ? this.refresh() : undefined]);
  }

  /** Asks a question in new words, or the same again; with `second`, two to compare. */
  async ask(text: string, second: string | undefined): Promise<void> {
    const trimmed = text.trim();
    if (trimmed !== this.question.text) {
      this.question = reworded(this.question, trimmed);
    }
    this.second = second?.trim();
    await this.refresh({ told: true });
  }

  /** Changes what is asked besides the words, and asks. */
  async change(changes: Partial<Omit<Question, "text">>): Promise<void> {
    this.question = { ...this.question, ...changes };
    await this.refresh({ told: true });
  }

  async leaveOut(source: string): Promise<void> {
    await this.change({ leftOut: [...this.question.leftOut.filter((each) => each !== source), source] });
  }

  async bringBack(source: string): Promise<void> {
    await this.change({ leftOut: this.question.leftOut.filter((each) => each !== source) });
  }

  async reorder(section: string, sources: readonly string[]): Promise<void> {
    await this.change({ order: { ...this.question.order, [section]: sources } });
  }

  async swap(): Promise<void> {
    if (this.second !== undefined) {
      await this.ask(this.second, this.question.text);
    }
  }

  /** Notes what the user said of a piece. */
  mark(source: string, helpful: boolean): void {
    this.marks.set(source, helpful);
    this.tell();
  }

  /** Asks again. Never rejects: what goes wrong is shown. `told` where the user did it and wants to hear of it. */
  async refresh(options: { readonly told?: boolean } = {}): Promise<void> {
    this.asking?.cancel();
    this.asking = undefined;
    const folder = this.whereabouts()?.folder;
    if (this.question.text === "" || folder === undefined) {
      this.context = undefined;
      this.secondContext = undefined;
      this.shownIn = undefined;
      this.tell();
      return;
    }
    const source = new vscode.CancellationTokenSource();
    this.asking = source;
    this.failure = undefined;
    this.tell();
    const before = this.context?.content;
    try {
      const params = await this.request();
      const [first, second] = await Promise.all([
        this.services.requests.assemble(params, source.token),
        this.askSecond(params, source.token),
      ]);
      this.settle(source, () => {
        this.show(first, second, folder, params.maxTokens ?? this.budget);
      });
      if (this.context === first && (options.told === true || first.content !== before)) {
        this.services.contexts.note(first, params);
      }
      if (this.context === first && options.told === true) {
        this.answered.fire(first);
      }
    } catch (error) {
      this.settle(source, () => {
        this.failure = asError(error);
      });
    } finally {
      source.dispose();
    }
  }

  dispose(): void {
    this.asking?.cancel();
    this.watches.dispose();
    this.changed.dispose();
    this.answered.dispose();
  }

  private async askSecond(params: AssembleParams, token: vscode.CancellationToken): Promise<Context | undefined> {
    const query = this.second;
    return query === undefined || query === "" ? undefined : this.services.requests.assemble({ ...params, query }, token);
  }

  /** Does `work` if `source` is still the newest question. */
  private settle(source: vscode.CancellationTokenSource, work: () => void): void {
    if (this.asking === source) {
      this.asking = undefined;
      work();
      this.tell();
    }
  }

  private show(
    context: Context,
    second: Context | undefined,
    folder: vscode.WorkspaceFolder | undefined,
    budget: number,
  ): void {
    this.shownBudget = budget;
    this.shownIn = folder;
    this.context = context;
    this.secondContext = second;
    const seconds = second === undefined ? [] : piecesOf(second);
    this.pieces = new Map([...seconds, ...piecesOf(context)]);
  }

  /** Shows a context that was assembled elsewhere, and asks as it did from now on. */
  private follow(context: Context): void {
    if (context === this.context) {
      return;
    }
    this.asking?.cancel();
    this.asking = undefined;
    this.failure = undefined;
    this.second = undefined;
    const params = this.services.contexts.paramsOf(context);
    const question = followed(context.metadata.query, params);
    // The user's own budget goes on to follow the setting.
    this.question = question.budget === maxTokens() ? { ...question, budget: undefined } : question;
    this.show(context, undefined, folderAt(params?.rootUri), this.budget);
    this.turn = asTurn(context) ?? this.turn;
    this.tell();
  }

  private serverChanged(): void {
    const up = this.services.server.state.kind === "running";
    if (up && this.archetypes.length === 0) {
      void this.loadArchetypes();
    }
    if (up && this.failure !== undefined) {
      void this.refresh();
    } else {
      this.tell();
    }
  }

  private async loadArchetypes(): Promise<void> {
    if (this.archetypes.length > 0 || this.services.server.state.kind !== "running") {
      return;
    }
    try {
      this.archetypes = await this.services.requests.archetypes();
      this.tell();
    } catch {
      // asked for again when the server is up again; until then the choice is the server's
    }
  }

  private tell(): void {
    this.changed.fire(this.state);
  }
}

function folderAt(rootUri: string | undefined): vscode.WorkspaceFolder | undefined {
  return vscode.workspace.workspaceFolders?.find(({ uri }) => uri.toString() === rootUri);
}

function folderName(folder: vscode.WorkspaceFolder | undefined): { name: string; several: boolean } | undefined {
  const several = (vscode.workspace.workspaceFolders ?? []).length > 1;
  return folder === undefined ? undefined : { name: folder.name, several };
}
