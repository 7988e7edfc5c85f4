// Conversions between full and independent coordinates. Lists are integers: `rows`, the
// chosen constraints, and `independent`, positions that determine all others.

import { at, clearSlots, get, getInteger, set } from "../math/slots";

/**
 * right = (-values of the chosen rows, wanted - present values of the independent ones). Returns
 * the largest of them; NaN if one is NaN.
 */
export function stateDefect(
  chosen: i32, rows: usize, values: usize, count: i32, independent: usize, wanted: usize,
  present: usize, right: usize,
): f64 {
  let largest = 0.0;
  for (let i = 0; i < chosen; i++) {
    const value = -get(values, getInteger(rows, i));
    set(right, i, value);
    largest = Math.max(largest, Math.abs(value));
  }
  const rest = at(right, chosen);
  for (let i = 0; i < count; i++) {
    const value = get(wanted, i) - get(present, getInteger(independent, i));
    set(rest, i, value);
    largest = Math.max(largest, Math.abs(value));
  }
  return largest;
}

/** out = x at the listed indices. */
export function gather(count: i32, places: usize, x: usize, out: usize): void {
  for (let i = 0; i < count; i++) set(out, i, get(x, getInteger(places, i)));
}

/** out = x + y at the listed indices. */
export function gatherSum(count: i32, places: usize, x: usize, y: usize, out: usize): void {
  for (let i = 0; i < count; i++) {
    const place = getInteger(places, i);
    set(out, i, get(x, place) + get(y, place));
  }
}

/** out = -x at the listed indices, zero elsewhere; `out` has length `size`. */
export function scatterNegative(
  size: i32, count: i32, places: usize, x: usize, out: usize,
): void {
  clearSlots(out, size);
  for (let i = 0; i < count; i++) set(out, getInteger(places, i), -get(x, i));
}

/** Returns 1 if two vectors are equal element by element, else 0. */
export function sameNumbers(count: i32, x: usize, y: usize): i32 {
  for (let i = 0; i < count; i++) if (get(x, i) != get(y, i)) return 0;
  return 1;
}

// Vector operations around the sparse matrix of methods that solve for positions, velocities and
// multipliers together (src/methods/direct/direct-matrix.ts): parts of a vector are copied to its
// right-hand side, and from its solution, times a real or complex factor.

/**
 * out = (real + i imaginary) x. Imaginary parts are stored `xBehind` and `outBehind` slots after
 * the real ones; if `outBehind` is 0, there are no imaginary parts. out is not x.
 */
export function multiple(
  count: i32, real: f64, imaginary: f64, x: usize, xBehind: i32, out: usize, outBehind: i32,
): void {
  if (outBehind == 0) {
    for (let i = 0; i < count; i++) set(out, i, real * get(x, i));
    return;
  }
  const other = at(x, xBehind), otherOut = at(out, outBehind);
  for (let i = 0; i < count; i++) {
    const a = get(x, i), b = get(other, i);
    set(out, i, real * a - imaginary * b);
    set(otherOut, i, real * b + imaginary * a);
  }
}
