// A whole step of Radau IIA in one call, for equations whose f and df/dy are compiled functions and
// whose df/dy is dense. For a system of few unknowns the arithmetic of a step takes a microsecond;
// 50 calls from outside take some more, and tens of them until the engine has compiled its callers.
//
// f, df/dy and the LU of the core are called through the function table. A failed attempt
// is left to the caller, which repeats it call by call and words the errors.

import { Status } from "../layout";
import {
  END_HIDEABLE, END_PASSES, END_UNDECIDED, HIDDEN_ERROR, RADAU_FAST, RadauKept, RadauTable,
  RadauVerdict, RadauWeights, StepCounts, StepKnown,
} from "../layout-radau";
import { isNumber } from "../math/finite";
import { at, clearSlots, copySlots, get, getInteger, set } from "../math/slots";
import { complexLuFactor, complexLuSolve, complexShifted, realShifted } from "./complex-lu";
import { endPass, endProbe } from "./end-check";
import { scaledNorm } from "./norms";
import {
  part, radauBegin, radauEndResidual, radauError, radauJudge, radauResidual, radauTrial,
  radauUpdate,
} from "./radau";

/**
 * Attempts a step of length h, with the end as trial and its error in RadauKept.ERROR. Returns the
 * number of evaluations of f; 0 if the attempt failed and must be repeated call by call.
 * `allowed`, `rounding` and `most` are those of radauJudge.
 */
export function radauAttempt(
  table: usize, t: f64, h: f64, relative: f64, inPositions: f64, inVelocities: f64,
  allowed: f64, rounding: f64, most: i32,
): i32 {
  const kept = part(table, RadauTable.KEPT), iterations = get(kept, RadauKept.ITERATIONS);
  const theta = get(kept, RadauKept.CONTRACTION), eta = get(kept, RadauKept.SLOWNESS);
  const found =
    attempt(table, t, h, relative, inPositions, inVelocities, allowed, rounding, most);
  if (found == 0) keepIterations(kept, iterations, theta, eta);
  return found;
}

export function keepIterations(kept: usize, iterations: f64, theta: f64, eta: f64): void {
  set(kept, RadauKept.ITERATIONS, iterations);
  set(kept, RadauKept.CONTRACTION, theta);
  set(kept, RadauKept.SLOWNESS, eta);
}

function attempt(
  table: usize, t: f64, h: f64, relative: f64, inPositions: f64, inVelocities: f64,
  allowed: f64, rounding: f64, most: i32,
): i32 {
  const kept = part(table, RadauTable.KEPT), known = part(table, RadauTable.KNOWN);
  set(kept, RadauKept.EVALUATIONS, 0.0);
  const isKnown = get(known, StepKnown.SLOPE) == 1.0;
  if (!isKnown && !rateAtState(table, t)) return 0;
  const derives = needsDerivative(kept, known);
  const factors = derives || get(kept, RadauKept.FACTORED) != h;
  if (factors) {
    // Until it succeeds: no factors, and no df/dy if that is recomputed.
    set(kept, RadauKept.FACTORED, derives ? 0.0 : NaN);
    if (derives && !derive(table, t)) return 0;
    if (!factor(table, h)) return 0;
  }
  radauBegin(table, h, relative, inPositions, inVelocities);
  let verdict: i32 = RadauVerdict.GO_ON;
  for (let k = 1; verdict == RadauVerdict.GO_ON; k++) {
    const size = iterate(table, t, h);
    if (size < 0.0) return 0;
    verdict = radauJudge(kept, k, size, allowed, rounding, most);
  }
  if (verdict != RadauVerdict.CONVERGED || !judgeEnd(table, t, h)) return 0;
  const counts = part(table, RadauTable.COUNTS);
  set(known, StepKnown.SLOPE, 1.0);
  if (derives) {
    set(known, StepKnown.CURRENT, 1.0);
    set(counts, StepCounts.JACOBIANS, get(counts, StepCounts.JACOBIANS) + 1.0);
  }
  if (factors) {
    set(kept, RadauKept.FACTORED, h);
    set(counts, StepCounts.FACTORISATIONS, get(counts, StepCounts.FACTORISATIONS) + 1.0);
  }
  return <i32>get(kept, RadauKept.EVALUATIONS);
}

function needsDerivative(kept: usize, known: usize): bool {
  if (get(known, StepKnown.CURRENT) == 1.0) return false;
  return get(kept, RadauKept.FACTORED) == 0.0 || get(kept, RadauKept.REJECTED) == 1.0 ||
    get(kept, RadauKept.CONTRACTION) > RADAU_FAST;
}

/** out = f(t, trial). Returns false if the result may not be finite. */
function rate(table: usize, t: f64, out: usize): bool {
  const kept = part(table, RadauTable.KEPT);
  set(part(table, RadauTable.TIME), 0, t);
  set(kept, RadauKept.EVALUATIONS, get(kept, RadauKept.EVALUATIONS) + 1.0);
  return call_indirect<i32>(getInteger(table, RadauTable.RATE), out) == 1;
}

function rateAtState(table: usize, t: f64): bool {
  const n = getInteger(table, RadauTable.SIZE);
  copySlots(part(table, RadauTable.Y), part(table, RadauTable.TRIAL), n);
  return rate(table, t, part(table, RadauTable.SLOPE));
}

function derive(table: usize, t: f64): bool {
  const n = getInteger(table, RadauTable.SIZE), matrix = part(table, RadauTable.MATRIX);
  copySlots(part(table, RadauTable.Y), part(table, RadauTable.TRIAL), n);
  set(part(table, RadauTable.TIME), 0, t);
  clearSlots(matrix, n * n);
  call_indirect<void>(getInteger(table, RadauTable.DERIVE), matrix);
  for (let i = 0; i < n * n; i++) if (!isNumber(get(matrix, i))) return false;
  return true;
}

/** Factors I - h / g J and I - h / (a + i b) J. */
function factor(table: usize, h: f64): bool {
  const n = getInteger(table, RadauTable.SIZE), matrix = part(table, RadauTable.MATRIX);
  const weights = part(table, RadauTable.WEIGHTS), shifted = part(table, RadauTable.SHIFTED);
  realShifted(n, h / get(weights, RadauWeights.REAL), matrix, shifted);
  const real = part(table, RadauTable.REAL_FACTOR);
  const status = call_indirect<i32>(getInteger(table, RadauTable.FACTOR), n, shifted, n, real);
  if (status != Status.OK) return false;
  const first = get(weights, RadauWeights.COMPLEX), second = get(weights, RadauWeights.COMPLEX + 1);
  const complex = part(table, RadauTable.COMPLEX_FACTOR);
  complexShifted(n, h * first, h * second, matrix, complex);
  return complexLuFactor(n, complex, part(table, RadauTable.PIVOTS)) == Status.OK;
}

function solveReal(table: usize, n: i32, x: usize): void {
  const real = part(table, RadauTable.REAL_FACTOR);
  // Non-finite values are rejected by the solve and kept, so that they are noticed.
  call_indirect<i32>(getInteger(table, RadauTable.SOLVE), n, real, x, x);
}

/** Improves the stages; the trial is the first. Returns the size of the change; -1 if f failed. */
function iterate(table: usize, t: f64, h: f64): f64 {
  const n = getInteger(table, RadauTable.SIZE), slopes = part(table, RadauTable.SLOPES);
  const nodes = at(part(table, RadauTable.WEIGHTS), RadauWeights.NODES);
  for (let k = 0; k < 3; k++) {
    if (k > 0) radauTrial(table, k);
    if (!rate(table, t + get(nodes, k) * h, at(slopes, k * n))) return -1.0;
  }
  radauResidual(table, h);
  const increment = part(table, RadauTable.INCREMENT), pair = at(increment, n);
  solveReal(table, n, increment);
  complexLuSolve(
    n, part(table, RadauTable.COMPLEX_FACTOR), part(table, RadauTable.PIVOTS), pair, pair,
    part(table, RadauTable.SCRATCH),
  );
  return radauUpdate(table);
}

/** The error of the step, with f at its end. */
function judgeEnd(table: usize, t: f64, h: f64): bool {
  const kept = part(table, RadauTable.KEPT), filtered = part(table, RadauTable.FILTERED);
  const isAnxious =
    get(kept, RadauKept.REJECTED) == 1.0 || get(kept, RadauKept.PREVIOUS_LENGTH) == 0.0;
  let size = estimate(table, h, part(table, RadauTable.SLOPE));
  // Fast components that have decayed may hide in the slope at the beginning: they are filtered
  // once more.
  if (size >= 1.0 && isAnxious) {
    const n = getInteger(table, RadauTable.SIZE), trial = part(table, RadauTable.TRIAL);
    const base = part(table, RadauTable.BASE), error = part(table, RadauTable.ERROR);
    for (let i = 0; i < n; i++) set(trial, i, get(base, i) + get(error, i));
    if (!rate(table, t, filtered)) return false;
    size = estimate(table, h, filtered);
  }
  set(kept, RadauKept.ERROR, size);
  radauTrial(table, 2);
  if (!rate(table, t + h, part(table, RadauTable.END_SLOPE))) return false;
  return !(size <= 1.0) || checkEnd(table, t + h, h);
}

/**
 * Sets the error of a step with a hidden error at its end (end-check.ts). Returns false if f
 * failed.
 */
function checkEnd(table: usize, t: f64, h: f64): bool {
  const n = getInteger(table, RadauTable.SIZE), scale = part(table, RadauTable.SCALE);
  const s = part(table, RadauTable.CHECK), w = at(s, n), beyond = at(w, n), e = at(beyond, n);
  const slope = part(table, RadauTable.END_SLOPE), trial = part(table, RadauTable.TRIAL);
  radauEndResidual(table, h, slope, s);
  if (scaledNorm(n, s, scale) <= END_HIDEABLE) return true;
  const g = h / get(part(table, RadauTable.WEIGHTS), RadauWeights.REAL);
  clearSlots(e, n);
  let hidden: f64 = END_UNDECIDED;
  for (let k = 0; k < END_PASSES && hidden == END_UNDECIDED; k++) {
    copySlots(s, w, n);
    solveReal(table, n, w);
    const length = scaledNorm(n, w, scale);
    if (!(length <= HIDDEN_ERROR)) {
      hidden = HIDDEN_ERROR;
      break;
    }
    radauTrial(table, 2);
    const factor = endProbe(n, length, w, trial, trial);
    if (!rate(table, t, beyond)) return false;
    const counts = part(table, RadauTable.COUNTS);
    set(counts, StepCounts.CHECKS, get(counts, StepCounts.CHECKS) + 1.0);
    hidden = endPass(n, n, g, factor, w, slope, beyond, scale, s, e, 1.0);
  }
  radauTrial(table, 2);
  if (hidden > 1.0) set(part(table, RadauTable.KEPT), RadauKept.ERROR, hidden);
  return true;
}

function estimate(table: usize, h: f64, slope: usize): f64 {
  const n = getInteger(table, RadauTable.SIZE), error = part(table, RadauTable.ERROR);
  radauError(table, h / get(part(table, RadauTable.WEIGHTS), RadauWeights.REAL), slope);
  solveReal(table, n, error);
  return scaledNorm(n, error, part(table, RadauTable.SCALE));
}
