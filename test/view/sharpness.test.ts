// Pixels where the processor paints: fewer while frames are late, all of them when things stand still or a picture is saved.

import { afterAll, beforeAll, expect, test } from "vitest";
import { Sharpness } from "../../src/tools/view/sharpness.js";

const before = globalThis.devicePixelRatio;
beforeAll(() => void Object.assign(globalThis, { devicePixelRatio: 1 }));
afterAll(() => void Object.assign(globalThis, { devicePixelRatio: before }));

function stage(isSlow: boolean) {
  const ratios: number[] = [];
  return {
    isSlow,
    ratios,
    resize: (_: number, __: number, ratio: number) => void ratios.push(ratio),
    sharpen: (ratio: number) => void ratios.push(ratio),
  };
}

/** So many frames, so many milliseconds apart. */
function frames(sharpness: Sharpness, count: number, gap: number): void {
  for (let i = 0; i < count; i++) sharpness.isOther(true, true, gap);
}

test("frames on time, and single late ones, change nothing", () => {
  const slow = stage(true);
  const sharpness = new Sharpness(slow);
  frames(sharpness, 100, 16.7);
  for (let i = 0; i < 10; i++) {
    frames(sharpness, 11, 16.7);
    frames(sharpness, 1, 200);
  }
  expect(slow.ratios).toEqual([]);
});

test("late frames take pixels away, down to half of them along a side; standing still gives them back", () => {
  const slow = stage(true);
  const sharpness = new Sharpness(slow);
  frames(sharpness, 200, 50);
  expect(slow.ratios).toEqual([0.75, 0.5625, 0.5]);
  // A worker that has not told its next frame is not standing still.
  expect(sharpness.isOther(false, true, 16)).toBe(false);
  sharpness.resize(300, 200);
  expect(slow.ratios.slice(3)).toEqual([1, 0.5]);
  expect(sharpness.isOther(false, false, 16)).toBe(true);
  expect(sharpness.part).toBe(1);
});

test("a graphics card paints all pixels, however late", () => {
  const fast = stage(false);
  frames(new Sharpness(fast), 100, 90);
  expect(fast.ratios).toEqual([]);
});
