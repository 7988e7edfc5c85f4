// Numerical parts of views: label layout, slider ranges, plate thickness, validation of options.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { DARK, LIGHT } from "../../src/draw/colours.js";
import { placeNames } from "../../src/draw/paint-aids.js";
import { checkViewOptions } from "../../src/view/options.js";
import { thickened } from "../../src/view/picture.js";
import { rangeFor } from "../../src/view/view.js";

/** Returns a deterministic generator of numbers from 0 to 1 (Park and Miller, 1988). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (48271 * state) % 2147483647;
    return state / 2147483647;
  };
}

describe("placeNames", () => {
  test.each([5, 40, 400])("places or counts each of %i names, without overlaps", (count) => {
    const next = seeded(count);
    const wanted = Array.from({ length: count }, () => ({
      x: 1200 * next() - 200,
      y: 700 * next() - 50,
      width: 20 + 100 * next(),
    }));
    const { placed, left } = placeNames(wanted, 800, 600);
    expect([...placed.map(({ index }) => index), ...left].sort((a, b) => a - b)).toEqual(
      wanted.map((_, i) => i),
    );
    for (const [i, a] of placed.entries()) {
      expect(a.x).toBeGreaterThanOrEqual(0);
      expect(a.x + wanted[a.index].width).toBeLessThanOrEqual(800);
      expect(a.y).toBeGreaterThan(0);
      expect(a.y).toBeLessThan(600);
      for (const b of placed.slice(i + 1)) {
        const apart =
          a.x > b.x + wanted[b.index].width ||
          b.x > a.x + wanted[a.index].width ||
          Math.abs(a.y - b.y) >= 14;
        expect(apart).toBe(true);
      }
    }
  });

  test("puts a name next to its body if there is room", () => {
    const { placed } = placeNames([{ x: 100, y: 100, width: 50 }], 800, 600);
    expect(placed).toEqual([{ index: 0, x: 108, y: 90, length: 50, isMoved: false }]);
  });
});

test("thickened doubles coplanar and collinear points only", () => {
  const half = 0.1;
  const triangle = thickened(
    [
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
    ],
    half,
  );
  expect(triangle).toHaveLength(6);
  expect(new Set(triangle.map(([, , z]) => Math.abs(z)))).toEqual(new Set([half]));
  expect(
    thickened(
      [
        [0, 0, 0],
        [1, 0, 0],
        [2, 0, 0],
      ],
      half,
    ),
  ).toHaveLength(12);
  expect(
    thickened(
      [
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ],
      half,
    ),
  ).toHaveLength(4);
});

test("rangeFor surrounds the value, or follows the options", () => {
  expect(rangeFor(10, {})).toEqual([1, 30]);
  expect(rangeFor(-10, {})).toEqual([-30, -1]);
  expect(rangeFor(0, {})).toEqual([-1, 1]);
  expect(rangeFor(10, { minimum: 5, maximum: 8 })).toEqual([5, 8]);
});

test.each([
  [{ them: "dark" }, /unknown option "them".*theme/],
  [{ theme: "grey" }, /theme is "grey"; give one of auto, light, dark/],
  [{ play: 1 }, /play is 1; give a boolean/],
  [{ speed: -1 }, /speed is -1; give 0 or more/],
  [{ show: { reaction: true } }, /unknown part "reaction".*reactions/],
  [{ show: { names: 1 } }, /show.names is 1; give true or false/],
  [5, /the options are 5/],
])("checkViewOptions rejects %j", (options, message) => {
  expect(() => checkViewOptions(options as never)).toThrow(message);
});

test.each([
  ["stage", "surface"],
  ["ink", "ink"],
  ["soft", "soft"],
  ["line", "line"],
] as const)("--%s of the style is the colour %s of canvases", (token, role) => {
  const style = readFileSync("src/draw/draw.css", "utf8");
  const found = new RegExp(`--${token}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(style);
  expect(found?.slice(1)).toEqual([LIGHT[role], DARK[role]]);
});
