import { baumgarte, type EquationsDescription, projection, rk4, udwadiaKalaba } from "nodrift";
import { expect } from "vitest";

export const method = {
  formulation: udwadiaKalaba(),
  stabilisation: baumgarte(),
  integrator: rk4(),
};
export const projected = { ...method, stabilisation: projection() };

/** An error with this code and exactly this message. */
export const error = (code: string, message: string) => expect.objectContaining({ code, message });

/** A skate on an inclined plane that also hangs on a rod: uses every function of a description. */
export function everything(): EquationsDescription &
  Required<Pick<EquationsDescription, "holonomic">> {
  return {
    name: "skate",
    coordinates: ["x", "y", "turn"],
    mass: { full: (_, out) => out.set([1, 0, 0, 0, 1, 0, 0, 0, 1]) },
    forces: (_, __, out) => out.set([0, -1, 0]),
    holonomic: {
      rows: ["rod"],
      value: (q, out, _t) => out.set([q[0] ** 2 + q[1] ** 2 - 1]),
      jacobian: (q, out) => out.set([2 * q[0], 2 * q[1], 0]),
      timeDerivative: (_, out) => out.set([0]),
      gamma: (_, v, out) => out.set([-2 * (v[0] ** 2 + v[1] ** 2)]),
    },
    nonholonomic: {
      rows: ["spin"],
      value: (_, v, out) => out.set([v[2] - 1]),
      jacobian: (_, __, out) => out.set([0, 0, 1]),
      gamma: (_, __, out) => out.set([0]),
    },
    potential: (q) => q[1],
    potentialGradient: (_, out) => out.set([0, 1, 0]),
    power: () => 0,
  };
}

export const START = { step: 0.125, q: [1, 0, 0], v: [0, 0, 1] };
