import { hong, welch } from "../../../src/index.js";
import {
  fasterFrequency,
  longestStableStep,
  spectralRadii,
} from "../experiments/linear-pendulum.js";
import { checked, contradicted, distance, relative, reproduced } from "../judging/entries.js";
import { type Entry, reproduction } from "../judging/reproduction.js";

/**
 * Accuracy of a spectral radius: a double eigenvalue of magnitude 1 has an error of the root of the
 * rounding, 1.5e-8, times the size of its block.
 */
const RADIUS_TOLERANCE = 1e-7;

export const welchStability = reproduction({
  name: "welch-stability",
  paper: "Welch et al. 2007",
  title: "Section V: stability of the double pendulum about its hanging equilibrium",
  notes: [
    "Eq. (69): the third row is (-1, 0, -L/2, 1, 0, -L/2), the fourth (0, -1, 0, 0, 1, 0). The " +
      "first row of eq. (64) is (I - beta^2 dt^2 Gamma / 2, dt (I - alpha dt Gamma)).",
    "Eigenvalues are 0, -1 and 1 for every step: an error of velocities changes its sign from " +
      "step to step, and hardly dies out.",
    "The linearised system has no gravity. With it, the scheme of second order has the limit " +
      "omega dt <= sqrt 2, that of first order omega dt <= 2.",
  ],
  *measure() {
    const radii = spectralRadii();
    const largest = (of: "welch" | "baumgarte") => Math.max(...radii.map((entry) => entry[of]));
    const steps = "largest for steps of 1e-4 to 10 s";
    yield reproduced(
      { quantity: `rho(X), ${steps}`, printed: 1, value: largest("welch") },
      relative(RADIUS_TOLERANCE),
    );
    const stable = radii.filter(({ baumgarte }) => baumgarte <= 1 + RADIUS_TOLERANCE);
    const tried = radii.map(({ step }) => step);
    yield contradicted(
      {
        quantity:
          "longest step for which Baumgarte with alpha = beta = 1 / dt is stable, of those tried, s",
        printed: 0.0664,
        reference: Math.max(...tried),
        value: Math.max(...stable.map(({ step }) => step)),
        note: "With these gains the map of eq. (64) does not depend on the step: there is no limit.",
      },
      0.01,
      distance(0, "s"),
    );
    yield checked(
      { quantity: `rho(Lambda), ${steps}`, reference: 1, value: largest("baumgarte") },
      relative(RADIUS_TOLERANCE),
    );
    yield* limits();
  },
});

function* limits(): Generator<Entry> {
  for (const [name, coupled, step, turn] of [
    ["second order", welch({ passes: 1 }), 0.4357, Math.SQRT2],
    ["first order", hong(), 0.6162, 2],
  ] as const) {
    const value = longestStableStep(coupled);
    const quantity = `longest stable step with gravity, ${name}`;
    yield checked({ quantity: `${quantity}, s`, reference: step, value }, relative(1e-4));
    yield checked(
      { quantity: `${quantity}, omega dt`, reference: turn, value: fasterFrequency * value },
      relative(1e-5),
    );
  }
}
