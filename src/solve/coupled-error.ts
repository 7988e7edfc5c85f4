import type { System } from "../contracts.js";
import type { Address } from "../memory/arena.js";
import type { EndSlopes } from "./end-slopes.js";

/** Estimates are O(h^errorOrder). */
export function coupledErrorOrder(order: number): number {
  return Math.min(order, 2) + 1;
}

/**
 * The error of a step of a coupled method, which moves v by h a with one acceleration a, and q by h v and some
 * part of h^2 a. With the accelerations a0 and a1 at both ends, found from the constraints as they are there,
 * a step of order 2 (a belongs to the middle) is compared with Simpson's rule, one of order 1 with the
 * trapezoidal rule:
 *
 *   order 2:  e_v = h (a0 - 2 a + a1) / 6     e_q = h^2 (a0 - a) / 6
 *   order 1:  e_v = h (a0 - 2 a + a1) / 2     e_q = h^2 a / 2
 *
 * e_q is a displacement; what it does to q is that of a velocity for one unit of time.
 */
export function bindCoupledError(system: System, order: number, slopes: EndSlopes) {
  const { workspace, positions, velocities } = system;
  const a = workspace.vector("acceleration of a coupled step", velocities);
  const displacement = workspace.vector("error of the displacement", velocities);
  const zero = workspace.vector("no displacement", velocities);
  const offset = 8 * positions;

  return (t: number, h: number, before: Address, raw: Address, out: Address): void => {
    const { kernels } = workspace;
    const a0 = slopes.requireBefore(t, before) + offset;
    const a1 = slopes.requireAfter(t + h, system.state) + offset;
    kernels.axpy(velocities, -1, before + offset, raw + offset, a);
    kernels.axpy(velocities, 1 / h - 1, a, a, a);
    const divisor = order >= 2 ? 6 : 2;
    const v = out + offset;
    kernels.axpy(velocities, -2, a, a0, v);
    kernels.axpy(velocities, 1, a1, v, v);
    kernels.axpy(velocities, h / divisor - 1, v, v, v);
    if (order >= 2) kernels.axpy(velocities, -1, a, a0, displacement);
    else kernels.copyVector(velocities, a, displacement);
    system.positionRate(zero, (h * h) / divisor, displacement, out);
  };
}
