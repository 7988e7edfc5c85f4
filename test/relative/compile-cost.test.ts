// Rows that vanish, found for many joints in one pass, against one row at a time; and work that is linear in bodies and formulas.

import { compile, model, rod } from "nodrift/bodies";
import { describe, expect, test, vi } from "vitest";
import { Workspace } from "../../src/base/memory/workspace.js";
import { Graph } from "../../src/formulas/expressions/graph.js";
import { randomNumbers } from "../../src/systems/bodies/redundancy/nearby-poses.js";
import { planRelative, type RelativePlan } from "../../src/systems/relative/plan/relative-plan.js";
import {
  treeWithoutForces,
  zeroRows,
} from "../../src/systems/relative/redundancy/relative-ranks.js";
import { RelativeSystem } from "../../src/systems/relative/system/system.js";

const X = [1, 0, 0] as const;
const Y = [0, 1, 0] as const;
const Z = [0, 0, 1] as const;

/** Four-bars in a row that share uprights, the last of them with a ball in place of a hinge, and a pendulum. */
function ladder(cells: number) {
  const m = model({ gravity: [0, -9.81, 0] });
  let last = m.ground;
  for (let i = 0; i <= cells; i++) {
    const upright = m.body({
      mass: 1,
      shape: rod({ length: 1, axis: Y }),
      position: [i, 0.5, 0],
    });
    m.revolute({ between: [m.ground, upright], at: [i, 0, 0], axis: Z });
    if (i > 0) {
      const top = m.body({
        mass: 1,
        shape: rod({ length: 1, axis: X }),
        position: [i - 0.5, 1, 0],
      });
      m.revolute({ between: [last, top], at: [i - 1, 1, 0], axis: Z });
      if (i < cells) m.revolute({ between: [top, upright], at: [i, 1, 0], axis: Z });
      else {
        // Along x: the row that vanishes has another place in its joint than those of the hinges.
        const marker = top.marker({ name: "end", at: [0.5, 0, 0], axis: X });
        m.spherical({ between: [marker, upright.marker({ name: "tip", at: [0, 0.5, 0] })] });
      }
    }
    last = upright;
  }
  const bob = m.body({ mass: 1, inertia: [1, 1, 1], position: [0, -1, 0] });
  m.spherical({ between: [m.ground, bob], at: [0, 0, 0] });
  return m;
}

/** Rows of J that are zero at a random pose, each multiplied by J^T alone. */
function vanishingAlone(system: RelativeSystem, { tree }: RelativePlan): Set<number> {
  const { constraints, coordinates, workspace } = system;
  const unit = workspace.reserve("a row", constraints.rows);
  const force = workspace.reserve("its force", coordinates.velocities);
  const arena = workspace.seal();
  const random = randomNumbers(3);
  system.trialNumbers.set(Array.from({ length: tree.positions }, () => 0.3 + random()));
  system.at(0);
  const found = new Set<number>();
  for (let row = 0; row < constraints.rows; row++) {
    arena.floats(unit).fill(0);
    arena.floats(unit)[row] = 1;
    constraints.jacobianTransposeTimes(unit.address, force.address);
    if (arena.floats(force).every((x) => Math.abs(x) < 1e-12)) found.add(row);
  }
  return found;
}

describe("compilation", () => {
  test.each([1, 2, 5, 40])("finds the same zero rows for %i cells as row by row", async (cells) => {
    const compiled = await compile(ladder(cells));
    const whole = treeWithoutForces(planRelative(compiled.plan, compiled.q));
    const make = () => compiled.relativeSystem({ plan: whole, ranks: undefined });
    const found = zeroRows(make(), 0);
    expect(found).toEqual(vanishingAlone(make(), whole));
    // Rows of loops without the ball vanish but for two.
    expect(found.size).toBeGreaterThanOrEqual(3 * (cells - 1));
  });

  test("makes three memories, and as many passes over the tree for many loops as for some", async () => {
    const passes = vi.spyOn(RelativeSystem.prototype, "jointForces");
    const memories = vi.spyOn(Workspace.prototype, "seal");
    try {
      await compile(ladder(6));
      const few = passes.mock.calls.length;
      expect(memories).toHaveBeenCalledTimes(3);
      await compile(ladder(40));
      expect(few).toBeGreaterThan(0);
      expect(passes).toHaveBeenCalledTimes(2 * few);
    } finally {
      passes.mockRestore();
      memories.mockRestore();
    }
  });

  test("differentiates in proportion to the number of formulas", async () => {
    const operations = vi.spyOn(Graph.prototype, "apply");
    const counts: number[] = [];
    try {
      for (const count of [10, 40]) {
        const m = model();
        let last = m.ground;
        for (let i = 0; i < count; i++) {
          const body = m.body({ mass: 1, shape: rod({ length: 1, axis: X }), position: [i, 0, 0] });
          const joint = m.revolute({ between: [last, body], at: [i, 0, 0], axis: Y });
          m.torsionSpring({ joint, torque: "-20 * sin(angle) - 0.3 * rate" });
          last = body;
        }
        const compiled = await compile(m);
        operations.mockClear();
        compiled.simulate({ step: 1e-3 });
        counts.push(operations.mock.calls.length);
      }
    } finally {
      operations.mockRestore();
    }
    expect(counts[1]! / counts[0]!).toBeLessThan(4.6);
  });
});
