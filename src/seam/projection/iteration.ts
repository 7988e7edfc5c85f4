/** A correction that may be repeated. Made once and used in every step: iterating allocates nothing. */
export interface Correction {
  /** Size of the error at the trial state. */
  error(): number;
  /** Factor that counts as halving: 1/4 if {@link error} gives a square. Default: 1/2. */
  readonly half?: number;
  /** Whether the error is small enough, if its size alone does not decide. */
  isSmall?(): boolean;
  /** Moves the trial state and calls `at`. */
  correct(t: number): void;
  /** The error shrank from `before` to `after`: the correction is kept. */
  keep?(after: number, before: number): void;
  /** The error did not shrink: undoes the correction. */
  undo?(t: number): void;
  /**
   * Called if the error shrinks but no longer halves: true if a new factorisation makes another correction worthwhile.
   */
  refresh?(): boolean;
}

/**
 * Corrects until the error is small enough or no longer halves; a correction that makes it worse is rejected. Halving
 * separates convergence from rounding: Newton's iteration does far better until it meets rounding. Returns the error
 * that is left. With `mayGrowFirst` the first correction may double the error: it may add more to some rows than it
 * removes from others. NaN is passed to the correction, whose solver names its source.
 */
export function iterate(
  correction: Correction,
  t: number,
  enough: number,
  corrections: number,
  mayGrowFirst = false,
): number {
  const { half = 0.5 } = correction;
  let error = correction.error();
  for (let i = 0; i < corrections && !isEnough(correction, error, enough); i++) {
    correction.correct(t);
    const next = correction.error();
    const isLenient = mayGrowFirst && i === 0;
    if (!(next < (isLenient ? 2 * error : error))) {
      correction.undo?.(t);
      break;
    }
    correction.keep?.(next, error);
    const halved = next <= half * error || isLenient;
    error = next;
    if (!halved && !correction.refresh?.()) break;
  }
  return error;
}

function isEnough(correction: Correction, error: number, enough: number): boolean {
  return correction.isSmall?.() ?? error <= enough;
}
