/**
 * What a terminal shows of the bytes that a program wrote: escape sequences gone, lines that were overwritten as they
 * stood last. Libraries such as `strip-ansi` only take sequences out of whole texts; a progress bar, a line drawn again
 * further up, or a sequence that two chunks share need a cursor. Read from the left edge of an endless screen: where the
 * window wraps lines is not known here.
 */
import { Sequences } from "./sequences";

/** How far up a program can still draw; lines above are as good as printed. */
const LIVE_ROWS = 100;
/** A longer line is data, not something to read. */
const LONGEST_ROW = 4_000;
const LONE_SURROGATE = /\p{Surrogate}/gu;

export class Screen {
  private rows: string[] = [""];
  private row = 0;
  private column = 0;
  /** On the screen that editors and pagers draw on, which is gone when they end. */
  private alternate = false;
  private saved: { row: number; column: number } | undefined;
  /** Between saving the cursor and restoring it, what is drawn elsewhere is a status line. */
  private aside = false;
  private readonly sequences = new Sequences({
    text: (text) => {
      this.put(text);
    },
    control: (char) => {
      this.control(char);
    },
    escape: (final) => {
      this.escape(final);
    },
    sequence: (parameters, final) => {
      this.sequence(parameters, final);
    },
  });

  /** `print` is given each line that nothing can change any more, without its line break. */
  constructor(private readonly print: (line: string) => void) {}

  write(data: string): void {
    this.sequences.read(data);
  }

  /** Prints what is still on the screen. */
  end(): void {
    for (const row of this.rows) {
      this.print(clean(row));
    }
    this.clear();
  }

  private put(text: string): void {
    if (this.alternate || this.aside) {
      return;
    }
    const row = this.current.padEnd(this.column);
    const room = Math.max(0, LONGEST_ROW - this.column);
    this.current = row.slice(0, this.column) + text.slice(0, room) + row.slice(this.column + text.length);
    this.column = Math.min(LONGEST_ROW, this.column + text.length);
  }

  private control(char: string): void {
    switch (char) {
      case "\n":
      case "\v":
      case "\f":
      case "\u0085":
        this.newLine();
        break;
      case "\r":
        this.column = 0;
        break;
      case "\b":
        this.column = Math.max(0, this.column - 1);
        break;
      case "\t":
        if (this.column >= this.current.length) {
          this.put("\t");
        } else {
          this.column = Math.min(this.current.length, this.column - (this.column % 8) + 8);
        }
        break;
      default: // a bell, a shift of alphabets, and others that show nothing
    }
  }

  private escape(final: string): void {
    switch (final) {
      case "c":
        this.clear();
        break;
      case "D":
      case "E":
        this.newLine();
        break;
      case "M":
        this.row = Math.max(0, this.row - 1);
        break;
      case "7":
        this.save();
        break;
      case "8":
        this.restore();
        break;
      default: // keypads and character sets
    }
  }

  private sequence(parameters: string, final: string): void {
    if (/^[<=>?]/.test(parameters)) {
      if ((final === "h" || final === "l") && /^\?(?:\d+;)*(?:47|1047|1049)\b/.test(parameters)) {
        this.alternate = final === "h";
      }
    } else if (!this.move(parameters, final)) {
      this.edit(parameters, final);
    }
  }

  private move(parameters: string, final: string): boolean {
    const count = numberIn(parameters);
    switch (final) {
      case "A":
      case "F":
        this.row = Math.max(0, this.row - count);
        break;
      case "B":
      case "E":
        for (let left = Math.min(LIVE_ROWS, count); left > 0; left -= 1) {
          this.lineDown();
        }
        break;
      case "C":
      case "a":
        this.column = Math.min(LONGEST_ROW, this.column + count);
        break;
      case "D":
        this.column = Math.max(0, this.column - count);
        break;
      case "G":
      case "`":
        this.column = count - 1;
        break;
      case "H":
      case "f":
        this.jump(numberIn(parameters, 1) - 1);
        break;
      case "s":
        this.save();
        break;
      case "u":
        this.restore();
        break;
      default:
        return false;
    }
    if (final === "E" || final === "F") {
      this.column = 0;
    }
    return true;
  }

  private edit(parameters: string, final: string): void {
    const count = numberIn(parameters);
    const whole = parameters === "" ? 0 : Number.parseInt(parameters, 10);
    const row = this.current;
    switch (final) {
      case "J":
        if (whole >= 2) {
          this.clear();
        } else if (whole === 0) {
          this.rows.length = this.row + 1;
          this.current = row.slice(0, this.column);
        }
        break;
      case "K":
        if (whole === 0) {
          this.current = row.slice(0, this.column);
        } else if (whole === 1) {
          this.current = " ".repeat(Math.min(this.column + 1, row.length)) + row.slice(this.column + 1);
        } else {
          this.current = "";
        }
        break;
      case "P":
        this.current = row.slice(0, this.column) + row.slice(this.column + count);
        break;
      case "X":
        this.current =
          row.slice(0, this.column) +
          " ".repeat(Math.max(0, Math.min(count, row.length - this.column))) +
          row.slice(this.column + count);
        break;
      case "@":
        this.current = (row.slice(0, this.column) + " ".repeat(count) + row.slice(this.column)).slice(0, LONGEST_ROW);
        break;
      default: // colours, modes, scrolling and questions to the terminal leave the text as it is
    }
  }

  /** To a place counted from the window's corner, which is not known here: what follows starts a line of its own. */
  private jump(column: number): void {
    if (this.saved !== undefined) {
      this.aside = true;
      return;
    }
    this.row = this.rows.length - 1;
    if (this.current.trim() !== "") {
      this.lineDown();
    }
    this.column = column;
  }

  private save(): void {
    this.saved = { row: this.row, column: this.column };
  }

  private restore(): void {
    if (this.saved !== undefined) {
      this.row = Math.min(this.saved.row, this.rows.length - 1);
      this.column = this.saved.column;
    }
    this.saved = undefined;
    this.aside = false;
  }

  private clear(): void {
    this.rows = [""];
    this.row = 0;
    this.column = 0;
    this.saved = undefined;
    this.aside = false;
  }

  private newLine(): void {
    this.aside = false;
    this.lineDown();
    this.column = 0;
  }

  private lineDown(): void {
    if (this.alternate) {
      return;
    }
    this.row += 1;
    if (this.row === this.rows.length) {
      this.rows.push("");
    }
    while (this.rows.length > LIVE_ROWS) {
      this.print(clean(this.rows.shift() ?? ""));
      this.row = Math.max(0, this.row - 1);
    }
  }

  private get current(): string {
    return this.rows[this.row] ?? "";
  }

  private set current(row: string) {
    this.rows[this.row] = row;
  }
}

/** A character that needs two units may have been overwritten by half; blanks at the end are nothing to see. */
function clean(row: string): string {
  return row.trimEnd().replace(LONE_SURROGATE, "\ufffd");
}

/** The number at `place` in the parameters of a sequence; missing ones and 0 count as 1. */
function numberIn(parameters: string, place = 0): number {
  const given = Number.parseInt(parameters.split(";")[place] ?? "", 10);
  return Math.min(LONGEST_ROW, Number.isNaN(given) || given === 0 ? 1 : given);
}
