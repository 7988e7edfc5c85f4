// Small loops over coordinates and rows, the building blocks of methods. J is row-major.

import { at, copySlots, get, set } from "../math/slots";

/** to = from. */
export function copyVector(n: i32, from: usize, to: usize): void {
  // A loop: memory.copy costs more than the copy for a handful of values.
  if (n > 32) {
    copySlots(from, to, n);
    return;
  }
  for (let i = 0; i < n; i++) set(to, i, get(from, i));
}

/** out = x y, element by element. */
export function multiplyEach(n: i32, x: usize, y: usize, out: usize): void {
  for (let i = 0; i < n; i++) set(out, i, get(x, i) * get(y, i));
}

/** A diagonal as a full matrix. */
export function diagonalMatrix(n: i32, diagonal: usize, out: usize): void {
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) set(out, i + j * n, i == j ? get(diagonal, j) : 0.0);
  }
}

/** out += A x, with A m x n, row-major: J v + dPhi/dt. */
export function addRowsTimes(m: i32, n: i32, a: usize, x: usize, out: usize): void {
  for (let i = 0; i < m; i++) {
    const row = at(a, i * n);
    let sum = get(out, i);
    for (let j = 0; j < n; j++) sum += get(row, j) * get(x, j);
    set(out, i, sum);
  }
}

/**
 * out = gamma - onVelocity phiDot - onPosition phi: the right-hand side of a
 * stabilised J a = right.
 */
export function stabilisedRight(
  m: i32, onVelocity: f64, onPosition: f64, gamma: usize, phiDot: usize, phi: usize, out: usize,
): void {
  for (let i = 0; i < m; i++) {
    set(out, i, get(gamma, i) - onVelocity * get(phiDot, i) - onPosition * get(phi, i));
  }
}

/**
 * The right-hand sides of drift elimination: right = gamma - frozenDot / h for the accelerations
 * and r = -phiDot - frozen / h for the velocities.
 */
export function driftSides(
  m: i32, inverse: f64, gamma: usize, frozenDot: usize, phiDot: usize, frozen: usize,
  right: usize, r: usize,
): void {
  for (let i = 0; i < m; i++) {
    set(right, i, get(gamma, i) - inverse * get(frozenDot, i));
    set(r, i, -get(phiDot, i) - inverse * get(frozen, i));
  }
}
