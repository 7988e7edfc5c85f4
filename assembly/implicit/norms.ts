// Norms of implicit methods: unknowns relative to their error tolerances.

import { get, set } from "../math/slots";

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
