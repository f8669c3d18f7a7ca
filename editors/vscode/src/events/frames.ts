/** Places in the text of a stack trace, and the line of it that says what went wrong. */

export interface Frame {
  /** Absolute. */
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
}

const PYTHON = /^\s*File "([^"\n]+)", line (\d+)/;
const PLACE = /(?:file:\/\/)?((?:[A-Za-z]:)?[\\/][^\s:()"'<>]+):(\d+)(?::\d+)?/;
const SAYS_ERROR = /^(?:Uncaught |Unhandled exception[:.] ?)?[\w.$:]*(?:Error|Exception|panic|fatal|Interrupt|Warning)\b.*/;
/** “Uncaught RangeError RangeError: …” says no more than its end. */
const SAID_TWICE = /^Uncaught (?:\(in promise\) )?(?:(\S+) (?=\1\b))?/;
const LONGEST_MESSAGE = 2_000;

/** The places that a trace names, innermost first. */
export function framesIn(trace: string): readonly Frame[] {
  const lines = trace.split("\n");
  const python = placesIn(lines, PYTHON);
  return python.length > 0 ? python.reverse() : placesIn(lines, PLACE);
}

/** The line of an error output that says what went wrong: the last error for Python, the first for others. */
export function messageIn(output: string): string | undefined {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const inOrder = lines.some((line) => PYTHON.test(line)) ? [...lines].reverse() : lines;
  const said = inOrder.find((line) => SAYS_ERROR.test(line)) ?? lines.at(-1);
  return said?.trim().replace(SAID_TWICE, "").slice(0, LONGEST_MESSAGE);
}

function placesIn(lines: readonly string[], place: RegExp): Frame[] {
  return lines.flatMap((line) => {
    const [, path, number] = place.exec(line) ?? [];
    return path === undefined || number === undefined ? [] : [{ path, line: Number.parseInt(number, 10) }];
  });
}
