/** What happened to one file on one day, as one row: reading, editing and saving it would else fill the list. */
import { basename, dirname } from "node:path/posix";
import { l10n, ThemeIcon, Uri } from "vscode";
import { failed, pathOf } from "../event-fields";
import type { ListedEvent } from "../protocol";
import { eventNode } from "./event-nodes";
import type { ActivityNode } from "./node";
import { clock, dayOf } from "./times";
import { tooltip } from "./tooltip";

/** What says more of a file first: a row names that alone. */
const TYPES = ["file_delete", "file_rename", "file_edit", "file_write", "diagnostic", "file_read", "file_focus"] as const;
type FileEventType = (typeof TYPES)[number];

/** Rows for the events of one day, newest first; those of a file stand where its newest does. */
export function rowsOfDay(rootUri: string, events: readonly ListedEvent[]): readonly ActivityNode[] {
  const rows = new Map<string, ListedEvent[]>();
  for (const event of events) {
    const key = ofFile(event) ? `file ${pathOf(event) ?? ""}` : `event ${event.id}`;
    const known = rows.get(key);
    if (known === undefined) {
      rows.set(key, [event]);
    } else {
      known.push(event);
    }
  }
  return [...rows.values()].flatMap((found) => {
    const [newest, ...others] = found;
    return newest === undefined ? [] : [others.length === 0 ? eventNode(rootUri, newest) : fileNode(rootUri, newest, found)];
  });
}

/** Failures and errors stay rows of their own: they are what the user looks for. */
function ofFile(event: ListedEvent): boolean {
  return isKnown(event.type) && pathOf(event) !== undefined && !failed(event);
}

function fileNode(rootUri: string, newest: ListedEvent, events: readonly ListedEvent[]): ActivityNode {
  const path = pathOf(newest) ?? "";
  const folder = dirname(path);
  const type = TYPES.find((each) => events.some((event) => event.type === each));
  const done = type === undefined ? "" : verb(type);
  return {
    id: `${rootUri}|events|${dayOf(newest.timestamp)}|${path}`,
    rootUri,
    subject: { type: "file", path },
    label: basename(path),
    description: [...(folder === "." ? [] : [folder]), done, clock(newest.timestamp)].join(" · "),
    icon: ThemeIcon.File,
    resource: Uri.joinPath(Uri.parse(rootUri), path),
    tooltip: tooltip(path, [
      [l10n.t("Events"), String(events.length)],
      [l10n.t("Newest"), newest.text],
    ]),
    spoken: l10n.t("{0}: {1}, {2} events", path, done, events.length),
    traits: "file",
    children: events.map((event) => ({ ...eventNode(rootUri, event), label: happening(event), description: clock(event.timestamp) })),
    expanded: false,
  };
}

/** An event below the row of its file, which need not be named again. */
function happening(event: ListedEvent): string {
  const { summary, message } = event.content;
  if (event.type === "file_edit" && typeof summary === "string" && summary !== "") {
    return summary.replaceAll("`", "");
  }
  if (event.type === "diagnostic" && typeof message === "string" && message.trim() !== "") {
    return message.trim().split(/\r?\n/u, 1)[0] ?? "";
  }
  return isKnown(event.type) ? verb(event.type) : event.text;
}

function verb(type: FileEventType): string {
  switch (type) {
    case "file_edit":
      return l10n.t("edited");
    case "file_write":
      return l10n.t("saved");
    case "file_rename":
      return l10n.t("renamed");
    case "file_delete":
      return l10n.t("deleted");
    case "diagnostic":
      return l10n.t("problems");
    case "file_read":
      return l10n.t("read");
    case "file_focus":
      return l10n.t("looked at again");
  }
}

function isKnown(type: string): type is FileEventType {
  return TYPES.some((known) => known === type);
}
