// Joints between user markers with any axes, opposite or rotated, and the initial values that screws hold.

import { type Body, compile, type Model, model } from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import { jointCoordinates } from "../../src/systems/relative/plan/joint-coordinates.js";
import { planTree } from "../../src/systems/relative/plan/relative-plan.js";
import { bodyStates } from "../support/naive-tree.js";
import { randomVector, seeded } from "../support/random.js";
import { randomBody, three } from "./support/random-trees.js";

type V3 = readonly [number, number, number];
type Type = "revolute" | "cylindrical" | "planar" | "prismatic" | "fixed";
/** z and x of marker B in terms of the axes of A. */
type Alignment = readonly [z: V3, x: V3];

const AXIS: Alignment[] = [
  [
    [0, 0, 1],
    [1, 0, 0],
  ],
  [
    [0, 0, 1],
    [-1, 2, 0],
  ],
  [
    [0, 0, -1],
    [1, 0, 0],
  ],
  [
    [0, 0, -1],
    [-1, 2, 0],
  ],
];
/** The eight rotations that satisfy a_y . b_z = a_z . b_x = a_x . b_y = 0: first the diagonal ones, then cycles. */
const AXES: Alignment[] = [
  [
    [0, 0, 1],
    [1, 0, 0],
  ],
  [
    [0, 0, -1],
    [1, 0, 0],
  ],
  [
    [0, 0, 1],
    [-1, 0, 0],
  ],
  [
    [0, 0, -1],
    [-1, 0, 0],
  ],
  [
    [1, 0, 0],
    [0, 1, 0],
  ],
  [
    [-1, 0, 0],
    [0, 1, 0],
  ],
  [
    [1, 0, 0],
    [0, -1, 0],
  ],
  [
    [-1, 0, 0],
    [0, -1, 0],
  ],
];

const cases: { type: Type; alignments: Alignment[] }[] = [
  { type: "revolute", alignments: AXIS },
  { type: "cylindrical", alignments: AXIS },
  { type: "planar", alignments: AXIS },
  // The transverse rows of a slide are about z of A, so only rotations that keep z move along it; all eight satisfy
  // the rows.
  { type: "prismatic", alignments: AXES },
  { type: "fixed", alignments: AXES },
];

/** Two bodies joined by markers at the origin of the world: A has its axes, B those of the alignment. */
function joined(type: Type, [axis, x]: Alignment, isReversed: boolean, seed: number): Model {
  const random = seeded(seed);
  const m = model({ name: `${type} ${seed}`, gravity: three(random) });
  const [near, far] = [randomBody(m, random, "near"), randomBody(m, random, "far")];
  m.revolute({ name: "base", between: [m.ground, near], at: three(random), axis: three(random) });
  const marker = (body: Body, z: V3, along: V3) =>
    body.marker({ at: [0, 0, 0], axis: z, x: along, frame: "world" });
  const [bodyA, bodyB] = isReversed ? [far, near] : [near, far];
  const between = [marker(bodyA, [0, 0, 1], [1, 0, 0]), marker(bodyB, axis, x)] as const;
  m[type]({ name: "joint", between });
  return m;
}

describe("user markers", () => {
  test.each(cases)(
    "keep their initial alignment in a $type joint",
    async ({ type, alignments }) => {
      for (const [i, alignment] of alignments.entries()) {
        for (const isReversed of [false, true]) {
          const m = joined(type, alignment, isReversed, 40 + i);
          const plan = planTree(m.data());
          const random = seeded(i);
          const q = randomVector(random, plan.positions);
          const v = randomVector(random, plan.velocities);
          const states = bodyStates(plan, m.data(), q, v);
          const compiled = await compile(m);
          // Rows are satisfied by other rotations as well: the initial one is chosen.
          const { misfits } = jointCoordinates(plan, m.data(), compiled);
          for (const { turn, distance } of misfits) expect(turn + distance).toBeLessThan(1e-13);
          const simulation = compiled.simulate({ step: 1e-3 });
          simulation.setState(states.q, states.v, { start: "asGiven" });
          expect(Math.max(...simulation.phi().map(Math.abs))).toBeLessThan(1e-13);
          expect(Math.max(...simulation.phiDot().map(Math.abs))).toBeLessThan(1e-13);
          for (const { sensor, positionNames, position, velocity } of plan.nodes) {
            if (sensor < 0) continue;
            const [name, what] = positionNames[0].split(" ") as [string, "angle" | "displacement"];
            const read = simulation.joint(name);
            expect(read[what]).toBeCloseTo(q[position], 13);
            expect(read[`${what}Rate`]).toBeCloseTo(v[velocity], 13);
          }
          const back = jointCoordinates(plan, m.data(), states);
          for (const [j, x] of q.entries()) expect(back.q[j]).toBeCloseTo(x, 13);
        }
      }
    },
  );

  test("take their alignment from given poses rather than those of the model", () => {
    const m = joined("revolute", AXIS[0], false, 3).data();
    const plan = planTree(m);
    const zero = new Float64Array(plan.velocities);
    const { q } = bodyStates(plan, m, new Float64Array(plan.positions), zero);
    // The far body upside down: half a revolution about x of the world, where its marker is.
    const [x, y, z] = q.subarray(7, 10);
    const [a, b, c, d] = q.subarray(10, 14);
    q.set([x, -y, -z, -b, a, -d, c], 7);
    const turned = planTree(m, { positions: q });
    const found = (each: typeof plan) => jointCoordinates(each, m, { q, v: new Float64Array(12) });
    expect(found(plan).misfits[1].turn).toBeGreaterThan(1);
    expect(found(turned).misfits[1].turn).toBeLessThan(1e-13);
  });
});

describe("screws", () => {
  test.each([false, true])(
    "hold the initial offset of the thread (reversed: %s)",
    async (isReversed) => {
      const random = seeded(77);
      const m = model({ name: "screw", gravity: [0, 0, -9.81] });
      const nut = randomBody(m, random, "nut");
      const a = m.ground.marker({ at: [0, 0, 0.5], axis: [0, 0, 1], x: [1, 0, 0] });
      const b = nut.marker({ at: [0, 0, 1.2], axis: [0, 0, 1], x: [1, 1, 0], frame: "world" });
      m.screw({ name: "thread", between: isReversed ? [b, a] : [a, b], pitch: 0.3 });
      const compiled = await compile(m);
      const start = compiled.simulate({ step: 1e-3 });
      const { angle, displacement } = start.joint("thread");
      const held = (0.3 / (2 * Math.PI)) * angle! - displacement!;
      expect(Math.abs(held)).toBeGreaterThan(0.1);
      const plan = planTree(m.data(), { threads: new Map([[0, held]]) });
      for (const turns of [0.2, 31]) {
        const states = bodyStates(plan, m.data(), [turns], [1]);
        start.setState(states.q, states.v, {
          unwrappedAngles: { thread: turns },
          start: "asGiven",
        });
        expect(Math.max(...start.phi().map(Math.abs))).toBeLessThan(1e-13);
        // Its displacement determines its rotation.
        expect(jointCoordinates(plan, m.data(), states).q[0]).toBeCloseTo(turns, 12);
      }
      // Without that offset the nut would jump to the beginning of the thread.
      const wrong = bodyStates(planTree(m.data()), m.data(), [0.2], [1]);
      const right = bodyStates(plan, m.data(), [0.2], [1]);
      expect(Math.abs(wrong.q[2] - right.q[2])).toBeCloseTo(Math.abs(held), 12);
    },
  );
});
