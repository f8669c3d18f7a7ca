/** What a command printed, as its terminal shows it, however much that is. */
import { Ends } from "./ends";
import { Screen } from "./screen";

/** The server reads this much for failures, and keeps less; in UTF-16 units. */
export const MOST_OUTPUT = 128 * 1024;
/** Data that the editor still has when it says that the command ended. */
const DRAIN_MS = 2_000;

export class Output {
  private readonly ends = new Ends(MOST_OUTPUT);
  private readonly screen = new Screen((line) => {
    this.ends.add(line);
  });
  private readonly reading: Promise<void>;

  /** Reads `stream` at once and to its end; a stream that breaks ends there. */
  constructor(stream: AsyncIterable<string>) {
    this.reading = this.read(stream);
  }

  /** All of it; waits a moment for what is still on its way. */
  async text(): Promise<string> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, DRAIN_MS);
    });
    await Promise.race([this.reading, late]);
    clearTimeout(timer);
    this.screen.end();
    return this.ends.text();
  }

  private async read(stream: AsyncIterable<string>): Promise<void> {
    try {
      for await (const data of stream) {
        this.screen.write(data);
      }
    } catch {
      // the terminal is gone: what came until then counts
    }
  }
}
