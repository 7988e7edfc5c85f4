// The geometry of Laulusa and Bauchau 2008, section 2.3, at random states of systems of all kinds.

import { rk4, simulate, udwadiaKalaba } from "nodrift";
import { projectors } from "nodrift/analysis";
import { describe, expect, test } from "vitest";
import { formulationProblems, redundantProblem } from "#experiments";
import { seeded } from "../support/random.js";

const problems = { ...formulationProblems, redundant: redundantProblem };

const times = (n: number, a: Float64Array, b: Float64Array, width: number) =>
  Float64Array.from({ length: n * width }, (_, k) => {
    const [i, j] = [Math.floor(k / width), k % width];
    let sum = 0;
    for (let l = 0; l < a.length / n; l++) sum += a[(i * a.length) / n + l] * b[l * width + j];
    return sum;
  });
const apart = (a: Float64Array, b: Float64Array) =>
  Math.max(0, ...a.map((value, i) => Math.abs(value - b[i]))) / Math.max(1, ...b.map(Math.abs));

describe.each(Object.entries(problems))("%s", (_, problem) => {
  const { equations: source } = problem;
  const n = source.coordinateNames.length;
  const at = projectors(source);
  const random = seeded(3);
  const method = { formulation: udwadiaKalaba(), integrator: rk4() };
  const simulation = simulate(source, { method, step: 0.01, q: problem.q, v: problem.v });
  const states = Array.from({ length: 20 }, () => {
    const around = (centre: readonly number[], size: number) =>
      centre.map((value) => value + size * random());
    simulation.setState(around(problem.q, 0.15), around(problem.v, 2));
    return {
      state: { q: [...simulation.q], v: [...simulation.v] },
      accelerations: simulation.accelerations(),
      constraintForces: simulation.constraintForces(),
    };
  });

  test("projectors are symmetric, project, and add up to the identity", () => {
    for (const { state } of states) {
      const { onConstraints: p, onMotion } = at(state);
      expect(apart(times(n, p, p, n), p)).toBeLessThan(1e-12);
      const transposed = p.map((_value, k) => p[(k % n) * n + Math.floor(k / n)]);
      expect(apart(transposed, p)).toBeLessThan(1e-12);
      expect(apart(times(n, p, onMotion, n), new Float64Array(n * n))).toBeLessThan(1e-12);
    }
  });

  test("(17): constraint forces lie in the image; (16) and (20): accelerations are those of the motion", () => {
    for (const { state, accelerations, constraintForces } of states) {
      const found = at(state);
      const { scale, onConstraints, onMotion } = found;
      const unscaled = times(n, scale, found.constraintForces, 1);
      expect(
        apart(times(n, onConstraints, found.constraintForces, 1), found.constraintForces),
      ).toBeLessThan(1e-11);
      expect(apart(unscaled, constraintForces)).toBeLessThan(1e-10);
      const upper = scale.map((_value, k) => scale[(k % n) * n + Math.floor(k / n)]);
      expect(apart(times(n, upper, accelerations, 1), found.accelerations)).toBeLessThan(1e-10);
      const free = times(n, onMotion, found.forces, 1);
      const moved = times(n, onMotion, found.accelerations, 1);
      expect(apart(moved, free)).toBeLessThan(1e-10);
      const sum = found.forces.map((value, i) => value + found.constraintForces[i]);
      expect(apart(sum, found.accelerations)).toBeLessThan(1e-14);
    }
  });

  test("M = S S^T, E^+ E E^+ = E^+ and the image of P is that of E", () => {
    for (const { state } of states) {
      const { onConstraints, constraintMatrix, pseudoinverse } = at(state);
      const m = constraintMatrix.length / n;
      expect(apart(times(n, onConstraints, constraintMatrix, m), constraintMatrix)).toBeLessThan(
        1e-11,
      );
      expect(apart(times(n, onConstraints, pseudoinverse, m), pseudoinverse)).toBeLessThan(1e-11);
    }
  });
});

test("constraint projectors reject invalid states and systems", () => {
  expect(() => projectors({} as never)).toThrow(
    /projectors: the argument must be a result of equations/,
  );
  const at = projectors(formulationProblems.bowl.equations);
  expect(() => at({ q: [1, 2], v: [0, 0, 0] })).toThrow(/q/);
  expect(() => at(null as never)).toThrow(/the state is null/);
});
