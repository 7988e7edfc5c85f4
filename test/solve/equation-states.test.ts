// Readings of states of systems given by functions.

import { equations, rk4, simulate, udwadiaKalaba } from "nodrift";
import { dop853, type EquationState, solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";

const G = 9.81;

/** A bob on a rod of length 2, in x and y. */
const pendulum = equations({
  coordinates: ["x", "y"],
  mass: [3, 3],
  forces: (_q, _v, out) => {
    out[0] = 0;
    out[1] = -3 * G;
  },
  potential: (q) => 3 * G * q[1]!,
  holonomic: {
    rows: ["rod"],
    value: (q, out) => {
      out[0] = (q[0]! ** 2 + q[1]! ** 2 - 4) / 4;
    },
  },
});

const run = (more = {}) =>
  solve(pendulum, { span: [0, 3], q: [2, 0], v: [0, 0], tolerance: 1e-9, ...more });

describe("states of equations", () => {
  test("multipliers, accelerations and energy agree with Newton's laws", () => {
    const solution = run();
    for (const state of [solution.state(0), solution.state(7), solution.at(1.234), solution.end]) {
      const [x, y] = state.q as unknown as [number, number];
      const [u, w] = state.v as unknown as [number, number];
      // J = q / 2, so the rod pulls by lambda along q: m v^2 / L = lambda L / 2 ... - m g y / L.
      const lambda = (2 * (-3 * (u * u + w * w) + 3 * G * y)) / 4;
      expect(state.multipliers()).toHaveLength(1);
      expect(state.multipliers()[0]).toBeCloseTo(lambda, 6);
      const [ax, ay] = state.accelerations() as unknown as [number, number];
      expect(3 * ax).toBeCloseTo((lambda * x) / 2, 6);
      expect(3 * ay).toBeCloseTo((lambda * y) / 2 - 3 * G, 6);
      const { kinetic, potential, total } = state.energy();
      expect(kinetic).toBeCloseTo(1.5 * (u * u + w * w), 12);
      expect(potential).toBeCloseTo(3 * G * y, 12);
      expect(total).toBeCloseTo(0, 5);
      expect(state.constraintError().position).toBeLessThan(1e-12);
    }
  });

  test("agree with a simulation at the same state, without constraints too", () => {
    const method = { formulation: udwadiaKalaba(), integrator: rk4() };
    const { end } = run();
    const simulation = simulate(pendulum, {
      method,
      step: 1e-3,
      start: "asGiven",
      q: end.q,
      v: end.v,
      time: end.time,
    });
    // Differences have other steps at the beginning of a motion than at its end.
    const close = (one: Float64Array, other: Float64Array) =>
      expect(Math.max(...one.map((x, i) => Math.abs(x / other[i]! - 1)))).toBeLessThan(1e-12);
    close(end.multipliers(), simulation.multipliers());
    close(end.accelerations(), simulation.accelerations());
    expect(end.energy()).toEqual(simulation.energy());
    const free = equations({ coordinates: 1, mass: [2], forces: (q) => [-8 * q[0]!] });
    const { end: last } = solve(free, { span: [0, 1], q: [1] });
    expect(last.multipliers()).toEqual(new Float64Array(0));
    expect(last.accelerations()[0]).toBeCloseTo(-4 * last.q[0]!, 14);
    expect(last.energy().potential).toBe(0);
  });

  test("states belong to their mode", () => {
    const { description } = pendulum;
    const { holonomic: _, ...rest } = description;
    const free = equations(rest);
    const solution = run({
      modes: { free },
      events: [
        {
          name: "cut",
          when: ({ q }: { q: Float64Array }) => q[0]! - 0.5,
          action: ({ switchTo }: { switchTo: (mode: string) => void }) => switchTo("free"),
        },
      ],
    });
    expect(solution.state(0).multipliers()).toHaveLength(1);
    expect(solution.end.multipliers()).toHaveLength(0);
    expect(solution.end.accelerations()[0]).toBe(0);
    expect(solution.end.accelerations()[1]).toBeCloseTo(-G, 12);
  });

  test("reading states during a run does not change it, whatever functions share", () => {
    // Sines and cosines are kept between functions: a reader at another state overwrites them.
    let [s, c] = [0, 0];
    const double = equations({
      coordinates: ["a", "b"],
      mass: {
        full: (_q, out) => {
          out.set([2, c, c, 1]);
        },
      },
      prepare: (q) => {
        [s, c] = [Math.sin(q[0]! - q[1]!), Math.cos(q[0]! - q[1]!)];
      },
      forces: (q, v, out) => {
        out[0] = -s * v[1]! ** 2 - 2 * G * Math.sin(q[0]!);
        out[1] = s * v[0]! ** 2 - G * Math.sin(q[1]!);
      },
      potential: (q) => -2 * G * Math.cos(q[0]!) - G * Math.cos(q[1]!),
    });
    const runWith = (look: (state: EquationState) => void) =>
      solve(double, {
        span: [0, 4],
        q: [1.5, 1],
        tolerance: 1e-8,
        output: { rate: 40 },
        integrator: dop853(),
        each: look,
        events: [
          {
            name: "look",
            when: (state) => {
              look(state);
              return 1;
            },
          },
        ],
      });
    const plain = runWith(() => undefined);
    const start = plain.state(0).energy().total;
    let worst = 0;
    const read = runWith((state) => {
      worst = Math.max(worst, Math.abs(state.energy().total - start));
      plain.end.accelerations();
    });
    expect(worst).toBeGreaterThan(0);
    expect(worst).toBeLessThan(1e-4);
    expect(read.end.q).toEqual(plain.end.q);
    expect(read.end.v).toEqual(plain.end.v);
    const { seconds: _, ...costs } = plain.statistics;
    expect(read.statistics).toMatchObject(costs);
  });
});
