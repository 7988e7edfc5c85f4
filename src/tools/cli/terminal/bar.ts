/** Shows progress. */
export interface Bar {
  /** From 0 to 1, and what else is worth telling. */
  update(fraction: number, text: string): void;
  /** Takes the bar away. */
  stop(): void;
}

/** Without an interactive terminal. */
export const SILENT: Bar = { update: () => {}, stop: () => {} };
