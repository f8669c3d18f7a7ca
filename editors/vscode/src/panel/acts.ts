/** What the user can do with the pieces of a prompt. */
import type * as vscode from "vscode";
import { keptTarget } from "../commands/targets";
import { openPlace } from "../open-place";
import { reprioritised } from "../pin-priority";
import { optional } from "../optional";
import type { Target } from "../protocol";
import type { Requests } from "../requests";
import type { ItemAction } from "./messages";
import { movedOrder, type Piece } from "./model";
import { pinOf } from "./pins";
import type { Session } from "./session";
import { homeOf } from "../sources";
import { placeOf } from "./source";

export class Acts {
  constructor(
    private readonly requests: Requests,
    private readonly session: Session,
    private readonly beforeOpen: () => void,
  ) {}

  /** Rejects as the requests do. */
  async act(action: ItemAction, key: string): Promise<void> {
    const piece = this.session.piece(key);
    if (piece === undefined) {
      return; // the page showed an older answer
    }
    switch (action) {
      case "open":
      case "peek":
        return this.open(piece, action === "open");
      case "pin":
        return this.remember(piece, (target) => this.requests.pin(target));
      case "unpin":
        return this.unpin(piece);
      case "exclude":
        return this.remember(piece, (target) => this.requests.exclude(target));
      case "leaveOut":
        return this.session.leaveOut(piece.source);
      case "up":
        return this.move(piece, -1);
      case "down":
        return this.move(piece, 1);
      case "helpful":
      case "unhelpful":
        return this.judge(piece, action === "helpful");
    }
  }

  private async open(piece: Piece, focus: boolean): Promise<void> {
    const { source, folder } = this.homeOf(piece);
    const place = placeOf(piece.type, source);
    if (place !== undefined && folder !== undefined) {
      this.beforeOpen();
      await openPlace(this.requests, folder.uri, place, focus);
    }
  }

  /** The folder of a piece, and its source there: an answer of several folders has no id. */
  private homeOf({ source }: Piece): { readonly source: string; readonly folder: vscode.WorkspaceFolder | undefined } {
    const home = this.session.shown?.id === "" ? homeOf(source) : undefined;
    return home ?? { source, folder: this.session.folder };
  }

  private async remember(piece: Piece, tell: (target: Target) => Promise<unknown>): Promise<void> {
    const { source, folder } = this.homeOf(piece);
    const place = placeOf(piece.type, source);
    if (place !== undefined) {
      await tell({ path: place.path, ...optional({ symbol: piece.symbol, rootUri: folder?.uri.toString() }) });
      await this.session.refresh({ told: true });
    }
  }

  private async unpin(piece: Piece): Promise<void> {
    const pins = (await this.requests.workingSet(this.session.rootUri)).files;
    const pin = pinOf(pins, piece);
    if (pin !== undefined) {
      await this.requests.unpin(keptTarget(pin, this.session.rootUri));
    }
    await this.session.refresh({ told: true });
  }

  private async move(piece: Piece, by: -1 | 1): Promise<void> {
    const context = this.session.shown;
    const sources = context === undefined ? undefined : movedOrder(context, piece, by);
    if (sources === undefined) {
      return;
    }
    if (piece.type !== "working_set" || !(await this.movePin(piece, sources, by))) {
      await this.session.reorder(piece.type, sources);
    }
  }

  /** Pinned things move by priority, so that they stay where they were put; false where both are of the same pin. */
  private async movePin(piece: Piece, sources: readonly string[], by: -1 | 1): Promise<boolean> {
    const passed = sources[sources.indexOf(piece.source) - by];
    const { files } = await this.requests.workingSet(this.session.rootUri);
    const pin = pinOf(files, piece);
    const neighbour = passed === undefined ? undefined : pinOf(files, { ...piece, source: passed });
    if (pin === undefined || neighbour === undefined || pin === neighbour) {
      return false;
    }
    for (const { pin: moved, priority } of reprioritised(files, pin, neighbour, by)) {
      await this.requests.pin({ ...keptTarget(moved, this.session.rootUri), priority });
    }
    await this.session.refresh({ told: true });
    return true;
  }

  private async judge(piece: Piece, helpful: boolean): Promise<void> {
    const { source, folder } = this.homeOf(piece);
    const id = this.session.shown?.id;
    await this.requests.feedback(source, helpful, id === "" ? undefined : id, folder?.uri.toString());
    this.session.mark(piece.source, helpful);
  }
}
