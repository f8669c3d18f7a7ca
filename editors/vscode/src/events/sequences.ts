/**
 * Takes apart what a program writes to a terminal: text, control characters, and escape sequences, which chunks of data
 * may cut anywhere. Sequences are those of ECMA-48 and of xterm (https://invisible-island.net/xterm/ctlseqs/ctlseqs.html);
 * the strings among them, such as titles of windows, are left out.
 */

/** More than any sequence has that means something here. */
const LONGEST_PARAMETERS = 64;
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/g;

type Parsing = "text" | "escape" | "charset" | "sequence" | "string";

/** What is done with the parts. */
export interface Parts {
  /** Holds no control characters. */
  readonly text: (text: string) => void;
  readonly control: (char: string) => void;
  /** A sequence of two characters: `final` is the one behind the escape character. */
  readonly escape: (final: string) => void;
  /** A control sequence, as `parameters` "2;5" and `final` "H". */
  readonly sequence: (parameters: string, final: string) => void;
}

export class Sequences {
  private parsing: Parsing = "text";
  private parameters = "";

  constructor(private readonly parts: Parts) {}

  read(data: string): void {
    let at = 0;
    while (at < data.length) {
      if (this.parsing !== "text") {
        this.parse(data.charAt(at));
        at += 1;
        continue;
      }
      CONTROL.lastIndex = at;
      const next = CONTROL.exec(data)?.index ?? data.length;
      if (next > at) {
        this.parts.text(data.slice(at, next));
      }
      if (next < data.length) {
        this.control(data.charAt(next));
      }
      at = next + 1;
    }
  }

  private control(char: string): void {
    switch (char) {
      case "\u001b":
        this.parsing = "escape";
        break;
      case "\u009b":
        this.begin("sequence");
        break;
      case "\u0090":
      case "\u0098":
      case "\u009d":
      case "\u009e":
      case "\u009f":
        this.begin("string");
        break;
      default:
        this.parts.control(char);
    }
  }

  private parse(char: string): void {
    if (char === "\u001b") {
      this.parsing = "escape";
    } else if (char === "\u0018" || char === "\u001a") {
      this.parsing = "text";
    } else if (this.parsing === "string") {
      if (char === "\u0007" || char === "\u009c") {
        this.parsing = "text";
      }
    } else if (char < " ") {
      this.parts.control(char); // terminals carry it out in the middle of a sequence
    } else if (this.parsing === "escape") {
      this.escape(char);
    } else if (this.parsing === "charset") {
      this.parsing = char < "0" ? "charset" : "text";
    } else if (char >= "@" && char <= "~") {
      this.parsing = "text";
      this.parts.sequence(this.parameters, char);
    } else if (char > "~") {
      this.parsing = "text";
    } else if (this.parameters.length < LONGEST_PARAMETERS) {
      this.parameters += char;
    }
  }

  private begin(parsing: Parsing): void {
    this.parsing = parsing;
    this.parameters = "";
  }

  private escape(char: string): void {
    this.begin("text");
    if (char === "[") {
      this.begin("sequence");
    } else if ("]PX^_".includes(char)) {
      this.begin("string");
    } else if (char < "0") {
      this.begin("charset");
    } else {
      this.parts.escape(char);
    }
  }
}
