import { type Model, model } from "../../../src/model/mechanism.js";
import { requireNothing } from "../checks.js";
import type { ReferenceRow } from "./benchmark-model.js";

/**
 * A fast top on a spherical joint at the origin: 15 kg, its centre of mass 1 m along y, spinning about y
 * with 150 rad/s. It nutates and precesses; the spin stays.
 *
 * @example
 * const simulation = (await compile(heavyTop())).simulate({ step: 1e-4 });
 */
export function heavyTop(...more: undefined[]): Model {
  requireNothing("heavyTop", more);
  const m = model({ name: "heavy top", gravity: [0, 0, -9.81] });
  const top = m.body({
    name: "top",
    mass: 15,
    inertia: [0.234375, 0.46875, 0.234375],
    position: [0, 1, 0],
    velocity: [4.61538, 0, 0],
    angularVelocity: [0, 150, -4.61538],
  });
  m.spherical({ name: "pivot", between: [m.ground, top], at: [0, 0, 0] });
  return m;
}

/** Centre of mass and angular velocity in the body's axes: t, x, y, z, w1, w2, w3. Good to 1e-11 and 2e-10. */
export const heavyTopReference: readonly ReferenceRow[] = [
  [
    0.5, -0.702468297056627, -0.02116518470182, -0.711400257651697, -0.471053101744, 150,
    5.901083048326,
  ],
  [
    1, 0.173343964098339, 0.640088592070482, -0.748490791133667, -0.822078101685, 150,
    -5.923291348117,
  ],
  [
    1.5, -0.96816571563814, 0.250306062132759, -0.00142208385117, 0.346213784346, 150,
    4.605359985337,
  ],
  [
    2, -0.150416822745831, -0.724165591636975, -0.673022269560317, 0.122233219493, 150,
    -5.855624589205,
  ],
];

/** Force of the pivot on the top, in the world: t, x, y, z. */
export const heavyTopReaction: readonly ReferenceRow[] = [
  [0, 0, -319.525988166, -317.262461538462],
  [0.5, 523.2812435144401, 404.20617832018434, 357.3361764531528],
  [1, -517.6007394768839, -396.84310148947384, 404.5749251630117],
  [1.5, 305.25209634886403, -100.12779555318092, -316.35279611449903],
  [2, -260.7352113109174, 613.6126989826236, 309.7166313907819],
];
