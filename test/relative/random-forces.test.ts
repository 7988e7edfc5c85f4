// Random trees and loops under random forces: stages in one call, compared with single stages. Trees have the same bits;
// loops close by other solves, whose rounding differs.

import { type Method, none, rk4, type System, stagedProjection, udwadiaKalaba } from "nodrift";
import { compile, type Model } from "nodrift/bodies";
import { expect, test } from "vitest";
import { type Random, seeded } from "../support/random.js";
import { randomLoop } from "../support/random-mechanisms.js";
import { randomParts, randomTypes } from "./support/random-trees.js";

const TREES = 80;
const LOOPS = 60;

/** Adds one to six forces of any kind. */
function push(m: Model, seed: number): void {
  const random = seeded(1000 + seed);
  const { bodies, joints } = m.data();
  const pick = <T>(list: readonly T[]): T =>
    list[Math.floor(0.9999 * Math.abs(random()) * list.length)] as T;
  const hinges = joints.filter(({ type }) => type === "revolute").map(({ name }) => name);
  const count = 1 + Math.floor(6 * Math.abs(random()));
  for (let i = 0; i < count; i++) {
    const [a, b] = [pick(bodies).name, pick(bodies).name];
    const kind = pick(hinges.length > 0 ? [...onBodies, ...onHinges] : onBodies);
    kind(m, a, b, hinges.length > 0 ? pick(hinges) : "", random);
  }
}

type Push = (m: Model, a: string, b: string, hinge: string, random: Random) => void;

const onBodies: readonly Push[] = [
  (m, a, _b, _hinge, random) =>
    m.spring({ between: [m.ground, a], stiffness: 30 * Math.abs(random()), damping: 0.2 }),
  (m, a) => m.spring({ between: [m.ground, a], force: (length, _rate, t) => length * Math.cos(t) }),
  (m, a) => m.spring({ between: [m.ground, a], force: "4 * length + rate + sin(20 * t)" }),
  (m, a) => m.drag({ on: a, linear: 0.3, angular: 0.1, quadratic: 0.2 }),
  (m, a, b) => {
    if (a !== b) m.bushing({ between: [a, b], at: [0, 0, 0], stiffness: [3, 4, 5] });
  },
  (m, a) =>
    m.userForce({
      bodies: [a],
      apply([{ velocity }], [{ force }], t) {
        for (let k = 0; k < 3; k++) force[k] += Math.sin(t) - velocity[k];
      },
    }),
  (m, a) => m.userForce({ bodies: [a], loads: [{ force: [0.3, "cos(t)", 0] }] }),
];

const onHinges: readonly Push[] = [
  (m, _a, _b, joint) => m.torsionSpring({ joint, torque: "-sin(angle) - rate" }),
  (m, _a, _b, joint) => m.motor({ joint, mode: "velocity", target: 2, damping: 3 }),
  (m, _a, _b, joint) => m.stop({ joint, lower: -0.2, upper: 0.2, stiffness: 200, damping: 2 }),
  (m, _a, _b, joint) => m.friction({ joint, coulomb: 0.2, viscous: 0.1 }),
];

type Stabilisation = NonNullable<Method["stabilisation"]>;

const staging = (system: System, correct: (t: number) => void) => ({
  ...none().bind(system),
  stage: { correct, closesOnly: false },
});

/** Nothing, in every stage: so stages of trees are evaluated one by one. */
const inStages: Stabilisation = {
  ...none(),
  name: "nothing in stages",
  actsOn: "stages",
  bind: (system) => staging(system, (t) => system.at(t)),
};

/** Projection in every stage, without the data that stages in one call need. */
function oneByOne(): Stabilisation {
  const staged = stagedProjection();
  return {
    ...staged,
    bind(system) {
      const { stage, ...bound } = staged.bind(system);
      return { ...bound, ...(stage && { stage: { correct: stage.correct, closesOnly: true } }) };
    },
  };
}

async function endOf(made: Model, step: number, stabilisation?: Stabilisation): Promise<number[]> {
  const method = { formulation: udwadiaKalaba(), integrator: rk4() };
  const simulation = (await compile(made, { coordinates: "relative" })).simulate({
    step,
    method: stabilisation ? { ...method, stabilisation } : method,
  });
  simulation.advance(120);
  return [...simulation.q, ...simulation.v];
}

test(`${TREES} trees have the bits of single stages`, async () => {
  for (let seed = 1; seed <= TREES; seed++) {
    const make = () => {
      const types = randomTypes(seeded(seed), 2 + (seed % 6));
      const { m } = randomParts({ seed, types, free: seed % 3 === 0 });
      push(m, seed);
      return m;
    };
    const step = seed % 2 === 0 ? 5e-3 : 1e-3;
    expect(await endOf(make(), step), `${seed}`).toEqual(await endOf(make(), step, inStages));
  }
});

test(`${LOOPS} loops end as by single stages`, async () => {
  for (let seed = 1; seed <= LOOPS; seed++) {
    const make = () => {
      const { model } = randomLoop(seed, seed % 2 === 0 ? "spatial" : "planar");
      push(model, seed);
      return model;
    };
    const step = seed % 4 < 2 ? 1e-3 : 4e-3;
    const fused = await endOf(make(), step, stagedProjection());
    const single = await endOf(make(), step, oneByOne());
    const size = Math.max(1, ...single.map(Math.abs));
    const off = Math.max(...fused.map((x, i) => Math.abs(x - single[i]))) / size;
    expect(off, `${seed}`).toBeLessThan(1e-7);
  }
});
