import type { AdamsHistory } from "./adams-history.js";

/** Consecutive failures before the method distrusts its history and restarts at order 1. */
const PATIENCE = 3;

/**
 * Chooses the order of the coming step by the rules of Shampine and Gordon (Computer Solution of
 * ODEs, chapter 7): at the start every step raises it; later it falls where lower orders are no worse,
 * and rises where the next is better. `error(k)` is the size the error would have had at order k.
 * Gives the error of the step: at its own order where it is too large, else at the order chosen.
 */
export function chooseOrder(
  history: AdamsHistory,
  used: number,
  usable: number,
  highest: number,
  error: (order: number) => number,
  mayFail: boolean,
): number {
  const own = error(used);
  const below = used > 1 ? error(used - 1) : Number.POSITIVE_INFINITY;
  const lower = used === 2 ? below <= own / 2 : used > 2 && Math.max(below, error(used - 2)) <= own;
  if (mayFail && !(own <= 1)) {
    history.failures++;
    history.starting = false;
    history.order = history.failures >= PATIENCE ? 1 : lower ? used - 1 : used;
    return own;
  }
  if (history.starting && !lower && used < highest) {
    history.order = used + 1;
    return own;
  }
  history.starting = false;
  history.order = lower ? used - 1 : used;
  if (lower) return below;
  if (used === highest || used + 1 > usable) return own;
  const above = error(used + 1);
  if (used > 1 && below <= Math.min(own, above)) {
    history.order = used - 1;
    return below;
  }
  if (!(above < (used === 1 ? own / 2 : own))) return own;
  history.order = used + 1;
  return above;
}
