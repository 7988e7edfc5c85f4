import { optionsOf } from "../../base/checking/index.js";
import { RANK_TOLERANCE } from "../../base/rank-tolerance.js";
import type { Formulation, System } from "../../interfaces/index.js";
import { PLAIN_FORMULATION } from "../defaults.js";
import { type AccelerationSolver, bindAcceleration } from "./acceleration-level.js";
import { NULL_SPACE_SHAPE, type NullSpaceOptions } from "./null-space.js";
import { BASES, type Basis, denseOf, Tangent } from "./tangent-space.js";

/**
 * Borri's acceleration projection: a = Gamma zeta + J^T eta, where eta follows from the constraints and
 * zeta from the equations of motion in the directions the constraints leave free.
 *
 * @example
 * const formulation = accelerationProjection({ basis: "qr" });
 * simulate(pendulum, { method: { formulation, integrator: rk4() }, ...start });
 */
export function accelerationProjection(
  options: NullSpaceOptions = {},
  ...more: undefined[]
): Formulation {
  const read = optionsOf("accelerationProjection", "METHOD", options, NULL_SPACE_SHAPE, more);
  const { basis = "qr", tolerance = RANK_TOLERANCE } = read;
  return {
    ...PLAIN_FORMULATION,
    name: `accelerationProjection(${basis})`,
    reference:
      "Borri, Bottasso and Mantegazza, Eur. J. Mech. A 11 (1992) 403-418; Laulusa and Bauchau 2008, 2.2.3",
    bind: (system, stabilisation) =>
      bindAcceleration(system, stabilisation, bindProjected(system, basis, tolerance)),
  };
}

/**
 * Accelerations in the null space at any state, independent of earlier choices. Formulations with other unknowns
 * report accelerations by it too.
 */
export function bindProjected(
  system: System,
  basis: Basis | "extraction",
  tolerance = RANK_TOLERANCE,
): AccelerationSolver {
  const { workspace } = system;
  const { velocities } = system.coordinates;
  const tangent = new Tangent(system, "null space of accelerations");
  const particular = workspace.vector("particular acceleration", velocities);
  const zeta = workspace.vector("projected acceleration", velocities);
  return {
    accelerate(right, out) {
      const jacobian = denseOf(system).jacobian();
      if (basis === "extraction") tangent.keepPartition(tolerance, jacobian);
      else tangent.choose(BASES[basis], tolerance, jacobian);
      if (basis === "lu" || basis === "extraction") {
        // Independent coordinates instead of an orthonormal basis: a particular solution without them.
        tangent.partitionParticular(0, 1, right, particular);
      } else {
        tangent.frame(jacobian);
        tangent.frameParticular(1, right, particular);
      }
      tangent.accelerate(particular, zeta, out);
    },
  };
}
