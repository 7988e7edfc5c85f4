// The vector work of Radau IIA around the user's f and the linear solves (radau.ts has
// the formulas): the work between two of those is one call. Calls cost more than the arithmetic of
// a small system, above all in a new WebAssembly instance, whose exports engines have not compiled
// yet.
// Rejected: the linear solves in the same call. They are dense, Pi or sparse by the system, and
// three calls less of about 25 a step. If f is compiled and df/dy dense, radauAttempt does
// all of a step.

import { Status } from "../layout";
import {
  END_HIDEABLE, END_PASSES, END_UNDECIDED, HIDDEN_ERROR, RADAU_FAST, RADAU_ITERATIONS, RadauBatch,
  RadauKept, RadauTable, RadauVerdict, RadauWeights, StepCounts, StepKnown,
} from "../layout-radau";
import { power } from "../math/exponential";
import { isNumber } from "../math/finite";
import { at, clearSlots, copySlots, get, getInteger, set } from "../math/slots";
import { complexLuFactor, complexLuSolve, complexShifted, realShifted } from "./complex-lu";
import { endPass, endProbe, scaledNorm, toleranceScale } from "./end-check";

/** Contraction factor from which iterations count as divergent, and small changes as rounding. */
const DIVERGENT: f64 = 0.99;
const STALLED: f64 = 0.3;
/**
 * Allowed first quotient, which shows the extrapolated guess more than the matrix: two of three
 * steps of a vehicle that were given up for it converge. Equations of first order have none, since
 * unknowns far below the tolerance then converge to spurious solutions (Robertson's reaction).
 */
const FIRST_QUOTIENT: f64 = 2.0;

// @ts-ignore: decorator
@inline
function part(table: usize, field: i32): usize {
  return <usize>getInteger(table, field);
}

/** out = weights times rows: three rows of length n from three others. out is not rows. */
function mix(n: i32, weights: usize, rows: usize, out: usize): void {
  const second = at(rows, n), third = at(rows, 2 * n);
  for (let k = 0; k < 3; k++) {
    const w = at(weights, 3 * k), to = at(out, k * n);
    const w0 = get(w, 0), w1 = get(w, 1), w2 = get(w, 2);
    for (let i = 0; i < n; i++) {
      set(to, i, get(rows, i) * w0 + get(second, i) * w1 + get(third, i) * w2);
    }
  }
}

/** Weights of stages for those of the next step: the polynomial continued, less its end. */
function extrapolate(ratio: f64, weights: usize): void {
  const nodes = at(weights, RadauWeights.NODES);
  const c1 = get(nodes, 0), c2 = get(nodes, 1), c3 = get(nodes, 2);
  for (let i = 0; i < 3; i++) {
    const s = 1.0 + ratio * get(nodes, i), out = at(weights, RadauWeights.EXTRAPOLATION + 3 * i);
    set(out, 0, (s * (s - c2) * (s - c3)) / (c1 * (c1 - c2) * (c1 - c3)));
    set(out, 1, (s * (s - c1) * (s - c3)) / (c2 * (c2 - c1) * (c2 - c3)));
    set(out, 2, (s * (s - c1) * (s - c2)) / (c3 * (c3 - c1) * (c3 - c2)) - 1.0);
  }
}

/**
 * Begins a step of length h at y: base = y, error tolerances of the unknowns, the stages
 * extrapolated by the polynomial of the previous step, if any, and their transforms. The trial is
 * the first stage. Sets ETA as radauJudge expects it.
 */
export function radauBegin(
  table: usize, h: f64, relative: f64, inPositions: f64, inVelocities: f64,
): void {
  const kept = part(table, RadauTable.KEPT), previous = get(kept, RadauKept.PREVIOUS_LENGTH);
  const slowness = Math.max(get(kept, RadauKept.SLOWNESS), f64.EPSILON);
  set(kept, RadauKept.ETA, power(slowness, 0.8));
  const n = getInteger(table, RadauTable.SIZE), positions = getInteger(table, RadauTable.POSITIONS);
  set(kept, RadauKept.FIRST, positions < n ? FIRST_QUOTIENT : 0.0);
  const y = part(table, RadauTable.Y), weights = part(table, RadauTable.WEIGHTS);
  const stages = part(table, RadauTable.STAGES);
  copySlots(y, part(table, RadauTable.BASE), n);
  const scale = part(table, RadauTable.SCALE);
  toleranceScale(n, positions, relative, inPositions, inVelocities, y, scale);
  const extrapolation = at(weights, RadauWeights.EXTRAPOLATION);
  if (previous == 0.0) clearSlots(extrapolation, 9);
  else extrapolate(h / previous, weights);
  mix(n, extrapolation, part(table, RadauTable.PREVIOUS), stages);
  mix(n, at(weights, RadauWeights.FROM_STAGES), stages, part(table, RadauTable.TRANSFORMED));
  radauTrial(table, 0);
}

/** The trial is y + z of a stage: 0, 1 or 2. */
export function radauTrial(table: usize, stage: i32): void {
  const n = getInteger(table, RadauTable.SIZE), trial = part(table, RadauTable.TRIAL);
  const base = part(table, RadauTable.BASE), z = at(part(table, RadauTable.STAGES), stage * n);
  for (let i = 0; i < n; i++) set(trial, i, get(base, i) + get(z, i));
}

/**
 * increment = h T^-1 A slopes - D transformed: right-hand sides of an iteration for D y' = f. D is
 * one for the first DIFFERENTIAL unknowns and zero for the others.
 */
export function radauResidual(table: usize, h: f64): void {
  const n = getInteger(table, RadauTable.SIZE), weights = part(table, RadauTable.WEIGHTS);
  const increment = part(table, RadauTable.INCREMENT);
  const transformed = part(table, RadauTable.TRANSFORMED);
  const differential = getInteger(table, RadauTable.DIFFERENTIAL);
  mix(n, at(weights, RadauWeights.OF_SLOPES), part(table, RadauTable.SLOPES), increment);
  for (let k = 0; k < 3; k++) {
    const to = at(increment, k * n), from = at(transformed, k * n);
    for (let i = 0; i < differential; i++) set(to, i, get(to, i) * h - get(from, i));
    for (let i = differential; i < n; i++) set(to, i, get(to, i) * h);
  }
}

/**
 * Applies the increment: transforms, stages, and the first stage as trial. Returns the root mean
 * square of the increment in units of the error tolerances; NaN if the increment contains NaN.
 */
export function radauUpdate(table: usize): f64 {
  const n = getInteger(table, RadauTable.SIZE), scale = part(table, RadauTable.SCALE);
  const increment = part(table, RadauTable.INCREMENT);
  const transformed = part(table, RadauTable.TRANSFORMED);
  let sum = 0.0;
  for (let k = 0; k < 3; k++) {
    const from = at(increment, k * n), to = at(transformed, k * n);
    for (let i = 0; i < n; i++) {
      const step = get(from, i), relative = step / get(scale, i);
      sum += relative * relative;
      set(to, i, get(to, i) + step);
    }
  }
  const weights = at(part(table, RadauTable.WEIGHTS), RadauWeights.TO_STAGES);
  mix(n, weights, transformed, part(table, RadauTable.STAGES));
  radauTrial(table, 0);
  return n > 0 ? Math.sqrt(sum / <f64>(3 * n)) : 0.0;
}

/** error = e_1 z_1 + e_2 z_2 + e_3 z_3 + factor slope; zero for algebraic unknowns. */
export function radauError(table: usize, factor: f64, slope: usize): void {
  const n = getInteger(table, RadauTable.SIZE), error = part(table, RadauTable.ERROR);
  const z = part(table, RadauTable.STAGES), second = at(z, n), third = at(z, 2 * n);
  const w = at(part(table, RadauTable.WEIGHTS), RadauWeights.ERROR);
  const w0 = get(w, 0), w1 = get(w, 1), w2 = get(w, 2);
  const differential = getInteger(table, RadauTable.DIFFERENTIAL);
  for (let i = 0; i < differential; i++) {
    const sum = get(z, i) * w0 + get(second, i) * w1 + get(third, i) * w2;
    set(error, i, sum + factor * get(slope, i));
  }
  clearSlots(at(error, differential), n - differential);
}

/**
 * out = (h slope - (A^-1 Z)_3) / g: residual of the equation of the last stage with f at the end of
 * the step (end-check.ts); zero for algebraic unknowns.
 */
export function radauEndResidual(table: usize, h: f64, slope: usize, out: usize): void {
  const n = getInteger(table, RadauTable.SIZE), weights = part(table, RadauTable.WEIGHTS);
  const z = part(table, RadauTable.STAGES), second = at(z, n), third = at(z, 2 * n);
  const w = at(weights, RadauWeights.END), w0 = get(w, 0), w1 = get(w, 1), w2 = get(w, 2);
  const real = get(weights, RadauWeights.REAL);
  const differential = getInteger(table, RadauTable.DIFFERENTIAL);
  for (let i = 0; i < differential; i++) {
    const sum = get(z, i) * w0 + get(second, i) * w1 + get(third, i) * w2;
    set(out, i, (h * get(slope, i) - sum) / real);
  }
  clearSlots(at(out, differential), n - differential);
}

/**
 * Returns the verdict on the size of the change in iteration k, if iterations may leave a fraction
 * of the tolerance, and changes may be rounding (Hairer and Wanner, Solving ODEs II, section IV.8).
 * With theta, the quotient of the last changes, iterations leave eta = theta / (1 - theta) times
 * the last; before there are two, eta is that of the step before, which ETA holds, to the power
 * 0.8. A first quotient below FIRST ends nothing.
 */
export function radauJudge(
  kept: usize, k: i32, size: f64, allowed: f64, rounding: f64, most: i32,
): i32 {
  if (!(size < Infinity)) return RadauVerdict.DIVERGED;
  let theta: f64 = RADAU_FAST, eta = get(kept, RadauKept.ETA);
  if (k > 1) {
    const quotient = size / get(kept, RadauKept.SIZE);
    const before = k > 2 ? get(kept, RadauKept.QUOTIENT) : 1.0;
    theta = before < DIVERGENT ? Math.sqrt(quotient * before) : quotient;
    set(kept, RadauKept.QUOTIENT, quotient);
    if (size <= rounding && quotient > STALLED) return converged(kept, k, RADAU_FAST, RADAU_FAST);
    const isGuess = k == 2 && theta >= DIVERGENT && theta < get(kept, RadauKept.FIRST);
    if (!isGuess && !(theta < DIVERGENT)) return RadauVerdict.DIVERGED;
    eta = theta < DIVERGENT ? theta / (1.0 - theta) : Infinity;
    let excess = eta * size / allowed;
    for (let i = k + 1; i < most; i++) excess *= theta;
    if (excess >= 1.0 && !isGuess) {
      set(kept, RadauKept.EXCESS, excess);
      return RadauVerdict.TOO_SLOW;
    }
  }
  set(kept, RadauKept.SIZE, Math.max(size, f64.EPSILON));
  if (eta * size <= allowed) return converged(kept, k, eta, theta);
  return k < most ? RadauVerdict.GO_ON : RadauVerdict.DIVERGED;
}

function converged(kept: usize, iterations: i32, eta: f64, theta: f64): i32 {
  set(kept, RadauKept.SLOWNESS, eta);
  set(kept, RadauKept.CONTRACTION, theta);
  set(kept, RadauKept.ITERATIONS, <f64>iterations);
  return RadauVerdict.CONVERGED;
}

// Gustafsson's predictive control of steps (ACM TOMS 20 (1994) 496-517; Hairer and Wanner, Solving
// ODEs II, section IV.8): with the errors e and e' and the lengths h and h' of a step and the one
// before,
//
//   h_new = s h min(e^-1/4, h / h' (e' / e^2)^1/4),
//
// and less if many iterations were needed. Roots are the same on all machines, which powers need
// not be.

const SAFETY: f64 = 0.9;
/** Bounds of h / h_new. */
const MIN_RATIO: f64 = 1.0 / 8.0;
const MAX_RATIO: f64 = 5.0;
/** Smaller increases of the step do not justify a refactorisation. */
const KEEPS: f64 = 1.2;
/** Contraction that longer steps may be expected to have. */
const AIM: f64 = 0.25;
/** Lower bound of errors in the prediction. */
const MIN_ERROR: f64 = 1e-2;
/** Factor if the error is NaN. */
const AFTER_FAILURE: f64 = 0.1;

/** Factor for the step after one of length h with this error, or for another attempt at it. */
export function radauNext(kept: usize, h: f64, error: f64): f64 {
  const many = 1.0 + 2.0 * <f64>RADAU_ITERATIONS;
  const iterations = get(kept, RadauKept.ITERATIONS) + 2.0 * <f64>RADAU_ITERATIONS;
  const quotient = bounded(fourthRoot(error) / (SAFETY * Math.min(1.0, many / iterations)));
  if (!(error <= 1.0)) {
    set(kept, RadauKept.REJECTED, 1.0);
    return error < Infinity ? Math.min(1.0 / quotient, SAFETY) : AFTER_FAILURE;
  }
  const wanted = 1.0 / Math.max(quotient, predicted(kept, h, error));
  const factor = Math.min(wanted, Math.max(1.0, convergent(get(kept, RadauKept.CONTRACTION))));
  set(kept, RadauKept.PREVIOUS_ERROR, Math.max(error, MIN_ERROR));
  if (get(kept, RadauKept.REJECTED) == 1.0) return Math.min(factor, 1.0);
  const isFast = get(kept, RadauKept.CONTRACTION) <= RADAU_FAST;
  return isFast && factor >= 1.0 && factor <= KEEPS ? 1.0 : factor;
}

/**
 * Factor for the length at which iterations contract by AIM, if they contracted by theta. The
 * matrix is off by the change of df/dy within the step, and multiplied by h: theta grows as h^2.
 */
function convergent(theta: f64): f64 {
  return Math.sqrt(AIM / theta);
}

function predicted(kept: usize, h: f64, error: f64): f64 {
  const previous = get(kept, RadauKept.PREVIOUS_ERROR);
  if (previous == 0.0) return 0.0;
  const growth = fourthRoot((error * error) / previous);
  return bounded((Math.abs(get(kept, RadauKept.PREVIOUS_LENGTH) / h) * growth) / SAFETY);
}

// @ts-ignore: decorator
@inline
function fourthRoot(x: f64): f64 {
  return Math.sqrt(Math.sqrt(x));
}

// @ts-ignore: decorator
@inline
function bounded(x: f64): f64 {
  return Math.min(Math.max(x, MIN_RATIO), MAX_RATIO);
}

// A whole step of Radau IIA in one call, for equations whose f and df/dy are compiled functions and
// whose df/dy is dense. For a system of few unknowns the arithmetic of a step takes a microsecond;
// 50 calls from outside take some more, and tens of them until the engine has compiled its callers.
//
// f, df/dy and the LU of the core are called through the function table. A failed attempt
// is left to the caller, which repeats it call by call and words the errors.

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

function keepIterations(kept: usize, iterations: f64, theta: f64, eta: f64): void {
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

// Many steps of Radau IIA in one call, if they are not observed one by one. Each is bitwise
// identical to a step of the run, including its length. Anything beyond taking a step and choosing
// the length of the next is left to the run: a step that is rejected or fails, one that ends near
// the target or an output time, and steps so short that noise may be the cause.

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
