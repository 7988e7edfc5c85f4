import type { Address } from "../../base/memory/arena.js";
import type { Workspace } from "../../base/memory/workspace.js";

/**
 * Writes the first four rows of an interpolant, the cubic with the values and slopes of both ends of a step:
 * c0 = y0, c1 = d, c2 = h f0 - d, c3 = 2 d - h (f0 + f1), with d = y1 - y0.
 */
export function writeHermite(
  { kernels }: Workspace,
  n: number,
  h: number,
  before: Address,
  after: Address,
  first: Address,
  last: Address,
  out: Address,
): void {
  const c1 = out + 8 * n;
  const c2 = c1 + 8 * n;
  const c3 = c2 + 8 * n;
  kernels.copyVector(n, before, out);
  kernels.axpy(n, -1, before, after, c1);
  kernels.axpy(n, -1, after, before, c2);
  kernels.axpy(n, h, first, c2, c2);
  kernels.axpy(n, -1, c2, c1, c3);
  kernels.axpy(n, -h, last, c3, c3);
}
