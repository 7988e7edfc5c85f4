// The multiplier of the energy, after those of the constraints and together with them (Yoon, eqs. 10 to 12).

import {
  baumgarte,
  energyMultiplier,
  equations,
  type Method,
  rk4,
  simulate,
  udwadiaKalaba,
} from "nodrift";
import { expect, test } from "vitest";
import { start } from "./support/pendulum.js";

/** A bead on a rotating straight wire: velocities of rows are nonzero, so M v is not orthogonal to them. */
const wire = equations({
  name: "turning wire",
  coordinates: ["x", "y"],
  mass: [1, 3],
  forces: ([x, y], _v, out) => {
    out[0] = -x;
    out[1] = -y;
  },
  potential: ([x, y]) => (x * x + y * y) / 2,
  holonomic: {
    rows: ["wire"],
    value: ([x, y], out, t) => {
      out[0] = Math.sin(t) * x - Math.cos(t) * y;
    },
  },
});

const method = (together: boolean): Method => ({
  formulation: udwadiaKalaba(),
  // Weak control with long steps, to create an energy error; then strong control.
  stabilisation: energyMultiplier({ eta: (h) => (h < 1e-6 ? 1e4 : 1e-3), together }),
  integrator: rk4(),
});

test("a joint solve satisfies the constraints for any energy error, a sequential one does not", () => {
  const residual = (together: boolean) => {
    const simulation = simulate(wire, {
      method: method(together),
      step: 0.1,
      q: [1, 0],
      v: [0.5, 1],
    });
    simulation.advance(20);
    const h = 1e-7;
    simulation.setStep(h);
    const [x, y] = simulation.q;
    const [vx, vy] = simulation.v;
    const t = simulation.time;
    simulation.advance();
    const [ax, ay] = [(simulation.v[0] - vx) / h, (simulation.v[1] - vy) / h];
    // d^2/dt^2 (sin t x - cos t y)
    const rest = 2 * (Math.cos(t) * vx + Math.sin(t) * vy) - Math.sin(t) * x + Math.cos(t) * y;
    return Math.abs(Math.sin(t) * ax - Math.cos(t) * ay + rest);
  };
  expect(residual(true)).toBeLessThan(1e-6);
  expect(residual(false)).toBeGreaterThan(1e-3);
});

test("a moving constraint is satisfied as well as without energy control", () => {
  const worst = (...control: ReturnType<typeof energyMultiplier>[]) => {
    const stabilisation = [baumgarte(), ...control];
    const simulation = simulate(wire, {
      method: { formulation: udwadiaKalaba(), stabilisation, integrator: rk4() },
      step: 0.01,
      q: [1, 0],
      v: [0.5, 1],
    });
    let error = 0;
    simulation.runTo(5, () => {
      error = Math.max(error, simulation.constraintError().position);
    });
    return error;
  };
  expect(worst(energyMultiplier({ eta: 40, together: true }))).toBeLessThan(1.05 * worst());
});

test("both variants agree for satisfied constraints at rest", () => {
  const [together, after] = [true, false].map((one) => start(method(one), 1e-3).runTo(0.3));
  expect(Math.abs(together.q[0] - after.q[0])).toBeLessThan(1e-9);
});
