/** A correction that may be repeated. Made once and used in every step: iterating allocates nothing. */
export interface Correction {
  /** Size of the error at the trial state. */
  error(): number;
  /** What the error is multiplied by when it halves: 1/4 where {@link error} gives its square. Default: 1/2. */
  readonly half?: number;
  /** The error is small enough, where that is not judged by its size alone. */
  isSmall?(): boolean;
  /** Moves the trial state, and announces it. */
  correct(t: number): void;
  /** The error shrank from `before` to `after`: the correction stands. */
  keep?(after: number, before: number): void;
  /** The error did not shrink: takes the correction back. */
  undo?(t: number): void;
  /** Asked where the error shrinks but no longer halves: true if a fresh factor makes it worth going on. */
  refresh?(): boolean;
}

/**
 * Corrects until the error is small enough or no longer halves; a correction that makes it worse is taken back. Halving
 * separates convergence from rounding: Newton's iteration does far better until it meets rounding. Returns the error
 * that is left. With `mayGrowFirst` the first correction may double the error: it may leave more in some rows than it
 * takes from others. An error that is NaN goes to the correction, whose solver says where it comes from.
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
