// Newton's iterations in the stages of diagonally implicit Runge-Kutta methods.

import { get, set } from "../math/slots";

/** out = known + alpha f - z: residual of z = known + alpha f(y + z). */
export function stageResidual(
  n: i32, alpha: f64, known: usize, f: usize, z: usize, out: usize,
): void {
  for (let i = 0; i < n; i++) set(out, i, get(known, i) + alpha * get(f, i) - get(z, i));
}

/**
 * z += change, trial = y + z; returns sqrt(mean((change_i / scale_i)^2)), NaN if the change
 * contains NaN.
 */
export function stageUpdate(
  n: i32, change: usize, scale: usize, y: usize, z: usize, trial: usize,
): f64 {
  let sum = 0.0;
  for (let i = 0; i < n; i++) {
    const step = get(change, i), part = step / get(scale, i), sought = get(z, i) + step;
    sum += part * part;
    set(z, i, sought);
    set(trial, i, get(y, i) + sought);
  }
  return n > 0 ? Math.sqrt(sum / <f64>n) : 0.0;
}
