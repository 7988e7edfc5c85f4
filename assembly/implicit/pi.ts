// Solves with I - alpha df/dy for y = (p, p') and p'' = a(p, p'). With J1 = da/dp and J2 = da/dp',
//
//   [    I          -alpha I    ] [x1]   [b1]
//   [-alpha J1   I - alpha J2   ] [x2] = [b2]
//
//   Pi x2 = M b2 + alpha M J1 b1,   x1 = b1 + alpha x2,   Pi = M - alpha M J2 - alpha^2 M J1
//
// (Negrut, Haug and German 2003, eqs. 42-46): only products with the mass matrix M of the
// independent coordinates are needed, and M is never inverted. dense/newton-matrix.ts has Pi for
// real alpha.

import { at, get, pairOf, set, setPair } from "../math/slots";
import { complexLuSolve } from "./complex-lu";

/** out = M b2 + alpha MJ1 b1; matrices n x n by columns. */
export function piRight(
  n: i32, alpha: f64, m: usize, mj1: usize, b1: usize, b2: usize, out: usize,
): void {
  for (let i = 0; i < n; i++) set(out, i, 0.0);
  for (let j = 0; j < n; j++) {
    const first = alpha * get(b1, j), second = get(b2, j);
    const column = at(m, j * n), other = at(mj1, j * n);
    for (let i = 0; i < n; i++) {
      set(out, i, get(out, i) + get(column, i) * second + get(other, i) * first);
    }
  }
}

/** Pi for a complex alpha. */
export function complexPi(
  n: i32, real: f64, imaginary: f64, m: usize, mj1: usize, mj2: usize, out: usize,
): void {
  const square = real * real - imaginary * imaginary, twice = 2.0 * real * imaginary;
  for (let i = 0; i < n * n; i++) {
    const one = get(mj1, i), two = get(mj2, i);
    const value = pairOf(get(m, i) - real * two - square * one, -imaginary * two - twice * one);
    setPair(out, 2 * i, value);
  }
}

/**
 * x = (I - alpha df/dy)^-1 b with Pi factored by complexLuFactor. b and x: 2 n real parts, then 2 n
 * imaginary ones; x may be b. Scratch: 4 n slots.
 */
export function complexPiSolve(
  n: i32, real: f64, imaginary: f64, m: usize, mj1: usize, factor: usize, pivots: usize,
  b: usize, x: usize, scratch: usize,
): void {
  const b2 = at(b, n), c1 = at(b, 2 * n), c2 = at(b, 3 * n);
  const right = at(scratch, 2 * n);
  for (let i = 0; i < n; i++) {
    let re = 0.0, im = 0.0;
    for (let j = 0; j < n; j++) {
      const mass = get(m, i + j * n), one = get(mj1, i + j * n);
      re += mass * get(b2, j) + one * (real * get(b, j) - imaginary * get(c1, j));
      im += mass * get(c2, j) + one * (real * get(c1, j) + imaginary * get(b, j));
    }
    set(right, i, re);
    set(right, n + i, im);
  }
  complexLuSolve(n, factor, pivots, right, right, scratch);
  for (let i = 0; i < n; i++) {
    const re = get(right, i), im = get(right, n + i);
    const first = get(b, i) + real * re - imaginary * im;
    const second = get(c1, i) + real * im + imaginary * re;
    set(x, i, first);
    set(at(x, n), i, re);
    set(at(x, 2 * n), i, second);
    set(at(x, 3 * n), i, im);
  }
}
