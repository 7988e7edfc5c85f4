/** Tells how far something is. */
export interface Bar {
  /** From 0 to 1, and what else is worth telling. */
  update(fraction: number, text: string): void;
  /** Takes the bar away. */
  stop(): void;
}

/** Where nobody watches. */
export const SILENT: Bar = { update: () => {}, stop: () => {} };
