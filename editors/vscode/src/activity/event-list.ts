/** The list of events: the newest first, one row for each file, earlier days below a row of their own. */
import { l10n, ThemeIcon } from "vscode";
import type { ListedEvent } from "../protocol";
import { rowsOfDay } from "./file-nodes";
import type { ActivityNode } from "./node";
import { dayName, dayOf } from "./times";

/** Rows for `events` (newest first); `more` when there are older ones to be asked for. */
export function eventNodes(
  rootUri: string,
  events: readonly ListedEvent[],
  options: { readonly more: boolean; readonly now: number },
): readonly ActivityNode[] {
  const today = dayOf(options.now);
  const rows: ActivityNode[] = [];
  for (const [day, ofDay] of byDay(events)) {
    const nodes = rowsOfDay(rootUri, ofDay);
    const newest = ofDay[0];
    if (day === today || newest === undefined) {
      rows.push(...nodes);
    } else {
      rows.push({
        id: `${rootUri}|day|${day}`,
        rootUri,
        subject: { type: "section" },
        label: dayName(newest.timestamp, options.now),
        description: String(ofDay.length),
        icon: new ThemeIcon("calendar"),
        traits: "section",
        children: nodes,
        expanded: rows.length === 0,
      });
    }
  }
  if (options.more) {
    rows.push(moreNode(rootUri));
  }
  return rows;
}

function moreNode(rootUri: string): ActivityNode {
  return {
    id: `${rootUri}|more`,
    rootUri,
    subject: { type: "more" },
    label: l10n.t("Show Older Events…"),
    icon: new ThemeIcon("ellipsis"),
    traits: "more",
  };
}

function byDay(events: readonly ListedEvent[]): ReadonlyMap<string, readonly ListedEvent[]> {
  const days = new Map<string, ListedEvent[]>();
  for (const event of events) {
    const day = dayOf(event.timestamp);
    const known = days.get(day);
    if (known === undefined) {
      days.set(day, [event]);
    } else {
      known.push(event);
    }
  }
  return days;
}
