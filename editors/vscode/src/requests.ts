/** The methods of the server, each a typed request: see docs/protocol.md of the project. */
import type { CancellationToken } from "vscode";
import { optional } from "./optional";
import type {
  Archetype,
  ArchetypeList,
  AssembleParams,
  AssembledTurn,
  ClearReport,
  Context,
  Conversation,
  EventList,
  GraphView,
  Imported,
  IndexReport,
  ListedEvent,
  NotRecorded,
  Pattern,
  PatternList,
  Pin,
  RecordParams,
  Recorded,
  ResultKept,
  ResultParams,
  ScopeView,
  SearchResult,
  Status,
  Target,
  TaskChange,
  TaskList,
  Undo,
  UndoAnswer,
  UpdateAnswer,
  UpdateSet,
  WorkingSetView,
} from "./protocol";

/** What sends a request and waits for its answer; rejects with an `Error` whose message is fit to be shown. */
export interface Sender {
  request<R>(method: string, params: object, token?: CancellationToken): Promise<R>;
}

/** Every request of the server that this extension makes, typed. */
export class Requests {
  constructor(private readonly sender: Sender) {}

  assemble(params: AssembleParams, token?: CancellationToken): Promise<Context> {
    return this.sender.request("context/assemble", params, token);
  }

  /** A turn of a chat: what a model is sent. */
  assembleTurn(params: AssembleParams, token?: CancellationToken): Promise<AssembledTurn> {
    return this.sender.request("context/assemble", { ...params, shape: "messages" }, token);
  }

  createConversation(title: string, rootUri?: string): Promise<Conversation> {
    return this.sender.request("context/conversation/create", { title, ...optional({ rootUri }) });
  }

  /** Begins a conversation with `messages`, JSON in the form that OpenAI gave it. */
  importMessages(messages: string, title: string, rootUri?: string): Promise<Imported> {
    const params = { content: messages, format: "messages", title, ...optional({ rootUri }) };
    return this.sender.request("context/conversation/import", params);
  }

  keepResult(result: ResultParams): Promise<ResultKept> {
    return this.sender.request("context/conversation/result", result);
  }

  search(query: string, limit: number, rootUri?: string, token?: CancellationToken): Promise<SearchResult> {
    return this.sender.request("context/search", { query, limit, ...optional({ rootUri }) }, token);
  }

  record(event: RecordParams): Promise<Recorded | NotRecorded> {
    return this.sender.request("context/recordEvent", event);
  }

  /** Newest first; `eventTypes` leaves only some. */
  async events(
    limit: number,
    rootUri?: string,
    before?: string,
    eventTypes?: readonly string[],
  ): Promise<readonly ListedEvent[]> {
    const filters = eventTypes === undefined ? undefined : { eventTypes };
    const params = { limit, ...optional({ rootUri, before, filters }) };
    const answer = await this.sender.request<EventList>("context/events", params);
    return answer.events;
  }

  async patterns(limit: number, rootUri?: string): Promise<readonly Pattern[]> {
    const params = { limit, ...optional({ rootUri }) };
    const answer = await this.sender.request<PatternList>("context/patterns", params);
    return answer.patterns;
  }

  async archetypes(): Promise<readonly Archetype[]> {
    const answer = await this.sender.request<ArchetypeList>("context/archetypes", {});
    return answer.archetypes;
  }

  feedback(source: string, helpful: boolean, contextId?: string, rootUri?: string): Promise<unknown> {
    return this.sender.request("context/feedback", { source, helpful, ...optional({ contextId, rootUri }) });
  }

  status(rootUri?: string, token?: CancellationToken): Promise<Status> {
    return this.sender.request("context/status", optional({ rootUri }), token);
  }

  scope(rootUri?: string): Promise<ScopeView> {
    return this.sender.request("context/scope", optional({ rootUri }));
  }

  /** Without `scope` questions are about the whole workspace again. */
  saveScope(scope: readonly string[], rootUri?: string): Promise<ScopeView> {
    return this.sender.request("context/scope", { scope, ...optional({ rootUri }) });
  }

  /** Answers with the number of events and conversations that were deleted. */
  clear(
    what: { readonly index: boolean; readonly events: boolean; readonly conversations: boolean },
    rootUri?: string,
  ): Promise<ClearReport> {
    return this.sender.request("context/clear", { ...what, ...optional({ rootUri }) });
  }

  /** Brings the index up to date; `rebuild` throws the old one away first. */
  index(rebuild: boolean, rootUri?: string, token?: CancellationToken): Promise<IndexReport> {
    const argument = { rebuild, ...optional({ rootUri }) };
    const params = { command: "contextls.reindex", arguments: [argument] };
    return this.sender.request("workspace/executeCommand", params, token);
  }

  tasks(rootUri?: string): Promise<TaskList> {
    return this.sender.request("context/task/list", optional({ rootUri }));
  }

  pushTask(goal: string, rootUri?: string): Promise<TaskChange> {
    return this.sender.request("context/task/push", { goal, ...optional({ rootUri }) });
  }

  popTask(result: string | undefined, rootUri?: string): Promise<TaskChange> {
    return this.sender.request("context/task/pop", optional({ result, rootUri }));
  }

  blockTask(reason: string | undefined, rootUri?: string): Promise<TaskChange> {
    return this.sender.request("context/task/block", optional({ reason, rootUri }));
  }

  resumeTask(id: string, rootUri?: string): Promise<TaskChange> {
    return this.sender.request("context/task/resume", { id, ...optional({ rootUri }) });
  }

  /** The 1-based line of the entity with this id; undefined for what is unknown or has no place. */
  async lineOf(id: string, rootUri?: string): Promise<number | undefined> {
    const params = { name: id, ...optional({ rootUri }) };
    const graph = await this.sender.request<GraphView | null>("context/graph", params);
    return graph?.start.id === id ? (graph.start.line ?? undefined) : undefined; // else something of a similar name
  }

  workingSet(rootUri?: string): Promise<WorkingSetView> {
    return this.sender.request("context/workingSet/list", optional({ rootUri }));
  }

  pin(pin: Pin): Promise<WorkingSetView> {
    return this.sender.request("context/workingSet/pin", pin);
  }

  unpin(target: Target): Promise<WorkingSetView> {
    return this.sender.request("context/workingSet/unpin", target);
  }

  exclude(target: Target): Promise<WorkingSetView> {
    return this.sender.request("context/workingSet/exclude", target);
  }

  include(target: Target): Promise<WorkingSetView> {
    return this.sender.request("context/workingSet/include", target);
  }

  /** What a model asks for: all of it or nothing. */
  updateWorkingSet(updates: UpdateSet): Promise<UpdateAnswer> {
    return this.sender.request("context/workingSet/update", updates);
  }

  undoWorkingSet(undo: Undo): Promise<UndoAnswer> {
    return this.sender.request("context/workingSet/undo", undo);
  }
}
