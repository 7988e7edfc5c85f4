import {
  ab3,
  baumgarte,
  driftElimination,
  type EquationsDescription,
  energyDescent,
  energyMultiplier,
  energyVelocity,
  equations,
  heun,
  type Integrator,
  lagrange,
  none,
  projection,
  rk4,
  type Simulation,
  type Stabilisation,
  simulate,
  udwadiaKalaba,
} from "nodrift";
import { yoonPendulum } from "nodrift/mechanisms";
import { describe, expect, test } from "vitest";
import { pendulumCases, pendulumMaxima, pendulumReference } from "#experiments";
import { fixedStep } from "../support/integrators.js";

const cvsm = baumgarte({ alpha: Math.sqrt(40), beta: Math.sqrt(40) });
const { q, v } = yoonPendulum;
const circle = yoonPendulum.equations.description;
const controls = {
  energyMultiplier: energyMultiplier({ eta: 40 }),
  energyDescent: energyDescent({ positionGain: 2, velocityGain: 2 }),
  energyVelocity: energyVelocity({ gain: 5 }),
  massWeighted: energyVelocity({ gain: 5, massWeighted: true }),
} as const;

function start(
  description: EquationsDescription,
  stabilisation: readonly Stabilisation[],
  {
    integrator = ab3() as Integrator,
    step = 0.01,
    from = { q, v } as { q: readonly number[]; v?: readonly number[] },
  } = {},
): Simulation {
  const method = { formulation: lagrange(), stabilisation, integrator };
  return simulate(equations(description), { method, step, ...from });
}

/** Largest |T + V - (T + V)_0 - W| with the work by Simpson's rule over pairs of steps. */
function largestError(simulation: Simulation, step: number, pairs: number, power: () => number) {
  const before = simulation.energy().total;
  let [work, largest] = [0, 0];
  for (let k = 0; k < pairs; k++) {
    const first = power();
    simulation.advance();
    const middle = power();
    simulation.advance();
    work += (step / 3) * (first + 4 * middle + power());
    largest = Math.max(largest, Math.abs(simulation.energy().total - before - work));
  }
  return largest;
}

describe("Yoon's Example 1 over 20 s", () => {
  const reference = pendulumReference(20);
  test.each(pendulumCases)("$name", (entry) => {
    const maxima = pendulumMaxima(entry, 20, reference);
    maxima.forEach((value, i) => {
      const expected = entry.after[20][i];
      expect(Math.abs(value - expected)).toBeLessThanOrEqual(0.005 * expected);
    });
  });
});

describe("energy control with work input", () => {
  const drag: EquationsDescription = {
    ...circle,
    forces: (_, w, out) => {
      out[0] = -0.1 * w[0];
      out[1] = -1 - 0.1 * w[1];
    },
    power: (_, w) => -0.1 * (w[0] ** 2 + w[1] ** 2),
  };
  const push: EquationsDescription = {
    ...circle,
    forces: (_q, _v, out, t) => {
      out[0] = Math.cos(t);
      out[1] = -1;
    },
    power: (_, w, t) => Math.cos(t) * w[0],
  };

  test.each(Object.entries(controls))("%s follows the work of a damper", (_, control) => {
    const error = (list: readonly Stabilisation[]) => {
      const simulation = start(drag, list);
      const power = () => -0.1 * (simulation.v[0] ** 2 + simulation.v[1] ** 2);
      const largest = largestError(simulation, 0.01, 1000, power);
      // The pendulum has lost nearly everything above its lowest point.
      expect(simulation.energy().total).toBeLessThan(-0.4);
      return largest;
    };
    expect(error([cvsm])).toBeGreaterThan(2e-4);
    expect(error([cvsm, control])).toBeLessThan(2e-5);
  });

  test.each(Object.entries(controls))("%s follows the work of a driving force", (_, control) => {
    const error = (list: readonly Stabilisation[]) => {
      const simulation = start(push, list);
      const power = () => Math.cos(simulation.time) * simulation.v[0];
      return largestError(simulation, 0.01, 300, power);
    };
    expect(error([cvsm, control])).toBeLessThan(0.2 * error([cvsm]));
  });

  test("the work of moving constraints is included", () => {
    const pivot: EquationsDescription = {
      coordinates: 2,
      mass: [1, 1],
      forces: () => [0, -1],
      potential: (p) => p[1],
      holonomic: {
        rows: 1,
        value: (p, out, t) => {
          out[0] = ((p[0] - 0.3 * Math.sin(2 * t)) ** 2 + p[1] ** 2 - 1) / 2;
        },
      },
    };
    const from = { q: [0, -1], v: [0.6, 0] };
    const fine = start(pivot, [projection()], { integrator: rk4(), step: 2e-3, from }).runTo(10);
    const off = (list: readonly Stabilisation[]) => {
      const simulation = start(pivot, list, { from }).runTo(10);
      return Math.hypot(simulation.q[0] - fine.q[0], simulation.q[1] - fine.q[1]);
    };
    expect(off([cvsm, energyVelocity({ gain: 2 })])).toBeLessThan(0.2 * off([cvsm]));
  });

  test.each(fixedStep)("the work is integrated to the order of $name", (integrator) => {
    const oscillator: EquationsDescription = {
      coordinates: 1,
      mass: [2],
      forces: (p, w, _out, t) => [-8 * p[0] - 0.6 * w[0] + Math.cos(t)],
      potential: (p) => 4 * p[0] ** 2,
      power: (_, w, t) => (Math.cos(t) - 0.6 * w[0]) * w[0],
    };
    const at = (list: readonly Stabilisation[], step: number, by: Integrator) =>
      start(oscillator, list, { integrator: by, step, from: { q: [1] } }).runTo(5).q[0];
    const exact = at([none()], 1 / 2048, rk4());
    for (const control of [
      energyVelocity({ gain: 0.3 }),
      energyDescent({ positionGain: 0.05, velocityGain: 0.3 }),
    ]) {
      const [long, short] = [1 / 128, 1 / 256].map((step) =>
        Math.abs(at([control], step, integrator) - exact),
      );
      expect(Math.log2(long / short)).toBeGreaterThan(integrator.order - 0.2);
    }
  });
});

describe("energy control at rest", () => {
  test.each(Object.entries(controls))("%s leaves an equilibrium unchanged", (_, control) => {
    const simulation = start(circle, [control], { from: { q: [0, -1] } }).advance(50);
    expect([...simulation.q, ...simulation.v]).toEqual([0, -1, 0, 0]);
  });

  test.each(Object.entries(controls))(
    "%s starts from rest, and passes turning points",
    (_, control) => {
      const simulation = start(circle, [cvsm, control], { from: { q: [1, 0] } });
      let largest = 0;
      simulation.runTo(20, () => {
        largest = Math.max(largest, Math.abs(simulation.energy().total));
      });
      expect(largest).toBeLessThan(5e-6);
    },
  );
});

test("energyMultiplier accounts for kinetic energy that depends on positions", () => {
  // A unit mass on a spring, in polar coordinates.
  const orbit: EquationsDescription = {
    coordinates: ["r", "angle"],
    mass: { diagonal: (p) => [1, p[0] ** 2] },
    forces: (p, w) => [p[0] * w[1] ** 2 - 4 * (p[0] - 1), -2 * p[0] * w[0] * w[1]],
    potential: (p) => 2 * (p[0] - 1) ** 2,
  };
  const from = { q: [1.5, 0], v: [0, 1] };
  const off = (list: readonly Stabilisation[]) => {
    const simulation = start(orbit, list, { from });
    const before = simulation.energy().total;
    return Math.abs(simulation.runTo(20).energy().total - before);
  };
  expect(off([controls.energyMultiplier])).toBeLessThan(0.1 * off([]));
});

describe("energy control combined with other stabilisations", () => {
  test.each([
    ["driftElimination", driftElimination()],
    ["projection", projection()],
    ["baumgarte", baumgarte({ alpha: 10, beta: 10 })],
  ] as const)("works with %s, in either order", (_, other) => {
    const run = (list: readonly Stabilisation[]) => {
      const simulation = start(circle, list, { integrator: rk4(), step: 0.05 });
      const before = simulation.energy().total;
      let [psi, phi] = [0, 0];
      simulation.runTo(100, () => {
        psi = Math.max(psi, Math.abs(simulation.energy().total - before));
        phi = Math.max(phi, simulation.constraintError().position);
      });
      return { psi, phi, q: [...simulation.q] };
    };
    const alone = run([other]);
    const control = energyVelocity({ gain: 0.3 });
    const both = run([other, control]);
    expect(both.psi).toBeLessThan(0.5 * alone.psi);
    expect(both.phi).toBeLessThan(1.1 * alone.phi + 1e-13);
    expect(run([control, other]).q).toEqual(both.q);
  });

  test("udwadiaKalaba and lagrange produce the same motion", () => {
    const method = {
      formulation: udwadiaKalaba(),
      stabilisation: [cvsm, controls.energyVelocity],
      integrator: ab3(),
    };
    const other = simulate(equations(circle), { method, step: 0.01, q, v }).runTo(5);
    const own = start(circle, [cvsm, controls.energyVelocity]).runTo(5);
    expect(Math.hypot(own.q[0] - other.q[0], own.q[1] - other.q[1])).toBeLessThan(1e-12);
  });
});

test("the mass-weighted form does not disturb velocity constraints for any M, the other does", () => {
  const description: EquationsDescription = {
    coordinates: 3,
    mass: [
      [2, 0.5, 0],
      [0.5, 3, 0.2],
      [0, 0.2, 7],
    ],
    forces: (p) => [-4 * p[0], -9 * p[1], -p[2]],
    potential: (p) => (4 * p[0] ** 2 + 9 * p[1] ** 2 + p[2] ** 2) / 2,
    holonomic: {
      rows: 1,
      value: (p) => [p[0] + 2 * p[1] - p[2]],
      jacobian: () => [1, 2, -1],
      gamma: () => [0],
    },
  };
  const off = (massWeighted: boolean) => {
    const control = energyVelocity({ gain: 0.02, massWeighted });
    const from = { q: [1, 0, 1], v: [0, 1, 2] };
    const simulation = start(description, [control], { integrator: heun(), step: 0.05, from });
    const before = simulation.energy().total;
    let largest = 0;
    simulation.runTo(5, () => {
      largest = Math.max(largest, simulation.constraintError().velocity);
    });
    // There was an error to correct.
    expect(Math.abs(simulation.energy().total - before)).toBeGreaterThan(1e-5);
    return largest;
  };
  expect(off(true)).toBeLessThan(1e-13);
  expect(off(false)).toBeGreaterThan(1e-4);
});
