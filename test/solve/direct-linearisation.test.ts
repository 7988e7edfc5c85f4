// Derivatives that direct methods take: those by formulas against those by differences, on one mechanism with springs, dampers,
// turning bodies and constraints, at random states, accelerations and multipliers.

import { compile, model } from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import type { MatrixEntry, System } from "../../src/interfaces/index.js";
import {
  type DirectLinearisation,
  linearisationOf,
} from "../../src/methods/direct/direct-matrix.js";
import { NO_DERIVATIVES } from "../../src/systems/system-parts.js";
import { randomVector, seeded } from "../support/random.js";

/** Two bars in space: a ball at the ground, a universal joint, a spring with damper, a distance to the ground. */
async function twoBars() {
  const m = model({ name: "two bars" });
  const bar = { mass: 2, inertia: [0.2, 0.3, 0.1] as const };
  const upper = m.body({ name: "upper", ...bar, position: [0, 0, -0.5] });
  const lower = m.body({ name: "lower", ...bar, position: [0, 0, -1.5] });
  m.spherical({ name: "ball", between: [m.ground, upper], at: [0, 0, 0] });
  m.universal({
    name: "cross",
    between: [upper, lower],
    at: [0, 0, -1],
    axisA: [1, 0, 0],
    axisB: [0, 1, 0],
  });
  const ends = { atA: [1, 0.5, 0], atB: [0.1, 0, -0.7] } as const;
  m.spring({ name: "strut", between: [m.ground, upper], ...ends, stiffness: 70, damping: 5 });
  m.distance({ name: "link", between: [m.ground, lower], atA: [2, 1, -1], atB: [0, 0, -2] });
  return compile(m, { coordinates: "maximal" });
}

/** The system without what differentiates it. */
function withoutFormulas(system: System): System {
  const matrices = { ...system.matrices, ...NO_DERIVATIVES };
  return new Proxy(system, {
    get(target, name) {
      if (name === "matrices") return matrices;
      const member = Reflect.get(target, name, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

const PARTS = ["stiffness", "damping", "rows", "rates", "biases"] as const;

describe("two bars in space", async () => {
  const system = (await twoBars()).system();
  const { workspace, trial } = system;
  const { positions, velocities } = system.coordinates;
  const { rows } = system.constraints;
  const both = {
    formulas: linearisationOf(system, true),
    differences: linearisationOf(withoutFormulas(system), true),
  };
  const accelerations = workspace.reserve("a", velocities);
  const multipliers = workspace.reserve("lambda", rows);
  const arena = workspace.seal();
  const all = new Float64Array(arena.memory.buffer);
  const state = arena.floats({ name: "q, v", address: trial.q, slots: positions + velocities });
  const heights = {
    stiffness: velocities,
    damping: velocities,
    rows,
    rates: positions,
    biases: rows,
  };

  /** The sum of all entries at their places. */
  function matrix(entries: readonly MatrixEntry[], height: number): Float64Array {
    const out = new Float64Array(height * velocities);
    for (const { row, column, address, scale } of entries)
      out[row + height * column] += scale * (all[address / 8] ?? Number.NaN);
    return out;
  }

  function evaluated(linearisation: DirectLinearisation) {
    linearisation.evaluate(0, accelerations.address, multipliers.address);
    const { biases, gyroscopicOffset } = linearisation;
    const gyroscopic = biases.map((entry) => ({
      ...entry,
      address: entry.address + gyroscopicOffset,
    }));
    const found = PARTS.map((part) => [part, matrix(linearisation[part], heights[part])] as const);
    return new Map([...found, ["gyroscopic", matrix(gyroscopic, rows)]]);
  }

  test("derivatives are available both analytically and by finite differences", () => {
    expect(both.formulas.source).toBe("analytic");
    expect(both.differences.source).toMatch(/^by differences/);
    expect([positions, velocities, rows]).toEqual([14, 12, 8]);
  });

  test.each([1, 2, 3])(
    "analytic derivatives and finite differences agree at random states, %d",
    (seed) => {
      const random = seeded(seed);
      state.set(randomVector(random, positions + velocities));
      for (const body of [0, 7]) {
        const quaternion = state.subarray(body + 3, body + 7);
        const length = Math.hypot(...quaternion);
        quaternion.forEach((x, i) => {
          quaternion[i] = x / length;
        });
      }
      arena.floats(accelerations).set(randomVector(random, velocities));
      arena.floats(multipliers).set(randomVector(random, rows));
      system.at(0);
      const exact = evaluated(both.formulas);
      const differences = evaluated(both.differences);
      expect(exact.size).toBe(6);
      for (const [part, values] of exact) {
        const size = Math.max(...values.map(Math.abs));
        expect(size, part).toBeGreaterThan(0.1);
        values.forEach((x, i) => {
          const other = differences.get(part)![i]!;
          expect(Math.abs(x - other), `${part} ${i}`).toBeLessThan(1e-6 * size);
        });
      }
    },
  );
});
