import {
  baumgarte,
  braunBiped1,
  controlForces,
  driftElimination,
  type EquationsDescription,
  equations,
  type Reference,
  rk4,
  simulate,
  udwadiaKalaba,
  withTracking,
} from "nodrift";
import { describe, expect, test } from "vitest";
import { functionsOf } from "../support/description.js";
import { solve } from "../support/elimination.js";

const method = {
  formulation: udwadiaKalaba(),
  stabilisation: driftElimination(),
  integrator: rk4(),
};

const G = 9.81;

/** Two links of unit length with unit masses at their ends, absolute angles from the horizontal. */
const arm: EquationsDescription = {
  name: "arm",
  coordinates: ["a", "b"],
  mass: {
    full: (q, out) => {
      const c = Math.cos(q[0] - q[1]);
      out.set([2, c, c, 1]);
    },
  },
  forces: (q, v, out) => {
    const s = Math.sin(q[0] - q[1]);
    out[0] = -s * v[1] ** 2 - 2 * G * Math.cos(q[0]);
    out[1] = s * v[0] ** 2 - G * Math.cos(q[1]);
  },
};

const shoulder: Reference = {
  name: "shoulder",
  follows: "a",
  reference: (t) => Math.sin(t),
  rate: (t) => Math.cos(t),
  acceleration: (t) => -Math.sin(t),
};

const elbow: Reference = {
  name: "elbow",
  follows: "b",
  reference: (t) => 0.5 * t * t,
  rate: (t) => t,
  acceleration: () => 1,
};

/** M r'' - Q(r, r'), written down by hand. */
function inverseDynamics(t: number): [number, number] {
  const [a, da, dda] = [Math.sin(t), Math.cos(t), -Math.sin(t)];
  const [b, db, ddb] = [0.5 * t * t, t, 1];
  const [c, s] = [Math.cos(a - b), Math.sin(a - b)];
  return [
    2 * dda + c * ddb + s * db * db + 2 * G * Math.cos(a),
    c * dda + ddb - s * da * da + G * Math.cos(b),
  ];
}

describe("an arm driven along two references", () => {
  const driven = equations(withTracking(arm, [shoulder, elbow]));
  const start = { method, step: 1e-3, q: [0, 0], v: [1, 0] };

  test("follows them, and its control is inverse dynamics", () => {
    const simulation = simulate(driven, start);
    for (const t of [0.5, 1.3, 3]) {
      simulation.runTo(t);
      expect(Math.abs(simulation.q[0] - Math.sin(t))).toBeLessThan(1e-12);
      expect(Math.abs(simulation.q[1] - 0.5 * t * t)).toBeLessThan(1e-12);
      const [first, second] = inverseDynamics(t);
      const force = controlForces(simulation, ["shoulder", "elbow"]);
      expect(Math.abs(force[0] - first)).toBeLessThan(1e-10);
      expect(Math.abs(force[1] - second)).toBeLessThan(1e-10);
    }
  });

  test("splits the control by rows", () => {
    const simulation = simulate(driven, start).runTo(0.7);
    const [first, second] = inverseDynamics(0.7);
    const [alone, other] = controlForces(simulation, ["shoulder"]);
    expect(Math.abs(alone - first)).toBeLessThan(1e-10);
    expect(other).toBe(0);
    expect(controlForces(simulation, ["elbow"])[0]).toBe(0);
    expect(Math.abs(controlForces(simulation, ["elbow"])[1] - second)).toBeLessThan(1e-10);
    expect(controlForces(simulation, [])).toEqual(new Float64Array(2));
    expect(controlForces(simulation, ["elbow", "shoulder"])).toEqual(simulation.constraintForces());
  });

  test("does not need derivatives, but says that it misses them", () => {
    const { rate: _, acceleration: __, ...bare } = shoulder;
    const lazy = equations(withTracking(arm, [bare, elbow]));
    expect(lazy.differentiated).toEqual(["holonomic.timeDerivative", "holonomic.gamma"]);
    expect(driven.differentiated).toEqual([]);
    const simulation = simulate(lazy, start).runTo(1.3);
    expect(Math.abs(simulation.q[0] - Math.sin(1.3))).toBeLessThan(1e-9);
    expect(
      Math.abs(controlForces(simulation, ["shoulder"])[0] - inverseDynamics(1.3)[0]),
    ).toBeLessThan(1e-6);
  });
});

describe("a pendulum on a circle driven by a function of its positions", () => {
  /** x of a pendulum in Cartesian coordinates whose length is a constraint of its own. */
  const circle: EquationsDescription = {
    name: "circle",
    coordinates: ["x", "y"],
    mass: [1, 1],
    forces: () => [0, -G],
    holonomic: {
      rows: ["length"],
      value: (q) => [q[0] ** 2 + q[1] ** 2 - 1],
      jacobian: (q) => [[2 * q[0], 2 * q[1]]],
      gamma: (_, v) => [-2 * (v[0] ** 2 + v[1] ** 2)],
    },
  };
  /** atan2(y, x) = -pi/2 + sin(t) / 2. */
  const angle: Reference = {
    name: "angle",
    follows: {
      value: (q) => Math.atan2(q[1], q[0]),
      gradient: (q, out) => {
        const squared = q[0] ** 2 + q[1] ** 2;
        out[0] = -q[1] / squared;
        out[1] = q[0] / squared;
      },
      curvature: (q, v) => {
        const squared = q[0] ** 2 + q[1] ** 2;
        const turn = q[0] * v[1] - q[1] * v[0];
        return (-2 * turn * (q[0] * v[0] + q[1] * v[1])) / squared ** 2;
      },
    },
    reference: (t) => -Math.PI / 2 + 0.5 * Math.sin(t),
    rate: (t) => 0.5 * Math.cos(t),
    acceleration: (t) => -0.5 * Math.sin(t),
  };

  test("keeps its own constraint first, and the torque is that of the driven pendulum", () => {
    const driven = equations(withTracking(circle, [angle]));
    expect(driven.holonomicNames).toEqual(["length", "angle"]);
    expect(driven.differentiated).toEqual([]);
    const start = { method, step: 1e-3, q: [0, -1], v: [0.5, 0] };
    const simulation = simulate(driven, start).runTo(2);
    const [x, y] = simulation.q;
    const theta = -Math.PI / 2 + 0.5 * Math.sin(2);
    expect(Math.abs(Math.atan2(y, x) - theta)).toBeLessThan(1e-12);
    const [fx, fy] = controlForces(simulation, ["angle"]);
    const torque = -0.5 * Math.sin(2) + G * Math.cos(theta);
    expect(Math.abs(x * fy - y * fx - torque)).toBeLessThan(1e-10);
    // The control acts along the circle: the length has a force of its own.
    expect(Math.abs(x * fx + y * fy)).toBeLessThan(1e-10);
  });

  test("works without gradient and curvature", () => {
    const follows = { value: (q: Float64Array) => Math.atan2(q[1], q[0]) };
    const lazy = equations(withTracking(circle, [{ ...angle, follows }]));
    expect(lazy.differentiated).toEqual(["holonomic.jacobian", "holonomic.gamma"]);
    const simulation = simulate(lazy, { method, step: 1e-3, q: [0, -1], v: [0.5, 0] }).runTo(1);
    const theta = -Math.PI / 2 + 0.5 * Math.sin(1);
    expect(Math.abs(Math.atan2(simulation.q[1], simulation.q[0]) - theta)).toBeLessThan(1e-8);
  });
});

test("the biped's control is found by hand as well", () => {
  const { q, v } = braunBiped1;
  const simulation = simulate(braunBiped1.equations, { method, step: 1e-2, q, v }).runTo(0.8);
  const f = functionsOf(braunBiped1);
  const [position, velocity] = [Float64Array.from(simulation.q), Float64Array.from(simulation.v)];
  // Nine independent constraints on nine coordinates: J a = gamma, then J^T lambda = M a - Q.
  const j = Array.from({ length: 9 }, (_, i) =>
    Array.from(f.jacobian(position, 0.8).slice(9 * i, 9 * i + 9)),
  );
  const a = solve(j, Array.from(f.gamma(position, velocity, 0.8)));
  const forces = f.forces(position, velocity);
  const total = Array.from(f.massTimes(position, Float64Array.from(a)), (x, i) => x - forces[i]);
  const lambda = solve(
    j.map((_, i) => j.map((row) => row[i])),
    total,
  );
  const drives = ["torso", "forward knee", "backward knee"];
  const expected = Array.from({ length: 9 }, (_, k) =>
    drives.reduce((sum, name) => {
      const row = braunBiped1.equations.holonomicNames.indexOf(name);
      return sum + j[row][k] * lambda[row];
    }, 0),
  );
  const control = controlForces(simulation, drives);
  const size = Math.max(...expected.map(Math.abs));
  expect(size).toBeGreaterThan(10);
  for (const [k, value] of expected.entries()) {
    expect(Math.abs(control[k] - value) / size).toBeLessThan(1e-10);
  }
  // A knee's torque acts on thigh and shank with opposite signs, and on nothing else.
  const knee = controlForces(simulation, ["forward knee"]);
  expect(knee[3]).toBe(-knee[4]);
  expect(Array.from(knee).filter((x) => x !== 0).length).toBe(2);
});

describe("mistakes are named", () => {
  test.each([
    [
      "an unknown coordinate",
      { ...shoulder, follows: "c" },
      'arm: "shoulder" follows "c", which is no coordinate; there are: a, b',
    ],
    [
      "nothing to follow",
      { ...shoulder, follows: {} },
      'arm: "shoulder" must follow a coordinate or { value: function }',
    ],
    [
      "no reference",
      { ...shoulder, reference: 1 },
      'arm: reference of "shoulder" must be a function',
    ],
  ])("%s", (_, reference, message) => {
    expect(() => withTracking(arm, [reference as unknown as Reference])).toThrow(
      expect.objectContaining({ code: "DESCRIPTION", message }),
    );
  });

  test("a row that is not there", () => {
    const driven = equations(withTracking(arm, [shoulder]));
    const baumgarteMethod = { ...method, stabilisation: baumgarte() };
    const simulation = simulate(driven, { method: baumgarteMethod, step: 1e-3, q: [0, 0] });
    expect(() => controlForces(simulation, ["elbow"])).toThrow(
      expect.objectContaining({
        code: "DESCRIPTION",
        message: 'no constraint is named "elbow"; there are: shoulder',
      }),
    );
  });

  test("a name used twice", () => {
    expect(() => equations(withTracking(arm, [shoulder, shoulder]))).toThrow(
      'arm: constraints has the name "shoulder" twice',
    );
  });

  test("own constraints that return too few numbers", () => {
    const short: EquationsDescription = {
      ...arm,
      holonomic: { rows: 2, value: () => [0], jacobian: () => [1, 0, 0, 1], gamma: () => [0, 0] },
    };
    const driven = equations(withTracking(short, [shoulder]));
    expect(() => simulate(driven, { method, step: 1e-3, q: [0, 0] })).toThrow(
      "arm: holonomic.value returned 1 numbers at t = 0; return an array of 2 numbers, or nothing",
    );
  });
});
