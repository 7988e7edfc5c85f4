// The vector work of Radau IIA around the user's f and the linear solves (radau.ts has
// the formulas): the work between two of those is one call. Calls cost more than the arithmetic of
// a small system, above all in a new WebAssembly instance, whose exports engines have not compiled
// yet.
// Rejected: the linear solves in the same call. They are dense, Pi or sparse by the system, and
// three calls less of about 25 a step. If f is compiled and df/dy dense, radau-attempt.ts does
// all of a step.

import {
  RADAU_FAST, RadauKept, RadauTable, RadauVerdict, RadauWeights,
} from "../layout-radau";
import { power } from "../math/exponential";
import { at, clearSlots, copySlots, get, getInteger, set } from "../math/slots";
import { toleranceScale } from "./norms";

/** Contraction factor from which iterations count as divergent, and small changes as rounding. */
const DIVERGENT: f64 = 0.99;
const STALLED: f64 = 0.3;

// @ts-ignore: decorator
@inline
export function part(table: usize, field: i32): usize {
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
 * 0.8.
 */
export function radauJudge(
  kept: usize, k: i32, size: f64, allowed: f64, rounding: f64, most: i32,
): i32 {
  if (!(size < Infinity)) return RadauVerdict.DIVERGED;
  let theta: f64 = RADAU_FAST, eta = get(kept, RadauKept.ETA);
  if (k > 1) {
    const quotient = size / get(kept, RadauKept.SIZE);
    theta = k == 2 ? quotient : Math.sqrt(quotient * get(kept, RadauKept.QUOTIENT));
    set(kept, RadauKept.QUOTIENT, quotient);
    if (size <= rounding && quotient > STALLED) return converged(kept, k, RADAU_FAST, RADAU_FAST);
    if (!(theta < DIVERGENT)) return RadauVerdict.DIVERGED;
    eta = theta / (1.0 - theta);
    let excess = eta * size / allowed;
    for (let i = k + 1; i < most; i++) excess *= theta;
    if (excess >= 1.0) {
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
