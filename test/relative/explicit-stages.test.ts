// All stages of an explicit step in one call: the same bits as stage by stage, and the same errors.

import { type Integrator, type Method, rk4, stagedProjection, udwadiaKalaba } from "nodrift";
import { compile, type Model, model } from "nodrift/bodies";
import { bennett, chain3d, nFourBar } from "nodrift/mechanisms";
import { dop853, dp5, solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { Node } from "../../assembly/layout-tree.js";
import { seeded } from "../../bench/support/random.js";
import { randomLoop } from "../../bench/support/random-mechanisms.js";
import { inlineFourBarModel } from "../../bench/support/relative-loops.js";
import { hingeChain, humanoid } from "../../bench/support/relative-trees.js";
import type { RelativeSystem } from "../../src/systems/relative/system/system.js";
import { randomTree, randomTypes } from "./support/random-trees.js";

type Stabilisation = Exclude<NonNullable<Method["stabilisation"]>, readonly unknown[]>;

/** Does nothing, but in every stage: so stages come one by one. */
const inStages: Stabilisation = {
  name: "nothing in stages",
  reference: "",
  actsOn: "stages",
  oneStepOnly: false,
  needsEnergy: false,
  bind: (system) => ({ stage: (t) => system.at(t) }),
};

const atOnce = (integrator: Integrator): Method => ({ formulation: udwadiaKalaba(), integrator });
const oneByOne = (integrator: Integrator): Method => ({
  ...atOnce(integrator),
  stabilisation: inStages,
});

const RELATIVE = { coordinates: "relative" } as const;

async function stagesOf(mechanism: Model, stage?: (t: number) => void) {
  const system = (await compile(mechanism, RELATIVE)).system();
  return udwadiaKalaba().bind(system, stage ? { stage } : {}).ode.stages;
}

test("only trees without forces and hooks in stages, and loops that are projected, have stages at once", async () => {
  expect(await stagesOf(hingeChain(3))).toBeDefined();
  expect(await stagesOf(hingeChain(3), () => {})).toBeUndefined();
  expect(await stagesOf(nFourBar(2))).toBeUndefined();
  const looped = (await compile(nFourBar(2), RELATIVE)).system();
  const projected = stagedProjection().bind(looped);
  expect(udwadiaKalaba().bind(looped, projected).ode.stages).toBeDefined();
  const sprung = model();
  const body = sprung.body({ name: "body", mass: 1, inertia: [1, 1, 1], position: [1, 0, 0] });
  sprung.revolute({ between: [sprung.ground, body], at: [0, 0, 0], axis: [0, 0, 1] });
  expect(await stagesOf(sprung)).toBeDefined();
  sprung.spring({ between: [sprung.ground, body], stiffness: 1 });
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

describe.each(models)("%s", (_, make) => {
  test.each([rk4, dp5])("the same bits (%#)", async (integrator) => {
    const runs: number[][] = [];
    for (const method of [atOnce(integrator()), oneByOne(integrator())]) {
      const simulation = (await compile(make(), RELATIVE)).simulate({ step: 1e-3, method });
      simulation.advance(50);
      runs.push([...simulation.q, ...simulation.v]);
    }
    expect(runs[0]).toEqual(runs[1]);
  });

  test("the same error where the motion diverges", async () => {
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

/** The same without what lets stages come at once. */
function stageByStage(): Stabilisation {
  const staged = stagedProjection();
  return {
    ...staged,
    bind(system) {
      const { leavesOpen: _, ...bound } = staged.bind(system);
      return bound;
    },
  };
}

const loops: readonly (readonly [name: string, make: () => Model])[] = [
  // Its rows stay closed by themselves, but for one stage in a hundred.
  ["N-four-bar 3", () => nFourBar(3)],
  ["N-four-bar 2, askew", () => nFourBar(2, { psi0: 0.5 })],
  ["Bennett", bennett],
  ["in line", () => inlineFourBarModel()],
  ...[1, 2, 3, 4, 5, 6].map(
    (seed) => [`random loop ${seed}`, () => randomLoop(seed, "planar").model] as const,
  ),
];

describe.each(loops)("%s, projected in stages", (_, make) => {
  test.each([rk4, dp5])("the same bits at once and stage by stage (%#)", async (integrator) => {
    const runs: number[][] = [];
    for (const stabilisation of [stagedProjection(), stageByStage()]) {
      const method = { formulation: udwadiaKalaba(), stabilisation, integrator: integrator() };
      const simulation = (await compile(make(), RELATIVE)).simulate({ step: 2e-3, method });
      simulation.advance(150);
      runs.push([...simulation.q, ...simulation.v, ...simulation.turns]);
    }
    expect(runs[0]).toEqual(runs[1]);
  });
});

describe("steps in one", () => {
  test("only where nothing but kernels acts between them", async () => {
    const stepsOf = async (mechanism: Model, stabilisation: Stabilisation) => {
      const system = (await compile(mechanism, RELATIVE)).system();
      return udwadiaKalaba().bind(system, stabilisation.bind(system)).ode.steps;
    };
    expect(await stepsOf(nFourBar(2), stagedProjection())).toBeDefined();
    expect(await stepsOf(nFourBar(2), stagedProjection({ positions: false }))).toBeUndefined();
    expect(await stepsOf(nFourBar(2), stageByStage())).toBeUndefined();
  });

  // The four-bar in line turns round, and has steps that are corrected among others.
  test.each(loops.slice(0, 4))("%s: the same bits and turns as one by one", async (_, make) => {
    const compiled = await compile(make(), RELATIVE);
    const [whole, single] = [0, 1].map(() => compiled.simulate({ step: 2e-3 }));
    let told = 0;
    whole.runTo(3);
    single.runTo(3, () => told++);
    expect(told).toBe(1500);
    expect(whole.time).toBe(single.time);
    expect([...whole.q, ...whole.v, ...whole.turns]).toEqual([
      ...single.q,
      ...single.v,
      ...single.turns,
    ]);
    expect([...whole.accelerations()]).toEqual([...single.accelerations()]);
  });

  test("a push acts in the step after it was asked for, and no longer than asked for", async () => {
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

test("runs to a tolerance are the same, and tell the same numbers", async () => {
  const runs: unknown[] = [];
  for (const stabilisation of [stagedProjection(), stageByStage()]) {
    const method = { formulation: udwadiaKalaba(), stabilisation, integrator: dp5() };
    const compiled = await compile(nFourBar(2), RELATIVE);
    const { end, statistics } = solve(compiled, {
      span: [0, 2],
      tolerance: 1e-7,
      method,
      output: "ends",
    });
    const { steps, rejections, evaluations, factorisations } = statistics;
    runs.push([[...end.q], steps, rejections, evaluations, factorisations]);
  }
  expect(runs[0]).toEqual(runs[1]);
});

test("a loop goes on with the same bits after its state was put back", async () => {
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

test("sines and cosines of all angles are right to the last place", async () => {
  const system = (await compile(hingeChain(3), RELATIVE)).system() as RelativeSystem;
  const { quantities, trial, workspace } = system;
  const arena = workspace.seal();
  const q = arena.floats({ name: "q", address: trial.q, slots: 3 });
  const nodes = arena.floats(quantities.segments.nodes);
  const random = seeded(7);
  for (let i = 0; i < 3000; i++) {
    const size = [1, 10, 1e3, 9e5, 1e9][i % 5];
    // Every third beside a multiple of pi / 2, where most is lost.
    for (let k = 0; k < 3; k++) q[k] = size * random();
    q[2] = Math.round(q[2]) * (Math.PI / 2);
    system.at(0);
    quantities.requirePoses();
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
  ])("of %s count every stage that is taken at once", async (_, options) => {
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
