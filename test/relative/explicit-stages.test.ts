// All stages of an explicit step in one call, compared with single stages: the same bits and the same errors for trees.
// For loops the kernels factor corrected poses anew, where single stages refine by the factor of the pose before.

import {
  type Integrator,
  type Method,
  none,
  rk4,
  type System,
  stagedProjection,
  udwadiaKalaba,
} from "nodrift";
import { type Body, compile, type Model, model } from "nodrift/bodies";
import { bennett, chain3d, nFourBar } from "nodrift/mechanisms";
import { dop853, dp5, solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { Node } from "../../assembly/layout-tree.js";
import type { RelativeSystem } from "../../src/systems/relative/system/system.js";
import { seeded } from "../support/random.js";
import { randomLoop } from "../support/random-mechanisms.js";
import { inlineFourBarModel } from "../support/relative-loops.js";
import { hingeChain, humanoid } from "../support/relative-trees.js";
import { randomParts, randomTree, randomTypes } from "./support/random-trees.js";

/** The largest difference of two lists. */
const deviation = (a: readonly number[], b: readonly number[]) =>
  Math.max(...a.map((x, i) => Math.abs(x - b[i])));

type Stabilisation = Exclude<NonNullable<Method["stabilisation"]>, readonly unknown[]>;

/** Does nothing, but in every stage: so stages are evaluated one by one. */
const inStages: Stabilisation = {
  ...none(),
  name: "nothing in stages",
  actsOn: "stages",
  bind: (system) => staging(system, (t) => system.at(t)),
};

/** A bound stabilisation that does this in every stage. */
const staging = (system: System, correct: (t: number) => void) => ({
  ...none().bind(system),
  stage: { correct, closesOnly: false },
});

const atOnce = (integrator: Integrator): Method => ({ formulation: udwadiaKalaba(), integrator });
const oneByOne = (integrator: Integrator): Method => ({
  ...atOnce(integrator),
  stabilisation: inStages,
});

const RELATIVE = { coordinates: "relative" } as const;

async function stagesOf(mechanism: Model, stage?: (t: number) => void) {
  const system = (await compile(mechanism, RELATIVE)).system();
  const stabilisation = stage ? staging(system, stage) : none().bind(system);
  return udwadiaKalaba().bind(system, stabilisation).ode.fused;
}

test("batched stages exist for trees whose forces kernels evaluate, and for projected loops", async () => {
  expect(await stagesOf(hingeChain(3))).toBeDefined();
  expect(await stagesOf(hingeChain(3), () => {})).toBeUndefined();
  expect(await stagesOf(nFourBar(2))).toBeUndefined();
  const looped = (await compile(nFourBar(2), RELATIVE)).system();
  const projected = stagedProjection().bind(looped);
  expect(udwadiaKalaba().bind(looped, projected).ode.fused).toBeDefined();
  const sprung = model();
  const body = sprung.body({ name: "body", mass: 1, inertia: [1, 1, 1], position: [1, 0, 0] });
  sprung.revolute({ between: [sprung.ground, body], at: [0, 0, 0], axis: [0, 0, 1] });
  expect(await stagesOf(sprung)).toBeDefined();
  sprung.spring({ between: [sprung.ground, body], stiffness: 1 });
  sprung.spring({ between: [sprung.ground, body], force: "length^2 + rate" });
  expect(await stagesOf(sprung)).toBeDefined();
  sprung.spring({ between: [sprung.ground, body], force: (length) => length });
  sprung.spring({ between: [sprung.ground, body], force: "sin(3 * t) * length" });
  expect(await stagesOf(sprung)).toBeDefined();
  sprung.spring({
    between: [sprung.ground, body],
    force: (_x, _v, _t, read) => read.position("body")[0],
  });
  expect(await stagesOf(sprung)).toBeUndefined();
});

const models: readonly (readonly [name: string, make: () => Model])[] = [
  ["hinges", () => hingeChain(8)],
  ["balls", () => chain3d(5)],
  ["humanoid", humanoid],
  ...[1, 2, 3, 4, 5, 6].map(
    (seed) =>
      [
        `random tree ${seed}`,
        () => randomTree({ seed, types: randomTypes(seeded(seed), 9), free: seed % 2 === 0 }),
      ] as const,
  ),
];

/** A tree with laws by constants, formulas and functions: on sensors, on bodies, between bodies, and on several. */
function pushedTree(seed: number, withFunctions = false): Model {
  const parts = randomParts({ seed, types: randomTypes(seeded(seed), 5), chain: true });
  const { m, bodies, joints } = parts;
  const [first, second, third, fourth, last] = bodies as [Body, Body, Body, Body, Body];
  m.spring({ between: [m.ground, last], stiffness: 30, damping: 0.2, length: 0.3 });
  m.spring({ between: [first, last], force: "4 * length + rate" });
  m.drag({ on: third, linear: 0.3, angular: 0.1 });
  m.bushing({ between: [second, third], at: [0, 0, 0], stiffness: [3, 4, 5], damping: [1, 0, 0] });
  for (const joint of joints) {
    if (joint.type === "revolute") m.torsionSpring({ joint, torque: "-sin(angle) - rate" });
  }
  m.userForce({ bodies: [fourth], loads: [{ force: [1, `-vy("${fourth.name}")`, 0.2] }] });
  if (!withFunctions) return m;
  m.spring({ between: [second, last], force: "sin(30 * t)" });
  m.spring({ between: [first, last], force: (length, rate, t) => 3 * length + Math.cos(t) * rate });
  m.userForce({
    bodies: [third, last],
    apply: ([a, b], [onA, onB], t) => {
      for (let i = 0; i < 3; i++) {
        onA!.force[i]! += t - a!.velocity[i]!;
        onB!.torque[i]! -= b!.angularVelocity[i]!;
      }
    },
  });
  return m;
}

const pushed = [1, 2, 3, 4, 5, 6].flatMap(
  (seed) =>
    [
      [`random tree ${seed} with forces`, () => pushedTree(seed)],
      [`random tree ${seed} with functions`, () => pushedTree(seed, true)],
    ] as const,
);

describe.each([...models, ...pushed])("batched stages of %s", (_, make) => {
  test.each([rk4, dp5])("equal single stages bit by bit (method %#)", async (integrator) => {
    const runs: number[][] = [];
    for (const method of [atOnce(integrator()), oneByOne(integrator())]) {
      const simulation = (await compile(make(), RELATIVE)).simulate({ step: 1e-3, method });
      simulation.advance(50);
      runs.push([...simulation.q, ...simulation.v]);
    }
    expect(runs[0]).toEqual(runs[1]);
  });

  test("report the same error as single stages if the motion diverges", async () => {
    const messages: string[] = [];
    for (const method of [atOnce(rk4()), oneByOne(rk4())]) {
      const simulation = (await compile(make(), RELATIVE)).simulate({ step: 1e100, method });
      let message = "";
      try {
        simulation.advance(50);
      } catch (error) {
        message = (error as Error).message;
      }
      messages.push(message);
    }
    expect(messages[0]).toMatch(/at t = /);
    expect(messages[0]).toBe(messages[1]);
  });
});

/** Staged projection without the data that batched stages need. */
function stageByStage(): Stabilisation {
  const staged = stagedProjection();
  return {
    ...staged,
    bind(system) {
      const { stage, ...bound } = staged.bind(system);
      return { ...bound, ...(stage && { stage: { correct: stage.correct, closesOnly: true } }) };
    },
  };
}

const loops: readonly (readonly [name: string, make: () => Model])[] = [
  // All but one stage in a hundred satisfy its rows without correction.
  ["N-four-bar 3", () => nFourBar(3)],
  ["N-four-bar 2, askew", () => nFourBar(2, { psi0: 0.5 })],
  ["Bennett", bennett],
  ["in line", () => inlineFourBarModel()],
  ...[1, 2, 3, 4, 5, 6].map(
    (seed) => [`random loop ${seed}`, () => randomLoop(seed, "planar").model] as const,
  ),
  ["in line, with forces", pushedFourBar],
];

function pushedFourBar(): Model {
  const m = inlineFourBarModel();
  m.spring({ between: [m.ground, "coupler"], stiffness: 30, damping: 0.2, length: 0.3 });
  m.torsionSpring({ joint: "ground to crank", torque: "-sin(angle) - rate + cos(9 * t)" });
  m.spring({ between: [m.ground, "coupler"], force: (length, _rate, t) => length + t });
  return m;
}

describe.each(loops)("batched projected stages of %s", (_, make) => {
  test.each([rk4, dp5])("equal single stages (method %#)", async (integrator) => {
    const runs: number[][] = [];
    for (const stabilisation of [stagedProjection(), stageByStage()]) {
      const method = { formulation: udwadiaKalaba(), stabilisation, integrator: integrator() };
      const simulation = (await compile(make(), RELATIVE)).simulate({ step: 2e-3, method });
      simulation.advance(150);
      runs.push([...simulation.q, ...simulation.v, ...simulation.unwrappedAngles]);
    }
    expect(deviation(runs[0], runs[1])).toBeLessThan(1e-9);
  });

  test("close rows to rounding at the end of each step", async () => {
    const compiled = await compile(make(), RELATIVE);
    const simulation = compiled.simulate({ step: 2e-3 });
    for (let i = 0; i < 150; i++) {
      simulation.advance();
      const { position, velocity } = simulation.constraintError();
      expect(position).toBeLessThan(2e-13);
      expect(velocity).toBeLessThan(1e-12);
    }
  });
});

describe("batches of steps", () => {
  test("exist only if kernels do all the work between steps", async () => {
    const stepsOf = async (mechanism: Model, stabilisation: Stabilisation) => {
      const system = (await compile(mechanism, RELATIVE)).system();
      return udwadiaKalaba().bind(system, stabilisation.bind(system)).ode.fused?.takesSteps;
    };
    expect(await stepsOf(nFourBar(2), stagedProjection())).toBe(true);
    expect(await stepsOf(nFourBar(2), stagedProjection({ positions: false }))).toBe(false);
    expect(await stepsOf(nFourBar(2), stageByStage())).toBeUndefined();
  });

  // The four-bar in line makes full revolutions; some of its steps are corrected.
  test.each(loops.slice(0, 4))(
    "give %s the same bits and unwrapped angles as single steps",
    async (_, make) => {
      const compiled = await compile(make(), RELATIVE);
      const [whole, single] = [0, 1].map(() => compiled.simulate({ step: 2e-3 }));
      let reportedSteps = 0;
      whole.runTo(3);
      single.runTo(3, () => reportedSteps++);
      expect(reportedSteps).toBe(1500);
      expect(whole.time).toBe(single.time);
      expect([...whole.q, ...whole.v, ...whole.unwrappedAngles]).toEqual([
        ...single.q,
        ...single.v,
        ...single.unwrappedAngles,
      ]);
      expect([...whole.accelerations()]).toEqual([...single.accelerations()]);
    },
  );

  test("apply a push from the next step on, for its duration only", async () => {
    const compiled = await compile(nFourBar(2), RELATIVE);
    const runs = [1, 20].map((each) => {
      const simulation = compiled.simulate({ step: 1e-3 });
      for (let i = 0; i < 20; i += each) simulation.advance(each);
      simulation.push("upright 0", { force: [1, 0, 0], for: 0.005 });
      for (let i = 0; i < 20; i += each) simulation.advance(each);
      return [...simulation.q];
    });
    expect(runs[0]).toEqual(runs[1]);
    expect(runs[0]).not.toEqual([...compiled.simulate({ step: 1e-3 }).advance(40).q]);
  });
});

test("adaptive runs with batched and single stages have the same results and steps", async () => {
  const counts: number[][] = [];
  const runs: number[][] = [];
  for (const stabilisation of [stagedProjection(), stageByStage()]) {
    const method = { formulation: udwadiaKalaba(), stabilisation, integrator: dp5() };
    const compiled = await compile(nFourBar(2), RELATIVE);
    const { end, statistics } = solve(compiled, {
      span: [0, 2],
      tolerance: 1e-7,
      method,
      output: "ends",
    });
    const { steps, rejections, evaluations } = statistics;
    counts.push([steps, rejections, evaluations]);
    runs.push([...end.q]);
  }
  expect(counts[0]).toEqual(counts[1]);
  expect(deviation(runs[0], runs[1])).toBeLessThan(1e-11);
});

test("a loop continues with the same bits after its state was restored", async () => {
  const ends: number[][] = [];
  for (const stabilisation of [stagedProjection(), stageByStage()]) {
    const method = { formulation: udwadiaKalaba(), stabilisation, integrator: rk4() };
    const simulation = (await compile(nFourBar(2), RELATIVE)).simulate({ step: 1e-3, method });
    simulation.advance(20);
    const saved = simulation.save();
    simulation.advance(20);
    const first = [...simulation.q, ...simulation.v];
    simulation.restore(saved);
    simulation.advance(20);
    expect([...simulation.q, ...simulation.v]).toEqual(first);
    ends.push(first);
  }
  expect(ends[0]).toEqual(ends[1]);
});

test("sines and cosines of all angles are accurate to the last digit", async () => {
  const system = (await compile(hingeChain(3), RELATIVE)).system() as RelativeSystem;
  const { trial, workspace } = system;
  const arena = workspace.seal();
  const q = arena.floats({ name: "q", address: trial.q, slots: 3 });
  const nodes = arena.floats(system.segments.nodes);
  const random = seeded(7);
  for (let i = 0; i < 3000; i++) {
    const size = [1, 10, 1e3, 9e5, 1e9][i % 5];
    // Every third angle is near a multiple of pi / 2, where most digits are lost.
    for (let k = 0; k < 3; k++) q[k] = size * random();
    q[2] = Math.round(q[2]) * (Math.PI / 2);
    system.at(0);
    system.requirePoses();
    for (let k = 0; k < 3; k++) {
      const at = Node.LENGTH * (k + 1) + Node.TURN;
      for (const [found, exact] of [
        [nodes[at], Math.sin(q[k])],
        [nodes[at + 1], Math.cos(q[k])],
      ]) {
        expect(Math.abs(found - exact)).toBeLessThanOrEqual(
          1.2e-16 * Math.max(1, 2 * Math.abs(exact)),
        );
        expect(Math.abs(found - exact)).toBeLessThanOrEqual(4e-16 * Math.abs(exact));
      }
    }
  }
});

describe("statistics", () => {
  test.each([
    ["rk4", { integrator: rk4(), step: 0.01 }],
    ["dp5", { integrator: dp5(), tolerance: 1e-6 }],
    ["dop853", { integrator: dop853(), tolerance: 1e-6 }],
  ])("count every batched stage of %s", async (_, options) => {
    const { stages } = options.integrator as { readonly stages: number };
    const run = async (coordinates: "relative" | "maximal") =>
      solve(await compile(hingeChain(3), { coordinates }), { span: [0, 1], ...options }).statistics;
    for (const kind of ["relative", "maximal"] as const) {
      const { steps, rejections, evaluations, factorisations } = await run(kind);
      const attempts = steps + rejections;
      expect(evaluations).toBeGreaterThanOrEqual((stages - 1) * attempts);
      expect(evaluations).toBeLessThanOrEqual((stages + 5) * attempts + 5);
      expect(factorisations).toBeGreaterThanOrEqual(evaluations - attempts - 1);
    }
  });
});
