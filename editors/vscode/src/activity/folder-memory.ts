/** What the server remembers about one folder, as far as the tree has asked for it. */
import type { ListedEvent, Pattern, TaskList, WorkingSetView } from "../protocol";
import type { Requests } from "../requests";
import { asError } from "../server/server";
import { eventNodes } from "./event-list";
import { emptyMessage, messageNode } from "./group-nodes";
import { type ActivityNode, type Group, GROUPS } from "./node";
import { patternNodes } from "./pattern-nodes";
import { taskNodes } from "./task-nodes";
import { workingSetNodes } from "./working-set-nodes";

export const PAGE = 50;
/** The server gives no more in one answer. */
const MOST_EVENTS = 9_999;
const MOST_PATTERNS = 100;

/** The kinds of events that are shown; undefined for all. */
export type EventFilter = () => readonly string[] | undefined;

export class FolderMemory {
  private readonly failures = new Map<Group, string>();
  private asking: Promise<unknown> = Promise.resolve();
  private wanted = PAGE;
  private more = false;
  private askedFor: readonly string[] | undefined;
  private events: readonly ListedEvent[] = [];
  private patterns: readonly Pattern[] = [];
  private tasks: TaskList = { tasks: [], current: null };
  private workingSet: WorkingSetView = { files: [], excluded: [], location: "", warnings: [], updates: [], server: [] };

  constructor(
    private readonly requests: Requests,
    readonly rootUri: string,
    private readonly filter: EventFilter,
  ) {}

  get filtered(): boolean {
    return this.filter() !== undefined;
  }

  get seenEvents(): readonly ListedEvent[] {
    return this.events;
  }

  /** Whether nothing at all is there to be shown. */
  get empty(): boolean {
    return !this.filtered && this.failures.size === 0 && GROUPS.every((group) => this.count(group) === 0);
  }

  get hasMore(): boolean {
    return this.more;
  }

  count(group: Group): number {
    switch (group) {
      case "workingSet":
        return [this.workingSet.files, this.workingSet.excluded, this.workingSet.warnings, this.workingSet.server].flat().length;
      case "tasks":
        return this.tasks.tasks.length;
      case "events":
        return this.events.length;
      case "patterns":
        return this.patterns.length;
    }
  }

  /** Asks the server; whether its answer differs from the last one. What goes wrong is shown in the place of the group. */
  async load(group: Group): Promise<boolean> {
    const before = this.fingerprint(group);
    try {
      await this.ask(group);
      this.failures.delete(group);
    } catch (error) {
      this.failures.set(group, asError(error).message);
    }
    return this.fingerprint(group) !== before;
  }

  /** Asks for the events before the oldest one that is shown. */
  async loadOlder(): Promise<void> {
    await this.inTurn(async () => {
      const oldest = this.events.at(-1);
      this.events = [...this.events, ...(await this.page(PAGE, oldest?.id))];
      this.wanted = Math.min(MOST_EVENTS, Math.max(PAGE, this.events.length));
    });
  }

  nodes(group: Group, now: number): readonly ActivityNode[] {
    const failure = this.failures.get(group);
    if (failure !== undefined) {
      return [messageNode(this.rootUri, group, failure, true)];
    }
    const rows = this.rows(group, now);
    return rows.length > 0 ? rows : [messageNode(this.rootUri, group, emptyMessage(group, this.filtered), false)];
  }

  private fingerprint(group: Group): string {
    const known = { workingSet: this.workingSet, tasks: this.tasks, events: [this.events, this.more, this.askedFor], patterns: this.patterns };
    return JSON.stringify([known[group], this.failures.get(group)]);
  }

  private rows(group: Group, now: number): readonly ActivityNode[] {
    switch (group) {
      case "workingSet":
        return workingSetNodes(this.rootUri, this.workingSet);
      case "tasks":
        return taskNodes(this.rootUri, this.tasks);
      case "events":
        return eventNodes(this.rootUri, this.events, { more: this.more, now });
      case "patterns":
        return patternNodes(this.rootUri, this.patterns);
    }
  }

  private async ask(group: Group): Promise<void> {
    switch (group) {
      case "workingSet":
        this.workingSet = await this.requests.workingSet(this.rootUri);
        break;
      case "tasks":
        this.tasks = await this.requests.tasks(this.rootUri);
        break;
      case "events":
        await this.inTurn(async () => {
          this.askedFor = this.filter();
          this.events = await this.page(this.wanted);
        });
        break;
      case "patterns":
        this.patterns = await this.requests.patterns(MOST_PATTERNS, this.rootUri);
        break;
    }
  }

  /** Asks about events one question after the other: a late answer to an earlier one would take older events away again. */
  private async inTurn(ask: () => Promise<void>): Promise<void> {
    const turn = this.asking.then(ask, ask);
    this.asking = turn;
    await turn;
  }

  /** So many events at most; one more is asked for, to know whether there are any. */
  private async page(limit: number, before?: string): Promise<readonly ListedEvent[]> {
    const found = await this.requests.events(limit + 1, this.rootUri, before, this.filter());
    this.more = found.length > limit;
    return found.slice(0, limit);
  }
}
