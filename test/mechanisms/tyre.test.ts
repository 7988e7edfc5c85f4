import { type BodyOptions, box, compile, type Model, model } from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import { stateOf } from "./support/reading.js";
import { integrated } from "./support/reference.js";
import { difference, norm } from "./support/vectors.js";

const G = 9.81;

/** Returns the state of the first body after a time. */
async function ran(m: Model, time: number, step = 1e-3) {
  return stateOf((await compile(m)).simulate({ step }).runTo(time), 0);
}

describe("tyre", () => {
  const wheel: BodyOptions = { mass: 20, shape: box({ x: 1, y: 1, z: 1 }) };

  test("sinks by weight over stiffness on a flat road, and rests there", async () => {
    const m = model();
    const body = m.body({ ...wheel, position: [0, 0, 0.7] });
    m.tyre({ wheel: body, stiffness: 8000, damping: 300, radius: 0.4, height: 0.25 });
    const { r, v } = await ran(m, 4);
    expect(difference(r, [0, 0, 0.65 - (20 * G) / 8000])).toBeLessThan(1e-9);
    expect(norm(v)).toBeLessThan(1e-8);
  });

  const height = (x: number) => 0.03 * Math.sin(4 * x) + 0.01 * Math.cos(9 * x);
  const slope = (x: number): [number, number] => [
    0.12 * Math.cos(4 * x) - 0.09 * Math.sin(9 * x),
    0,
  ];

  test.each([
    ["slopes given", { height, slope }],
    ["slopes by differences", { height }],
  ])("follows its equation over hills: %s", async (_, road) => {
    const m = model();
    const start = 0.4 - (20 * G) / 8000;
    const body = m.body({ ...wheel, position: [0, 0, start], velocity: [2, 0, 0] });
    m.tyre({ wheel: body, stiffness: 8000, damping: 300, radius: 0.4, ...road });
    const { r, v } = await ran(m, 3, 5e-4);
    const acceleration = (t: number, z: number, u: number) => {
      const x = 2 * t;
      const pressed = 0.4 - z + height(x);
      const force = 8000 * pressed - 300 * (u - 2 * slope(x)[0]);
      return (pressed < 0 ? 0 : Math.max(0, force)) / 20 - G;
    };
    const [z, u] = integrated((t, y) => [y[1], acceleration(t, y[0], y[1])], [start, 0], 3, 30000);
    expect(difference([r[0], r[1], r[2], v[2]], [6, 0, z, u])).toBeLessThan(2e-8);
  });

  test("leaves the road instead of pulling, unless pulling is allowed", async () => {
    for (const bilateral of [false, true]) {
      const m = model();
      const body = m.body({ ...wheel, position: [0, 0, 0.9] });
      m.tyre({ wheel: body, stiffness: 8000, radius: 0.4, bilateral });
      const { r } = await ran(m, 0.2);
      const swing = (0.5 + (20 * G) / 8000) * Math.cos(20 * 0.2) + 0.4 - (20 * G) / 8000;
      expect(r[2]).toBeCloseTo(bilateral ? swing : 0.9 - (G * 0.04) / 2, 7);
    }
  });
});
