// What surrounds the sparse matrix of methods that solve for positions, velocities and multipliers
// at once (src/methods/direct/direct-matrix.ts): parts of a vector go into its right-hand side, and
// come back out of its solution, times a number that is real or complex.

import { at, get, set } from "../math/slots";

/**
 * out = (real + i imaginary) x. Imaginary parts lie `xBehind` and `outBehind` numbers behind the
 * real ones; where `outBehind` is 0 there are none. out is not x.
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
