// Many steps of Radau IIA in one call, if they are not observed one by one. Each is bitwise
// identical to a step of the run, including its length. Anything beyond taking a step and choosing
// the length of the next is left to the run: a step that is rejected or fails, one that ends near
// the target or an output time, and steps so short that noise may be the cause.

import { RadauKept, RadauBatch, RadauTable, StepCounts, StepKnown } from "../layout-radau";
import { copySlots, get, getInteger, set } from "../math/slots";
import { part } from "./radau";
import { keepIterations, radauAttempt } from "./radau-attempt";
import { radauNext } from "./radau-rule";

/** Noise is checked if a step is this many times shorter than the longest since the last check. */
const SHRUNK: f64 = 16.0;

/**
 * Takes up to `count` steps and returns their number. The other arguments are as in radauAttempt.
 */
export function radauBatch(
  table: usize, batch: usize, count: i32, relative: f64, inPositions: f64, inVelocities: f64,
  allowed: f64, rounding: f64, most: i32,
): i32 {
  const kept = part(table, RadauTable.KEPT), maximum = get(batch, RadauBatch.MAXIMUM);
  const target = get(batch, RadauBatch.TARGET), before = get(batch, RadauBatch.BEFORE);
  const short = get(batch, RadauBatch.SHORT);
  let t = get(batch, RadauBatch.TIME), h = get(batch, RadauBatch.NEXT);
  let since = get(batch, RadauBatch.LONGEST_SINCE), evaluations: f64 = 0.0;
  let shortest: f64 = Infinity, longest: f64 = 0.0, last: f64 = 0.0, steps = 0;
  for (; steps < count; steps++) {
    const end = t + h, length = Math.abs(h);
    if (length * SHRUNK < since || length > Math.abs(target - t) / 2.0) break;
    if ((before - end) * h <= 0.0 || length > short) break;
    const found = tryStep(
      table, t, h, relative, inPositions, inVelocities, allowed, rounding, most,
    );
    if (found == 0) break;
    evaluations += <f64>found;
    last = end - t;
    const factor = radauNext(kept, h, get(kept, RadauKept.ERROR));
    commit(table, last);
    since = Math.max(since, length);
    shortest = Math.min(shortest, Math.abs(last));
    longest = Math.max(longest, Math.abs(last));
    t = end;
    h = Math.min(length * factor, maximum) * (h < 0.0 ? -1.0 : 1.0);
  }
  set(batch, RadauBatch.TIME, t);
  set(batch, RadauBatch.NEXT, h);
  set(batch, RadauBatch.LONGEST_SINCE, since);
  set(batch, RadauBatch.EVALUATIONS, evaluations);
  set(batch, RadauBatch.SHORTEST, shortest);
  set(batch, RadauBatch.LONGEST, longest);
  set(batch, RadauBatch.LAST, last);
  return steps;
}

/** An attempt that leaves no trace if its error is too large, since the run repeats it. */
function tryStep(
  table: usize, t: f64, h: f64, relative: f64, inPositions: f64, inVelocities: f64,
  allowed: f64, rounding: f64, most: i32,
): i32 {
  const kept = part(table, RadauTable.KEPT), known = part(table, RadauTable.KNOWN);
  const counts = part(table, RadauTable.COUNTS), factored = get(kept, RadauKept.FACTORED);
  const jacobians = get(counts, StepCounts.JACOBIANS), checks = get(counts, StepCounts.CHECKS);
  const factorisations = get(counts, StepCounts.FACTORISATIONS);
  const slope = get(known, StepKnown.SLOPE), current = get(known, StepKnown.CURRENT);
  const iterations = get(kept, RadauKept.ITERATIONS);
  const theta = get(kept, RadauKept.CONTRACTION), eta = get(kept, RadauKept.SLOWNESS);
  const found =
    radauAttempt(table, t, h, relative, inPositions, inVelocities, allowed, rounding, most);
  if (found == 0 || get(kept, RadauKept.ERROR) <= 1.0) return found;
  keepIterations(kept, iterations, theta, eta);
  // df/dy and factors belong to this attempt: they are recomputed, and counted then.
  if (get(counts, StepCounts.JACOBIANS) != jacobians) set(kept, RadauKept.FACTORED, 0.0);
  else if (get(kept, RadauKept.FACTORED) != factored) set(kept, RadauKept.FACTORED, NaN);
  set(counts, StepCounts.JACOBIANS, jacobians);
  set(counts, StepCounts.FACTORISATIONS, factorisations);
  set(counts, StepCounts.CHECKS, checks);
  set(known, StepKnown.SLOPE, slope);
  set(known, StepKnown.CURRENT, current);
  return 0;
}

/** The end of the step begins the next. */
function commit(table: usize, h: f64): void {
  const n = getInteger(table, RadauTable.SIZE), kept = part(table, RadauTable.KEPT);
  copySlots(part(table, RadauTable.TRIAL), part(table, RadauTable.Y), n);
  copySlots(part(table, RadauTable.END_SLOPE), part(table, RadauTable.SLOPE), n);
  copySlots(part(table, RadauTable.STAGES), part(table, RadauTable.PREVIOUS), 3 * n);
  set(part(table, RadauTable.KNOWN), StepKnown.CURRENT, 0.0);
  set(kept, RadauKept.PREVIOUS_LENGTH, h);
  set(kept, RadauKept.REJECTED, 0.0);
}
