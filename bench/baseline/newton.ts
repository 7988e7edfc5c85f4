// A Newton solve of an SDIRK stage in plain JavaScript: Pi = M - alpha M J2 - alpha^2 M J1 is formed, factored and
// solved with. The factor is that of lu.ts; the solve takes two columns at a time, so that each load and store of the
// solution serves two products.

import { type LuFactor, luFactor, makeLu } from "./lu.js";

/** Output of a solve, allocated once, outside the timed part. */
export interface NewtonRoom {
  readonly pi: Float64Array;
  readonly factor: LuFactor;
  readonly x: Float64Array;
}

/** Room for n unknowns. */
export function makeNewton(n: number): NewtonRoom {
  return { pi: new Float64Array(n * n), factor: makeLu(n), x: new Float64Array(n) };
}

/** x = Pi^-1 b. Returns false if Pi is singular. All matrices are column-major. */
export function newtonSolve(
  n: number,
  alpha: number,
  m: Float64Array,
  mj1: Float64Array,
  mj2: Float64Array,
  b: Float64Array,
  { pi, factor, x }: NewtonRoom,
): boolean {
  for (let i = 0; i < n * n; i++) pi[i] = m[i] - (mj2[i] + mj1[i] * alpha) * alpha;
  if (!luFactor(n, pi, factor)) return false;
  luSolve(n, factor, b, x);
  return true;
}

/** x = A^-1 b with a factor of lu.ts. */
function luSolve(n: number, { lu, rows }: LuFactor, b: Float64Array, x: Float64Array): void {
  for (let i = 0; i < n; i++) x[i] = b[rows[i]];
  let k = 0;
  for (; k + 2 <= n; k += 2) {
    const first = k * n;
    const second = first + n;
    const x0 = x[k];
    const x1 = x[k + 1] - lu[first + k + 1] * x0;
    x[k + 1] = x1;
    for (let i = k + 2; i < n; i++) x[i] -= lu[first + i] * x0 + lu[second + i] * x1;
  }
  k = n - 1;
  for (; k >= 1; k -= 2) {
    const first = k * n;
    const second = first - n;
    const x0 = x[k] * lu[first + k];
    const x1 = (x[k - 1] - lu[first + k - 1] * x0) * lu[second + k - 1];
    x[k] = x0;
    x[k - 1] = x1;
    for (let i = 0; i < k - 1; i++) x[i] -= lu[first + i] * x0 + lu[second + i] * x1;
  }
  if (k === 0) x[0] *= lu[0];
}
