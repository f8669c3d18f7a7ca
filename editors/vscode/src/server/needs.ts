/** Which methods of the server this extension calls, and how a server that lacks some is told of. */

/** Every one of `Requests`; a server that does not list them is older than this extension. */
export const NEEDED: readonly string[] = [
  "context/assemble",
  "context/search",
  "context/recordEvent",
  "context/events",
  "context/patterns",
  "context/archetypes",
  "context/feedback",
  "context/status",
  "context/scope",
  "context/clear",
  "context/task/list",
  "context/task/push",
  "context/task/pop",
  "context/task/block",
  "context/task/resume",
  "context/workingSet/list",
  "context/workingSet/pin",
  "context/workingSet/unpin",
  "context/workingSet/exclude",
  "context/workingSet/include",
];

/** What a server says of itself in its answer to `initialize`. */
export interface ServerInfo {
  readonly version: string;
  /** Undefined when it is some other language server. */
  readonly methods: readonly string[] | undefined;
}

/** The needed methods that the server does not have. */
export function lacking(info: ServerInfo): readonly string[] {
  const known = new Set(info.methods);
  return NEEDED.filter((method) => !known.has(method));
}

/** Reads it from the answer to `initialize`, which came over the wire and may be anything. */
export function infoIn(answer: unknown): ServerInfo {
  const { serverInfo, capabilities } = recordIn(answer);
  const { methods } = recordIn(recordIn(recordIn(capabilities).experimental).contextls);
  const { version } = recordIn(serverInfo);
  return {
    version: typeof version === "string" ? version : "",
    methods: Array.isArray(methods) ? methods.filter((method) => typeof method === "string") : undefined,
  };
}

function recordIn(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
