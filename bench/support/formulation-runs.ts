// What is measured of formulations: the same runs serve tests and figures.

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
} from "nodrift";
import type { Problem } from "./formulation-systems.js";
import { relativeDistance } from "./matrix.js";
import { type Random, seeded } from "./random.js";

export const BASES = ["lu", "svd", "qr", "gram-schmidt", "zero-eigenvalue"] as const;

/** Formulations that keep velocities on the constraints. */
export const velocityLevel: readonly Formulation[] = [
  ...[...BASES, "extraction" as const].map((basis) => maggi({ basis })),
  projective(),
  phaseSpace(),
];

/** Formulations that keep positions on the constraints. */
export const positionLevel: readonly Formulation[] = [frozenBasis(), coordinatePartitioning()];

/** Formulations that find accelerations by a basis of the null space. */
export const nullSpaces: readonly Formulation[] = BASES.flatMap((basis) => [
  nullSpace({ basis }),
  accelerationProjection({ basis }),
]);

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

/** Largest constraint errors of a run, up to half of it and up to its end. */
export function drift(simulation: Simulation, until: number) {
  let [position, velocity, half] = [0, 0, 0];
  simulation.runTo(until, () => {
    const error = simulation.constraintError();
    position = Math.max(position, error.position);
    velocity = Math.max(velocity, error.velocity);
    if (simulation.time <= until / 2) half = position;
  });
  // Drift grows like a power of time: with the square of it when accelerations are integrated.
  return { position, velocity, exponent: Math.log2(position / half) };
}

/** Order of convergence from steps h and h / 2, against a run with a far shorter step. */
export function measuredOrder(
  problem: Problem,
  formulation: Formulation,
  step: number,
  until: number,
): number {
  const exact = simulated(problem, udwadiaKalaba(), step / 32).runTo(until);
  const [coarse, fine] = [step, step / 2].map((h) =>
    relativeDistance(simulated(problem, formulation, h).runTo(until).q, exact.q),
  );
  return Math.log2(coarse / fine);
}

/** Largest relative distance of accelerations from those of the saddle point system, at random states. */
export function distanceFromSaddle(
  problem: Problem,
  formulation: Formulation,
  states: number,
): number {
  const own = simulated(problem, formulation, 1e-3);
  const reference = simulated(problem, lagrange({ solve: "kkt" }), 1e-3);
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
