import { type BasisKind, choleskySlots } from "../../../assembly/layout.js";
import { SimulationError } from "../../base/errors.js";
import type { Address } from "../../base/memory/arena.js";
import { denseMemory } from "../../base/wasm/dense.js";
import { failed } from "../../base/wasm/status.js";
import type { System } from "../../interfaces/index.js";
import type { AccelerationSolver } from "./acceleration-level.js";
import type { TangentSpace } from "./reduced-unknowns.js";
import { denseOf, Tangent } from "./tangent-space.js";

export interface SmoothOptions {
  readonly kind: BasisKind;
  readonly tolerance: number;
  /** Whether Gram-Schmidt keeps its directions while they are good. */
  readonly keep: boolean;
  /** Whether the basis is orthonormal in the metric of the mass matrix at the beginning of the step. */
  readonly metric: boolean;
}

/**
 * Kinematic characteristics e = Gamma^T v with a basis Gamma(q) that is orthonormal and smooth in a step:
 *
 *   e' = Gamma^T a + Gamma'^T v
 *
 * with the derivative Gamma' of exactly the basis used. In the metric M = L L^T the same holds for L^T v
 * and the constraint matrix J L^-T. M is taken at the beginning of the step, so that L is constant.
 */
export function bindSmooth(
  system: System,
  { kind, tolerance, keep, metric }: SmoothOptions,
): TangentSpace & AccelerationSolver {
  const { workspace } = system;
  const memory = denseMemory(workspace);
  const { velocities: n } = system.coordinates;
  const { rows } = system.constraints;
  const tangent = new Tangent(system, "tangent space");
  const whitened = workspace.vector("whitened constraints", rows * n);
  const factor = workspace.vector("metric", metric ? choleskySlots(n) : 0);
  const slope = workspace.vector("rate of constraints", rows * n);
  const speed = workspace.vector("whitened velocity", n);
  const particular = workspace.vector("particular acceleration", n);
  const accelerations = workspace.vector("accelerations", n);
  const turning = workspace.vector("rate of the basis", n);
  const zeta = workspace.vector("projected acceleration", n);
  let moving = false;

  function check(status: number): void {
    if (failed(status))
      throw system.errorFor(status, "use a mass matrix that is positive definite");
  }

  /** Returns J, or J L^-T, row-major. */
  function constraints(): Address {
    const jacobian = denseOf(system).jacobian();
    if (!metric) return jacobian;
    check(memory.kernels.choleskyForward(n, rows, factor, jacobian, n, whitened, n));
    return whitened;
  }

  function frame(jacobian: Address): void {
    if (tangent.frame(jacobian)) return;
    const { time } = system;
    throw new SimulationError(
      "STEP",
      time,
      `the constraint directions turned by 90 degrees within one step at t = ${time}: try a shorter step`,
    );
  }

  function choose(): void {
    if (metric) check(memory.kernels.choleskyFactor(n, denseOf(system).mass(), n, factor));
    const jacobian = constraints();
    tangent.choose(kind, tolerance, jacobian, keep);
    frame(jacobian);
  }

  function accelerate(right: Address, out: Address, projected: Address): void {
    tangent.frameParticular(1, right, particular);
    if (metric) {
      check(memory.kernels.choleskyBackward(n, 1, factor, particular, n, particular, n));
      tangent.unwhiten(factor);
    }
    tangent.accelerate(particular, projected, out);
  }

  return {
    choose,
    factor: () => frame(constraints()),
    velocity(e, bias, v) {
      const { kernels } = workspace;
      moving = kernels.largestMagnitude(rows, bias) !== 0;
      tangent.frameParticular(-1, bias, speed);
      tangent.add(e, speed);
      if (metric) check(memory.kernels.choleskyBackward(n, 1, factor, speed, n, v, n));
      else kernels.copyVector(n, speed, v);
    },
    take(v, e) {
      if (!metric) {
        tangent.take(v, e);
        return;
      }
      // L^T v = L^-1 (M v).
      system.dynamics.massTimes(v, particular);
      check(memory.kernels.choleskyForward(n, 1, factor, particular, n, speed, n));
      tangent.take(speed, e);
    },
    rate(right, out) {
      const { kernels } = workspace;
      accelerate(right, accelerations, out);
      // A single direction cannot rotate within a fixed space.
      if (n - tangent.rank <= 1 && !moving) return;
      denseOf(system).jacobianRate(slope);
      if (metric) check(memory.kernels.choleskyForward(n, rows, factor, slope, n, slope, n));
      tangent.frameRate(slope, speed, turning);
      kernels.axpy(n, 1, turning, out, out);
    },
    accelerate(right, out) {
      choose();
      accelerate(right, out, zeta);
    },
  };
}
