// Measurements of formulations that Laulusa and Bauchau 2008 compare in the text.

import {
  accelerationProjection,
  coordinatePartitioning,
  type Formulation,
  frozenBasis,
  lagrange,
  type Method,
  maggi,
  nullSpace,
  phaseSpace,
  projective,
  rk4,
  type Simulation,
  simulate,
  udwadiaKalaba,
} from "../../../src/index.js";
import type { Problem } from "./formulation-systems.js";
import { type Random, relativeDistance, seeded } from "./numbers.js";

const BASES = ["lu", "svd", "qr", "gram-schmidt", "zero-eigenvalue"] as const;

/** Largest constraint error of a run that counts as not lost. */
export const SURVIVING = 1e-3;

/**
 * Formulations by the level on which they satisfy the constraints; for accelerations those that use a
 * basis of the null space.
 */
export const formulationLevels: Readonly<Record<Formulation["level"], readonly Formulation[]>> = {
  acceleration: BASES.flatMap((basis) => [nullSpace({ basis }), accelerationProjection({ basis })]),
  velocity: [
    ...[...BASES, "extraction" as const].map((basis) => maggi({ basis })),
    projective(),
    phaseSpace(),
  ],
  position: [frozenBasis(), coordinatePartitioning()],
};

/** All formulations that are compared. */
export const comparedFormulations: readonly Formulation[] = [
  ...formulationLevels.acceleration,
  ...formulationLevels.velocity,
  ...formulationLevels.position,
];

/** A simulation by RK4. */
export function simulated(
  { equations, q, v }: Problem,
  formulation: Formulation,
  step: number,
  stabilisation?: Method["stabilisation"],
): Simulation {
  const method = { formulation, integrator: rk4(), ...(stabilisation && { stabilisation }) };
  return simulate(equations, { method, step, q, v });
}

/**
 * Largest |Phi| and |Phi'| of a run, and the exponent p of the growth t^p of |Phi|: of the errors up to half of the run and up to
 * its end.
 */
export function drift(simulation: Simulation, until: number) {
  let [position, velocity, half] = [0, 0, 0];
  simulation.runTo(until, () => {
    const error = simulation.constraintError();
    position = Math.max(position, error.position);
    velocity = Math.max(velocity, error.velocity);
    if (simulation.time <= until / 2) half = position;
  });
  return { position, velocity, exponent: Math.log2(position / half) };
}

/** Whether a run lasts for 10 s and stays near the constraints. */
export function survives(problem: Problem, formulation: Formulation, step: number): boolean {
  try {
    return drift(simulated(problem, formulation, step), 10).position < SURVIVING;
  } catch {
    return false;
  }
}

/**
 * Order of convergence from steps h and h / 4, against a run with a far shorter step. Two halvings together: bases that
 * are arbitrary turn with the last bit of J, and the error of a single step length with them.
 */
export function formulationOrder(
  problem: Problem,
  formulation: Formulation,
  step: number,
  until: number,
): number {
  const exact = simulated(problem, udwadiaKalaba(), step / 32).runTo(until);
  const error = (h: number) =>
    relativeDistance(simulated(problem, formulation, h).runTo(until).q, exact.q);
  return Math.log2(error(step) / error(step / 4)) / 2;
}

/**
 * Largest relative distance of accelerations from those of the saddle point system, at random
 * states.
 */
export function distanceFromSaddle(
  problem: Problem,
  formulation: Formulation,
  states: number,
): number {
  const own = simulated(problem, formulation, 1e-3);
  const reference = simulated(problem, lagrange({ solver: "kkt" }), 1e-3);
  const random = seeded(7);
  let worst = 0;
  for (let i = 0; i < states; i++) {
    const q = near(problem.q, 0.15, random);
    const v = near(problem.v, 2, random);
    own.setState(q, v);
    reference.setState(q, v);
    const distance = relativeDistance(own.accelerations(), reference.accelerations());
    worst = distance <= worst ? worst : distance;
  }
  return worst;
}

function near(centre: readonly number[], size: number, random: Random): number[] {
  return centre.map((value) => value + size * random());
}
