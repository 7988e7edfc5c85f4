import { cross, vectorOf } from "../../../src/base/algebra/vectors.js";
import { argument, oneOf, optionsOf, type Shape, whole } from "../../../src/base/checking/index.js";
import { type Model, model } from "../../../src/model/mechanism.js";

const LENGTH = 1;
const THICKNESS = 0.1;
const MASS = 1;
const ALONG = (MASS * THICKNESS ** 2) / 6;
const ACROSS = (MASS * (LENGTH ** 2 + THICKNESS ** 2)) / 12;
const TURNING = vectorOf(0.5, 0, 1);

/** Options of {@link chain3d}. */
export interface ChainOptions {
  /** "turning": rotates as one body at (0.5, 0, 1) rad/s. "rest": released from rest. Default: "turning". */
  readonly start?: "turning" | "rest";
}

const SHAPE: Shape<ChainOptions> = { start: oneOf("turning", "rest") };

/** Allowed numbers of rods: longer chains take impractically long to build. */
const COUNT = whole(1, 10_000);

/**
 * A chain of n square rods of 1 m and 1 kg, 0.1 m thick, on spherical joints; the first hangs on the
 * ground at the origin. It starts straight along x, horizontally.
 *
 * @example
 * const simulation = (await compile(chain3d(10))).simulate({ step: 1e-3 });
 */
export function chain3d(n: number, options: ChainOptions = {}, ...more: undefined[]): Model {
  argument("chain3d", "DESCRIPTION", "n", n, COUNT);
  const { start = "turning" } = optionsOf("chain3d", "DESCRIPTION", options, SHAPE, more);
  const m = model({ name: `chain of ${n} rods`, gravity: [0, 0, -9.81] });
  const omega = start === "turning" ? TURNING : vectorOf(0, 0, 0);
  let before = m.ground;
  for (let i = 0; i < n; i++) {
    const position = vectorOf((i + 0.5) * LENGTH, 0, 0);
    const rod = m.body({
      name: `rod ${i + 1}`,
      mass: MASS,
      inertia: [ALONG, ACROSS, ACROSS],
      position,
      velocity: cross(omega, position),
      angularVelocity: omega,
    });
    m.spherical({ name: `joint ${i + 1}`, between: [before, rod], at: [i * LENGTH, 0, 0] });
    before = rod;
  }
  return m;
}
