// Vector operations around the sparse matrix of methods that solve for positions, velocities and
// multipliers together (src/methods/direct/direct-matrix.ts): parts of a vector are copied to its
// right-hand side, and from its solution, times a real or complex factor.

import { at, get, set } from "../math/slots";

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
