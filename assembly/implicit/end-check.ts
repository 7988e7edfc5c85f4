// The error that the end of an implicit step hides, as the matrix of its iterations filters it.
//
// Let s be the unfiltered residual of the equation of the last stage, evaluated at the end y1 of
// the step, in units of y: s = g f(t1, y1) + known - z. To first order the error e of that stage
// solves
//
//   (D - g J1) e = s,   J1 = df/dy at the end,
//
// while Newton's iterations and estimates of the error report w = (D - g J0)^-1 s, with J0 of the
// beginning or older. If stiffness K has ended during the step, w is too small by g K: 1e3 to 1e6.
// One finite difference of f yields J1 along w, the very direction that the filter reports, and the
// best multiple a of w is the one with minimal residual:
//
//   b = D w - g J1 w,   a = s.b / b.b,   e += a w,   s -= a b.
//
// In one unknown a w is e exactly. Of several modes, those as stiff as before are removed in the
// first pass; the remaining s is the direction of the next. If stiffness has grown, a < 1: no
// alarm.
//
// Rejected: a df/dy at the end of each step (44 % more evaluations, no better); secants of the
// last two iterations, which cost nothing, but fail if they cross the edge of a contact; comparing
// J1 w with J0 w, which also rejects steps into stiffness (13 % more evaluations with rodas).

import { END_UNDECIDED, HIDDEN_ERROR } from "../layout-radau";
import { get, set } from "../math/slots";

/** Minimum length of finite differences of f, in tolerances. */
const SHORTEST: f64 = 1e-3;
/** A pass that leaves more than this fraction of the residual converges too slowly. */
const MAX_RESIDUAL_FRACTION: f64 = 0.9;

/**
 * trial = y + factor w, for a finite difference of f; returns the factor. `length` is |w| in
 * tolerances.
 */
export function endProbe(n: i32, length: f64, w: usize, y: usize, trial: usize): f64 {
  const factor = length > 0.0 ? Math.max(1.0, SHORTEST / length) : 1.0;
  for (let i = 0; i < n; i++) set(trial, i, get(y, i) + factor * get(w, i));
  return factor;
}

/**
 * One pass: improves s and e with f at the end and f beyond it by `factor` w. The first
 * `differential` unknowns are differential; s has no entries for the others, whose equations are
 * the constraints. An error up to `allowed` is harmless. Returns the hidden error of the end, in
 * tolerances: 0 if that is harmless, END_UNDECIDED if another pass is needed.
 */
export function endPass(
  n: i32, differential: i32, g: f64, factor: f64, w: usize, f: usize, beyond: usize, scale: usize,
  s: usize, e: usize, allowed: f64,
): f64 {
  const before = scaledNorm(differential, s, scale), by = g / factor;
  let sb = 0.0, bb = 0.0;
  for (let i = 0; i < differential; i++) {
    const b = get(w, i) - by * (get(beyond, i) - get(f, i)), weight = get(scale, i);
    sb += get(s, i) / weight * (b / weight);
    bb += b / weight * (b / weight);
    set(beyond, i, b);
  }
  const a = bb > 0.0 ? sb / bb : 0.0;
  for (let i = 0; i < n; i++) set(e, i, get(e, i) + a * get(w, i));
  for (let i = 0; i < differential; i++) set(s, i, get(s, i) - a * get(beyond, i));
  const error = scaledNorm(n, e, scale);
  if (!(error <= allowed)) return error < HIDDEN_ERROR ? error : HIDDEN_ERROR;
  const after = scaledNorm(differential, s, scale);
  if (after <= allowed) return 0.0;
  return after < MAX_RESIDUAL_FRACTION * before ? END_UNDECIDED : HIDDEN_ERROR;
}

// Norms of implicit methods: unknowns relative to their error tolerances.

/** out = absolute + relative |y|, with another absolute tolerance for the first `positions`. */
export function toleranceScale(
  n: i32, positions: i32, relative: f64, inPositions: f64, inVelocities: f64, y: usize, out: usize,
): void {
  for (let i = 0; i < n; i++) {
    const absolute = i < positions ? inPositions : inVelocities;
    set(out, i, absolute + relative * Math.abs(get(y, i)));
  }
}

/** sqrt(mean((x_i / scale_i)^2)). NaN if x contains NaN. */
export function scaledNorm(n: i32, x: usize, scale: usize): f64 {
  let sum = 0.0;
  for (let i = 0; i < n; i++) {
    const part = get(x, i) / get(scale, i);
    sum += part * part;
  }
  return n > 0 ? Math.sqrt(sum / <f64>n) : 0.0;
}
