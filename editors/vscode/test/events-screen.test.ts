// What is kept of a terminal's output, for any bytes in: text as a person saw it, within bounds.
import * as assert from "node:assert/strict";
import fc from "fast-check";
import { Ends } from "../src/events/ends";
import { MOST_OUTPUT } from "../src/events/output";
import { Screen } from "../src/events/screen";

/** Pieces that programs print, whole and broken. */
const printed = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.nat(0xbf).map((code) => String.fromCharCode(code)),
  fc.string({ unit: "grapheme-ascii", maxLength: 20 }),
  fc.constantFrom("\r", "\n", "\r\n", "\b", "\t", "\u001b", "\u001b[", "\u001b]0;title", "\u0007", "\u001b\\", "\u009b2J", "\u0090"),
  fc
    .tuple(fc.nat(300), fc.nat(300), fc.constantFrom(...Array.from("ABCDEFGHJKPXfmsu@hl")))
    .map(([row, column, final]) => `\u001b[${row};${column}${final}`),
  fc.constantFrom("\u001b[?1049h", "\u001b[?1049l", "\u001b7", "\u001b8", "\u001bc", "\u001bM", "\u001b(B", "\u001b[31;1m"),
);

function shown(...chunks: readonly string[]): string {
  return lines(chunks).join("\n").replace(/\n+$/, "");
}

function lines(chunks: readonly string[]): string[] {
  const found: string[] = [];
  const screen = new Screen((line) => found.push(line));
  for (const chunk of chunks) {
    screen.write(chunk);
  }
  screen.end();
  return found;
}

describe("output of terminals", () => {
  it("holds no control characters, whatever was printed", () => {
    fc.assert(
      fc.property(fc.array(printed), (chunks) => {
        for (const line of lines(chunks)) {
          assert.doesNotMatch(line, /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/);
          assert.doesNotMatch(line, /\p{Surrogate}/u);
          assert.ok(line.length <= 4_000);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("is the same however the data is cut into chunks", () => {
    fc.assert(
      fc.property(fc.array(printed), fc.array(fc.nat(200)), (chunks, cuts) => {
        const whole = chunks.join("");
        const places = [0, ...cuts.map((cut) => Math.min(cut, whole.length)).sort((a, b) => a - b), whole.length];
        const pieces = places.slice(1).map((end, index) => whole.slice(places[index], end));
        assert.deepEqual(lines(pieces), lines([whole]));
      }),
      { numRuns: 2_000 },
    );
  });

  it("is plain text as it was printed", () => {
    const plain = fc.array(fc.stringMatching(/^[ -~¡-ÿ]{0,60}$/), { maxLength: 300 });
    fc.assert(
      fc.property(plain, (texts) => {
        assert.deepEqual(
          lines([texts.join("\r\n")]),
          (texts.length === 0 ? [""] : texts).map((line) => line.trimEnd()),
        );
      }),
    );
  });

  it("keeps the last state of a progress bar", () => {
    const bars = fc.array(fc.nat(100), { minLength: 1 });
    fc.assert(
      fc.property(bars, fc.constantFrom("\r", "\r\u001b[K", "\u001b[2K\u001b[1G", "\u001b[1000D\u001b[0K"), (steps, back) => {
        const bar = (percent: number): string => `[${"#".repeat(percent)}] ${String(percent).padStart(3)} % done`;
        const ever = steps.map((percent) => `${back}\u001b[32m${bar(percent).padEnd(120)}\u001b[0m`);
        assert.equal(shown("building\r\n", ...ever, "\r\nbuilt\r\n"), `building\n${bar(steps.at(-1) ?? 0)}\nbuilt`);
      }),
    );
  });

  it("applies backspaces, erasing and lines drawn again further up", () => {
    assert.equal(shown("passwrd\b\b\bord\u001b[K"), "password".slice(0, 4) + "ord");
    assert.equal(shown("one\r\ntwo\r\nthree\r\n\u001b[2A\u001b[2KTWO\u001b[B\r"), "one\nTWO\nthree");
    assert.equal(shown("a: 1\r\nb: 1\r\n\u001b[2Fa: 2\u001b[E", "b: 2\r\n"), "a: 2\nb: 2");
    assert.equal(shown("watching\r\n", "\u001b[2J\u001b[3J\u001b[H", "1 test failed\r\n"), "1 test failed");
    assert.equal(shown("\u001b]633;C\u0007\u001b]8;;http://example.org\u001b\\link\u001b]8;;\u001b\\"), "link");
  });

  it("leaves out what editors and pagers draw on a screen of their own", () => {
    assert.equal(shown("before\r\n\u001b[?1049h\u001b[1;1H~\r\n~ file.txt\u001b[?1049lafter"), "before\nafter");
  });

  it("leaves out a status line that is drawn aside", () => {
    assert.equal(shown("Unpacking\r\n\u001b7\u001b[24;0f\u001b[42mProgress: [ 50%]\u001b8Setting up"), "Unpacking\nSetting up");
  });

  it("keeps text that follows a broken sequence", () => {
    assert.equal(shown("\u001b(B\u001b[mtext\u001b", "(0"), "text");
    assert.equal(shown("\u001b[31", "mred\u001b]0;never ended", "\u0018 text"), "red text");
  });

  it("is its first and last lines within a bound, and says how many are missing", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 300 }), { maxLength: 400 }), fc.integer({ min: 400, max: 5_000 }), (all, most) => {
        const ends = new Ends(most);
        const texts = all.map((text, index) => `${index} ${text.replaceAll("\n", " ")}`);
        for (const text of texts) {
          ends.add(text);
        }
        const kept = ends.text();
        assert.ok(kept.length <= most);
        const omitted = /… \((\d+) lines omitted\)\n/.exec(kept);
        if (omitted === null) {
          assert.equal(kept, texts.join("\n"));
        } else {
          const [head = "", tail = ""] = kept.split(omitted[0]);
          const before = head.split("\n").slice(0, -1);
          const behind = tail.split("\n");
          assert.deepEqual(before, texts.slice(0, before.length));
          assert.deepEqual(behind, texts.slice(-behind.length));
          assert.equal(before.length + behind.length + Number(omitted[1]), texts.length);
        }
      }),
    );
  });

  it("costs neither memory nor much time when a command prints 100 MB", function () {
    this.timeout(60_000);
    const ends = new Ends(MOST_OUTPUT);
    const screen = new Screen((line) => {
      ends.add(line);
    });
    const chunk = "\u001b[32mok\u001b[0m  a line of output of some tool that says a lot, again and again\r\n".repeat(800);
    const before = process.memoryUsage().heapUsed;
    const cpuBefore = process.cpuUsage();
    for (let printed = 0; printed < 100_000_000; printed += chunk.length) {
      screen.write(chunk);
    }
    screen.write("FAILED at last\r\n");
    screen.end();
    assert.ok(ends.text().endsWith("\nFAILED at last"));
    assert.ok(ends.text().length <= MOST_OUTPUT);
    assert.ok(process.memoryUsage().heapUsed - before < 64_000_000, "memory grew with the output");
    const { user, system } = process.cpuUsage(cpuBefore);
    const seconds = (user + system) / 1_000_000;
    assert.ok(seconds < 30, `${seconds} s of the processor`);
  });
});
