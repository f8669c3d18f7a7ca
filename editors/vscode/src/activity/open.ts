/** Opens what a row is about. */
import * as vscode from "vscode";
import { lineOf, pathOf } from "../event-fields";
import { openPlace } from "../open-place";
import { optional } from "../optional";
import type { ExcludedFile, PinnedFile } from "../protocol";
import type { Requests } from "../requests";
import type { SourcePlace } from "../sources";
import type { EventDocuments } from "./documents";
import { type ActivityNode, isA } from "./node";

/** A click on a row shows what it is about and leaves the keyboard in the tree, as in the explorer. */
export const KEEP_FOCUS = "keepFocus";

/** The place that a row is about; undefined for what has none. */
export function placeOf(node: ActivityNode): SourcePlace | undefined {
  const { subject } = node;
  switch (subject.type) {
    case "pin":
      return pinPlace(subject.pin);
    case "excluded":
      return keptPlace(subject.excluded);
    case "file":
      return { path: subject.path };
    case "event": {
      const path = pathOf(subject.event);
      const line = lineOf(subject.event);
      return path === undefined ? undefined : { path, ...optional({ startLine: line, endLine: line }) };
    }
    case "folder":
    case "group":
    case "section":
    case "serverEntry":
    case "manifest":
    case "task":
    case "more":
    case "pattern":
    case "message":
      return undefined;
  }
}

/** An event without a file opens as a document that tells all of it. Throws where the file is gone. */
export async function open(
  requests: Requests,
  node: ActivityNode,
  documents: EventDocuments,
  preserveFocus: boolean,
): Promise<void> {
  const place = placeOf(node);
  const options = { preview: true, preserveFocus };
  if (place !== undefined) {
    await openPlace(requests, vscode.Uri.parse(node.rootUri), place, !preserveFocus);
  } else if (isA(node, "manifest")) {
    await vscode.window.showTextDocument(vscode.Uri.file(node.subject.location), options);
  } else if (isA(node, "event")) {
    await documents.show(node.subject.event, options);
  }
}

function pinPlace(pin: PinnedFile): SourcePlace | undefined {
  const lines = optional({ startLine: pin.startLine ?? undefined, endLine: pin.endLine ?? undefined });
  return pin.pattern ? undefined : { ...keptPlace(pin), ...lines };
}

function keptPlace({ path, folder, symbol }: ExcludedFile): SourcePlace {
  return { path, folder, ...optional({ symbol: symbol ?? undefined }) };
}
