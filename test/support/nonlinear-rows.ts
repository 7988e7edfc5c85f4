// A constraint that is nonlinear in the velocities, vx^2 + vy^2 = vz^2 like that of Appell and Hamel, with all
// derivatives.

import { type Equations, equations, type Method, simulate } from "nodrift";

/** A particle of three different masses under a constant force, whose velocity stays on a cone. */
export function cone(): Equations {
  return equations({
    name: "cone",
    coordinates: ["x", "y", "z"],
    mass: [1, 2, 3],
    forces: (_q, _v, out) => {
      out[0] = 3;
      out[1] = 0;
      out[2] = -10;
    },
    nonholonomic: {
      rows: ["cone"],
      value: (_q, [x, y, z], out) => {
        out[0] = (x as number) ** 2 + (y as number) ** 2 - (z as number) ** 2;
      },
      jacobian: (_q, [x, y, z], out) => {
        out.set([2 * (x as number), 2 * (y as number), -2 * (z as number)]);
      },
      gamma: (_q, _v, out) => {
        out[0] = 0;
      },
    },
  });
}

/** Position of the particle after a time, by a method. */
function after(method: Method, step: number): Float64Array {
  return simulate(cone(), { method, step, q: [0, 0, 0], v: [3, 4, 5] })
    .runTo(0.5)
    .q.slice();
}

/** Order of a method from a step and a quarter of it, compared with a reference run with a far shorter step. */
export function orderOnCone(method: Method, reference: Method, step = 1 / 16): number {
  const exact = after(reference, 1 / 2048);
  const error = (h: number) =>
    Math.max(...after(method, h).map((x, i) => Math.abs(x - (exact[i] as number))));
  return Math.log2(error(step) / error(step / 4)) / 2;
}
