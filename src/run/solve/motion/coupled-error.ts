import type { Address } from "../../../ground/memory/arena.js";
import type { BoundCoupledMethod, System } from "../../../seam/index.js";
import type { EndSlopes } from "./end-slopes.js";

/** Estimates are O(h^errorOrder). */
export function coupledErrorOrder(order: number): number {
  return Math.min(order, 2) + 1;
}

/**
 * The error of a step of a coupled method, which moves v by h a with one acceleration a, and q by h v and some
 * part of h^2 a. With the accelerations a0 and a1 at both ends, found from the constraints there,
 * a step of order 2 (a belongs to the middle) is compared with Simpson's rule, one of order 1 with the
 * trapezoidal rule:
 *
 *   order 2:  e_v = h (a0 - 2 a + a1) / 6     e_q = h^2 (a0 - a) / 6
 *   order 1:  e_v = h (a0 - 2 a + a1) / 2     e_q = h^2 a / 2
 *
 * e_q is a displacement; what it does to q is that of a velocity for one unit of time. Of both only what the
 * constraints leave free counts, x - minnorm(J x): these methods bring the rest back to the constraints
 * themselves, with a part of a that alternates and does not get smaller with the step.
 */
export function bindCoupledError(
  system: System,
  order: number,
  slopes: EndSlopes,
  own?: BoundCoupledMethod,
) {
  const { workspace } = system;
  const { positions, velocities } = system.coordinates;
  const { rows } = system.constraints;
  const a = workspace.vector("acceleration of a coupled step", velocities);
  const errors = workspace.vector("errors of velocity and displacement", 2 * velocities);
  const displacement = errors + 8 * velocities;
  const products = workspace.vector("J times errors", 2 * rows);
  const corrections = workspace.vector("errors that constraints take out", 2 * velocities);
  const zero = workspace.vector("no displacement", velocities);
  const solver = system.dynamics.solver("auto");
  const offset = 8 * positions;
  const divisor = order >= 2 ? 6 : 2;

  /** Takes out of both errors what the constraints do not leave free, at the end of the step. */
  function keepFree(): void {
    const { kernels } = workspace;
    if (rows === 0) return;
    system.constraints.jacobianTimes(errors, products);
    system.constraints.jacobianTimes(displacement, products + 8 * rows);
    solver.minnorm(2, products, corrections);
    kernels.axpy(2 * velocities, -1, corrections, errors, errors);
  }

  /** By the estimate of the method itself, which needs no accelerations at the ends. */
  function byMethod(h: number, out: Address): void {
    own?.estimate?.(h, errors, displacement);
    keepFree();
    workspace.kernels.copyVector(velocities, errors, out + offset);
    system.coordinates.positionRate(zero, 1, displacement, out);
  }

  return (t: number, h: number, before: Address, raw: Address, out: Address): void => {
    const { kernels } = workspace;
    if (own?.estimate) {
      system.load(t + h);
      byMethod(h, out);
      return;
    }
    const a0 = slopes.requireBefore(t, before) + offset;
    const a1 = slopes.requireAfter(t + h, system.state.q) + offset;
    kernels.axpy(velocities, -1, before + offset, raw + offset, a);
    kernels.axpy(velocities, 1 / h - 1, a, a, a);
    kernels.axpy(velocities, -2, a, a0, errors);
    kernels.axpy(velocities, 1, a1, errors, errors);
    if (order >= 2) kernels.axpy(velocities, -1, a, a0, displacement);
    else kernels.copyVector(velocities, a, displacement);
    keepFree();
    kernels.axpy(velocities, h / divisor, errors, zero, out + offset);
    system.coordinates.positionRate(zero, (h * h) / divisor, displacement, out);
  };
}
