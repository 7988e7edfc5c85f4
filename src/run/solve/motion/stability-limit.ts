import type { Motion } from "./motion.js";

/** h |lambda| up to which explicit methods are stable, about: real stability intervals by order. */
const LIMITS = { upTo5: 3.25, upTo8: 6.1 } as const;

/** What steps show below this part of their length is rounding; and below this it may be noise of functions. */
const ROUNDING = 1e-13;
export const PLAIN = 1e-6;

/**
 * h |lambda| of a step that has been judged, over the stability limit of the method: from 1 on stability limits the
 * step. 0 if the step does not reveal it: `least` is the smallest part of the step that does.
 */
export function stabilityUsed(
  { stateInterpolant, order }: Motion,
  h: number,
  least = ROUNDING,
): number {
  if (stateInterpolant?.stiffness === undefined || order > 8) return 0;
  return stateInterpolant.stiffness(h, least) / (order <= 5 ? LIMITS.upTo5 : LIMITS.upTo8);
}
