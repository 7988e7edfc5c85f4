// A pendulum whose hinge is actuated by a PI controller with a filtered rate, and an equivalent ordinary differential
// equation.

import { type CompileOptions, compile, model, rod } from "nodrift/bodies";

export const GAINS = { p: 40, i: 25, d: 4, filter: 30, target: 0.3 } as const;

/** A rod of 1 m and 1.2 kg; the states are the integral of the error and the filtered rate. */
export function controlled(options: CompileOptions = {}) {
  const m = model({ name: "controlled" });
  const arm = m.body({ name: "arm", mass: 1.2, shape: rod({ length: 1 }), position: [0, 0, -0.5] });
  const hinge = m.revolute({
    name: "hinge",
    between: [m.ground, arm],
    at: [0, 0, 0],
    axis: [0, 1, 0],
  });
  // Auxiliary bodies hold three states along x, y and z: shift the other states to different axes.
  m.states({ name: "decay", names: ["x"], start: [1], rates: (_t, y) => [-2 * y[0]!] });
  const pi = m.states({
    name: "pi",
    names: ["integral", "rate"],
    start: [0.05, 0.1],
    rates: (_t, y, read, out) => {
      out[0] = GAINS.target - read.angle(hinge);
      out[1] = GAINS.filter * (read.angleRate("hinge") - y[1]!);
    },
  });
  m.torsionSpring({
    name: "motor",
    joint: hinge,
    torque: (angle, _rate, _t, read) =>
      GAINS.p * (GAINS.target - angle) +
      GAINS.i * read.state(pi, "integral") -
      GAINS.d * read.state("pi", "rate"),
  });
  return compile(m, { ...options });
}

/** Returns the angle, rate and both states at a time, by fourth-order Runge-Kutta steps with errors of 1e-12. */
export function controlledReference(until: number, steps = 4000): readonly number[] {
  // About y, with the rod below: I = m l^2 / 3, and the restoring torque of gravity is m g l / 2 sin.
  const [mass, gravity] = [1.2, 9.81];
  const rate = ([a, w, z, f]: readonly number[]) => {
    const torque = GAINS.p * (GAINS.target - a!) + GAINS.i * z! - GAINS.d * f!;
    const turn = (torque - (mass * gravity * Math.sin(a!)) / 2) / (mass / 3);
    return [w!, turn, GAINS.target - a!, GAINS.filter * (w! - f!)];
  };
  const h = until / steps;
  let y: readonly number[] = [0, 0, 0.05, 0.1];
  const moved = (by: number, k: readonly number[]) => y.map((x, i) => x + by * k[i]!);
  for (let step = 0; step < steps; step++) {
    const a = rate(y);
    const b = rate(moved(h / 2, a));
    const c = rate(moved(h / 2, b));
    const d = rate(moved(h, c));
    y = y.map((x, i) => x + (h / 6) * (a[i]! + 2 * b[i]! + 2 * c[i]! + d[i]!));
  }
  return y;
}
