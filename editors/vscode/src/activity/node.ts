/** What the tree is made of: plain values that say what a row shows and what it is about. */
import type { MarkdownString, ThemeIcon, Uri } from "vscode";
import type { ExcludedFile, ListedEvent, Pattern, PinnedFile, ServerEntry, TaskFrame } from "../protocol";

export const GROUPS = ["workingSet", "tasks", "events", "patterns"] as const;
export type Group = (typeof GROUPS)[number];

/** What a row stands for. */
export type Subject =
  | { readonly type: "folder" }
  | { readonly type: "group"; readonly group: Group }
  | { readonly type: "section" }
  | { readonly type: "pin"; readonly pin: PinnedFile }
  | { readonly type: "excluded"; readonly excluded: ExcludedFile }
  | { readonly type: "serverEntry"; readonly entry: ServerEntry }
  | { readonly type: "manifest"; readonly location: string }
  | { readonly type: "task"; readonly task: TaskFrame }
  | { readonly type: "event"; readonly event: ListedEvent }
  | { readonly type: "more" }
  | { readonly type: "pattern"; readonly pattern: Pattern }
  | { readonly type: "file"; readonly path: string }
  | { readonly type: "message" };

export interface ActivityNode {
  /** Stays the same for the same thing, so that the view keeps what is selected and open. */
  readonly id: string;
  /** The workspace folder, as a URI. */
  readonly rootUri: string;
  readonly subject: Subject;
  readonly label: string;
  readonly description?: string;
  readonly icon?: ThemeIcon;
  /** The file whose icon and decorations the row takes. */
  readonly resource?: Uri;
  readonly tooltip?: MarkdownString;
  /** What a screen reader says instead of label and description. */
  readonly spoken?: string;
  /** Words that the menus look for, as `event file command`. */
  readonly traits: string;
  readonly children?: readonly ActivityNode[];
  readonly expanded?: boolean;
}

/** A node that stands for this kind of thing. */
export type NodeOf<T extends Subject["type"]> = ActivityNode & { readonly subject: Extract<Subject, { type: T }> };

export function isNode(value: unknown): value is ActivityNode {
  return value !== null && typeof value === "object" && "subject" in value && "rootUri" in value && "traits" in value;
}

export function isA<T extends Subject["type"]>(node: ActivityNode | undefined, type: T): node is NodeOf<T> {
  return node?.subject.type === type;
}
