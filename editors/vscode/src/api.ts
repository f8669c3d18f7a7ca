/** What the extension exports to other extensions. */

export interface ContextlsApi {
  /** Grows with every change that could break somebody. */
  readonly version: 1;
}
