// Derivatives of the accelerations in independent coordinates: analytic, against finite differences.

import { type CompiledModel, compile } from "../../../src/bodies.js";
import { hmmwv, hmmwvRoad, stiffPendulum } from "../../mechanisms/index.js";
import { relativeDistance, seeded } from "./numbers.js";
import { StateSpaceJacobian } from "./state-space-jacobian.js";

/** Perturbation of the states from the start: independent positions, and their velocities. */
const [AWAY, RATE] = [0.02, 1];

/**
 * J1 and J2 of the stiff double pendulum and of the HMMWV at random states: analytic against finite
 * differences.
 */
export async function* jacobianErrors() {
  yield errorsOf("stiff pendulum of bodies", await compile(stiffPendulum()));
  // Front wheels at the start are at 1.649 m; in half of the states they are on the bump, short of
  // its top.
  yield errorsOf("HMMWV", await compile(hmmwv()), hmmwvRoad.centre - 1.649 - hmmwvRoad.half / 2);
}

/**
 * Largest relative errors of J1 = d(accelerations)/d(positions) and J2 = d(accelerations)/d(velocities) for any mechanism, at states
 * near its start; and how much finite differences with two steps deviate, which is their resolution.
 */
export function jacobianErrorsOf(source: CompiledModel) {
  return errorsOf(source.plan.model.name, source);
}

function errorsOf(name: string, source: CompiledModel, forward = 0) {
  const motion = new StateSpaceJacobian(source);
  if (motion.how !== "analytic") throw new Error(`${name}: J is ${motion.how}`);
  const random = seeded(7);
  const states = 20;
  const found = { positions: 0, velocities: 0 };
  const ofDifferences = { positions: 0, velocities: 0 };
  for (let state = 0; state < states; state++) {
    const ahead = state % 2 === 0 ? 0 : forward;
    const q = source.q.map((value, i) => (i % 7 === 0 ? value + ahead : value));
    const y = motion.begin(q, source.v);
    y.set(y.map((value, i) => value + (i < y.length / 2 ? AWAY : RATE) * random()));
    const differences = motion.byDifferences();
    for (const [errors, other] of [
      [found, motion.ofMethods()],
      [ofDifferences, motion.byDifferences(2)],
    ] as const) {
      const error = (from: number) =>
        relativeDistance(
          accelerationBlock(motion.size, other, from),
          accelerationBlock(motion.size, differences, from),
        );
      errors.positions = Math.max(errors.positions, error(0));
      errors.velocities = Math.max(errors.velocities, error(motion.size / 2));
    }
  }
  return { name, states, ...found, ofDifferences };
}

/** Half of the columns of df/dy, from one on, with the rows of the accelerations. */
function accelerationBlock(size: number, matrix: Float64Array, from: number): number[] {
  const half = size / 2;
  return Array.from({ length: half * half }, (_, k) => {
    return matrix[half + (k % half) + size * (from + Math.floor(k / half))] as number;
  });
}
