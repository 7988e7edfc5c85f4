/** What an iteration measures. */
export enum Size {
  /** The error at the trial state; after the iteration, the error that is left. */
  ERROR,
  /** The error before the last correction. */
  BEFORE,
  /** The error that is small enough. */
  ENOUGH,
}

/**
 * A correction that may be repeated. Made once and used in every step: iterating allocates nothing. Numbers therefore lie in memory,
 * and the time is that of the trial state: engines allocate for a number that one function hands to another.
 */
export interface Correction {
  /** By {@link Size}. */
  readonly sizes: Float64Array;
  /** Writes the size of the error at the trial state. */
  measure(): void;
  /** Factor that counts as halving: 1/4 if {@link measure} gives a square. Default: 1/2. */
  readonly half?: number;
  /** Whether the error is small enough, if its size alone does not decide. */
  isSmall?(): boolean;
  /** Moves the trial state and calls `at`. */
  correct(): void;
  /** The error shrank: the correction is kept. */
  keep?(): void;
  /** The error did not shrink: undoes the correction. */
  undo?(): void;
  /**
   * Called if the error shrinks but no longer halves: true if a new factorisation makes another correction worthwhile.
   */
  refresh?(): boolean;
}

/** Memory for the sizes of a correction. */
export function sizesOf(enough = 0): Float64Array {
  return Float64Array.of(0, 0, enough);
}

/**
 * Corrects until the error is small enough or no longer halves; a correction that makes it worse is rejected. Halving
 * separates convergence from rounding: Newton's iteration does far better until it meets rounding. With `mayGrowFirst` the first
 * correction may double the error: it may add more to some rows than it removes from others. NaN is passed to the correction, whose
 * solver names its source.
 */
export function iterate(correction: Correction, corrections: number, mayGrowFirst = false): void {
  const { half = 0.5, sizes } = correction;
  correction.measure();
  for (let i = 0; i < corrections && !isEnough(correction); i++) {
    const before = sizes[Size.ERROR]!;
    sizes[Size.BEFORE] = before;
    correction.correct();
    correction.measure();
    const isLenient = mayGrowFirst && i === 0;
    if (!(sizes[Size.ERROR]! < (isLenient ? 2 : 1) * before)) {
      sizes[Size.ERROR] = before;
      correction.undo?.();
      return;
    }
    correction.keep?.();
    const halved = sizes[Size.ERROR]! <= half * before || isLenient;
    if (!halved && !correction.refresh?.()) return;
  }
}

function isEnough(correction: Correction): boolean {
  const { sizes } = correction;
  return correction.isSmall?.() ?? sizes[Size.ERROR]! <= sizes[Size.ENOUGH]!;
}
