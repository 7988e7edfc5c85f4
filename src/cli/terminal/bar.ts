/** Shows progress. */
export interface Bar {
  /** Shows the completed fraction, from 0 to 1, and a text. */
  update(fraction: number, text: string): void;
  /** Removes the bar. */
  stop(): void;
}

/** Bar that shows nothing, for other than interactive terminals. */
export const SILENT: Bar = { update: () => {}, stop: () => {} };
