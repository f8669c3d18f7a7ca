/** Both ends of a long text: what ran is at the beginning, how it ended is at the end. */

const MARK_ROOM = 64;

export class Ends {
  private readonly headRoom: number;
  private readonly tailRoom: number;
  private head = "";
  private headIsFull = false;
  /** The tail in two halves: while one is filled, the other is complete. */
  private older = "";
  private newer = "";
  private lines = 0;
  private headLines = 0;

  /** `most` bounds what `text` answers with, in UTF-16 units; three times as much is held at most. */
  constructor(private readonly most: number) {
    this.headRoom = Math.floor(most / 4);
    this.tailRoom = most - this.headRoom - MARK_ROOM;
  }

  /** Adds one line, given without its line break. */
  add(line: string): void {
    this.lines += 1;
    if (!this.headIsFull && this.head.length + line.length < this.headRoom) {
      this.head += `${line}\n`;
      this.headLines += 1;
      return;
    }
    this.headIsFull = true;
    this.newer += `${line.slice(-this.tailRoom)}\n`;
    if (this.newer.length > this.tailRoom) {
      this.older = this.newer;
      this.newer = "";
    }
  }

  /** All that was added, or its first and last lines with a note of how many are missing between. */
  text(): string {
    const kept = this.older + this.newer;
    const tail = kept.length <= this.tailRoom ? kept : wholeLines(kept.slice(-this.tailRoom));
    const omitted = this.lines - this.headLines - countLines(tail);
    const note = omitted > 0 ? `… (${omitted} lines omitted)\n` : "";
    return (this.head + note + tail).replace(/^\n+|\n+$/g, "").slice(-this.most);
  }
}

function wholeLines(text: string): string {
  const first = text.indexOf("\n");
  return first === text.length - 1 ? text : text.slice(first + 1);
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    count += 1;
  }
  return count;
}
