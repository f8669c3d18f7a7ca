/** How long to wait before the server is started again after it went down. */

const FIRST_MS = 250;
const LONGEST_MS = 30_000;
/** A server that ran this long was healthy: what went wrong before no longer counts. */
const HEALTHY_MS = 60_000;
const MOST_IN_A_ROW = 6;

export class Backoff {
  private failures = 0;

  constructor(private readonly firstMs = FIRST_MS) {}

  /** The server went down after `ranMs`. Milliseconds to wait, or undefined when it is no use to go on. */
  next(ranMs: number): number | undefined {
    if (ranMs >= HEALTHY_MS) {
      this.failures = 0;
    }
    this.failures += 1;
    if (this.failures > MOST_IN_A_ROW) {
      return undefined;
    }
    return Math.min(LONGEST_MS, this.firstMs * 2 ** (this.failures - 1));
  }

  reset(): void {
    this.failures = 0;
  }
}
