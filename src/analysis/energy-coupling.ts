import { differentiate } from "../base/algebra/differences.js";
import { NodriftError } from "../base/errors.js";
import type { Equations } from "../systems/equations/equations.js";
import { EquationSystem } from "../systems/equations/system.js";
import { UserFunctions } from "../systems/equations/user-functions.js";
import { placeState, requireEquations, type StateLike } from "./equation-state.js";

/** Returns a new array with one value for each constraint, holonomic ones first. */
export type EnergyCoupling = (state: StateLike) => Float64Array;

/** Largest displacement of a coordinate along a direction, for finite differences. */
const LARGEST_MOVE = 2 ** -7;

/**
 * Measures how much energy control and the control of each constraint disturb each other: the product of
 * the gradients of the energy psi and of the constraint chi in the space of q and v,
 *
 *   Y = dpsi/dq . dchi/dq + dpsi/dv . dchi/dv
 *
 * (Yoon, eq. 20). If it is zero, the surfaces are perpendicular and gains can be chosen independently. For
 * Phi(q) the second product is zero; for Pi(q, v) the first is found as the derivative of Pi along
 * dpsi/dq.
 *
 * @example
 * const coupling = energyCoupling(pendulum);
 * simulation.runTo(10, () => console.log(coupling(simulation)));
 */
export function energyCoupling(equations: Equations, ...more: undefined[]): EnergyCoupling {
  const { name, description } = requireEquations("energyCoupling", equations, more);
  if (description.potential === undefined) {
    throw new NodriftError(
      "DESCRIPTION",
      `${name}: energyCoupling needs the energy: add \`potential\``,
    );
  }
  const system = new EquationSystem(equations);
  const { workspace } = system;
  const { velocities: n } = system.coordinates;
  const { rows, holonomicRows: holonomic } = system.constraints;
  const force = workspace.reserve("dpsi/dq", n);
  const kinetic = workspace.vector("dT/dq", n);
  const momentum = workspace.vector("dpsi/dv", n);
  const onPositions = workspace.reserve("coupling by positions", rows);
  const onVelocities = workspace.reserve("coupling by velocities", rows);
  const arena = workspace.seal();
  const along = alongGradient(equations, arena.floats(force));
  const [byPositions, byVelocities] = [arena.floats(onPositions), arena.floats(onVelocities)];

  return (state) => {
    placeState("coupling", system, state);
    system.energy.potentialGradient(force.address);
    system.energy.kineticGradient(kinetic);
    arena.kernels.axpy(n, 1, kinetic, force.address, force.address);
    system.dynamics.massTimes(system.trial.v, momentum);
    system.constraints.jacobianTimes(force.address, onPositions.address);
    system.constraints.jacobianTimes(momentum, onVelocities.address);
    const result = byPositions.slice();
    if (rows > holonomic) {
      const { q, v } = system.views;
      const others = along(q, v, system.time);
      for (let i = holonomic; i < rows; i++) {
        result[i] = (byVelocities[i] as number) + (others[i - holonomic] as number);
      }
    }
    return result;
  };
}

/** Computes the derivative of Pi(q + s gradient, v, t) with respect to s. */
function alongGradient(
  equations: Equations,
  gradient: Float64Array,
): (q: Float64Array, v: Float64Array, t: number) => Float64Array {
  const functions = new UserFunctions(equations);
  const point = new Float64Array(gradient.length);
  const value = new Float64Array(equations.nonholonomicNames.length);
  const out = new Float64Array(value.length);
  return (q, v, t) => {
    const size = gradient.reduce((largest, entry) => Math.max(largest, Math.abs(entry)), 0);
    const step = size > 0 ? LARGEST_MOVE / size : LARGEST_MOVE;
    const sample = (s: number) => {
      for (let i = 0; i < point.length; i++) {
        point[i] = (q[i] as number) + s * (gradient[i] as number);
      }
      functions.changed();
      functions.nonholonomic(point, v, value, t);
    };
    differentiate(step, sample, value, out);
    return out;
  };
}
