/** All that the status tells, at one moment. */
import type { MemoryState } from "../memory";
import type { Status } from "../protocol";
import type { ServerState } from "../server/server";
import type { IndexingState } from "./indexing";

export interface FolderStatus {
  readonly name: string;
  /** Undefined until the server has answered. */
  readonly status: Status | undefined;
  /** Why the server could not answer. */
  readonly problem: string | undefined;
}

export interface LastContext {
  readonly tokens: number;
  readonly exact: boolean;
  readonly query: string;
}

export interface Snapshot {
  readonly server: ServerState;
  readonly memory: MemoryState;
  readonly folders: readonly FolderStatus[];
  readonly indexing: IndexingState | undefined;
  readonly last: LastContext | undefined;
}
