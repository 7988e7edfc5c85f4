import { compile } from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import { stateOf } from "./support/reading.js";
import { type Description, linkage, ORIGINAL } from "./support/transformed.js";
import {
  difference,
  minus,
  product,
  rotation,
  scaled,
  timesTransposed,
  transposed,
  turnAbout,
  type V3,
} from "./support/vectors.js";

const STEPS = 1000;

/** Returns positions, axes and velocities of all bodies after a second, in the original frame and units. */
async function motion(changes: Partial<Description>): Promise<number[]> {
  const description = { ...ORIGINAL, ...changes };
  const { turn, shift, metre, second } = description;
  const { m, bodies } = linkage(description);
  const system = await compile(m, { hold: [] });
  const simulation = system.simulate({ step: second / STEPS });
  simulation.runTo(second);
  const R = rotation(turn);
  const back = (x: V3, factor: number) => timesTransposed(R, scaled(1 / factor, x));
  return bodies.flatMap((body) => {
    const state = stateOf(simulation, body);
    return [
      ...back(minus(state.r, shift), metre),
      ...product(transposed(R), state.R).flat(),
      ...back(state.v, metre / second),
      ...scaled(second, state.w),
    ];
  });
}

const plain = motion({});

test("the mechanism moves as a closed loop", async () => {
  const { m } = linkage(ORIGINAL);
  const system = await compile(m, { hold: [] });
  expect(system.plan.blocks.filter(({ closing }) => closing).length).toBeGreaterThan(1);
  const still = ORIGINAL.bodies.flatMap((body) => {
    const { r, R, v, w } = stateOf(system, body);
    return [...r, ...R.flat(), ...v, ...w];
  });
  expect(difference(await plain, still)).toBeGreaterThan(1);
});

describe("the motion does not depend on", () => {
  const cases: Record<string, Partial<Description>> = {
    "where the world's origin is": { shift: [3, -5, 2] },
    "how the world's axes are turned": { turn: turnAbout([1, 2, -0.5], 2.1) },
    both: { turn: turnAbout([-1, 0.2, 0.5], -1.1), shift: [-2, 1, 7] },
    "the order of bodies": { bodies: [3, 0, 4, 2, 1] },
    "the order of joints and forces": { joints: [6, 9, 3, 0, 8, 5, 1, 7, 4, 2] },
    "the order of everything": { bodies: [4, 3, 2, 1, 0], joints: [9, 8, 7, 6, 5, 4, 3, 2, 1, 0] },
  };
  test.each(Object.entries(cases))("%s", async (_, changes) => {
    expect(difference(await motion(changes), await plain)).toBeLessThan(1e-9);
  });

  test.each([
    ["millimetres and grams", { metre: 1e3, kilogram: 1e3 }],
    ["inches, pounds and minutes", { metre: 39.37, kilogram: 2.2046, second: 1 / 60 }],
    ["kilometres and tonnes", { metre: 1e-3, kilogram: 1e-3 }],
    ["metres for what is a micrometre long", { metre: 1e-6, kilogram: 1e-9 }],
    ["milliseconds", { second: 1e3 }],
  ])("units: %s", async (_, changes) => {
    expect(difference(await motion(changes), await plain)).toBeLessThan(1e-9);
  });
});
