// Pixel ratio in software rendering: reduced while frames are late, restored when the motion stops or a picture is saved.

import { afterAll, beforeAll, expect, test } from "vitest";
import { PixelRatioControl } from "../../src/view/view.js";

const before = globalThis.devicePixelRatio;
beforeAll(() => void Object.assign(globalThis, { devicePixelRatio: 1 }));
afterAll(() => void Object.assign(globalThis, { devicePixelRatio: before }));

function renderer(isSoftware: boolean) {
  const ratios: number[] = [];
  return {
    isSoftware,
    ratios,
    resize: (_: number, __: number, ratio: number) => void ratios.push(ratio),
    setPixelRatio: (ratio: number) => void ratios.push(ratio),
  };
}

/** Records `count` frames with intervals of `gap` milliseconds. */
function frames(control: PixelRatioControl, count: number, gap: number): void {
  for (let i = 0; i < count; i++) control.update(true, true, gap);
}

test("PixelRatioControl keeps the ratio for punctual frames and single late ones", () => {
  const slow = renderer(true);
  const control = new PixelRatioControl(slow);
  frames(control, 100, 16.7);
  for (let i = 0; i < 10; i++) {
    frames(control, 11, 16.7);
    frames(control, 1, 200);
  }
  expect(slow.ratios).toEqual([]);
});

test("PixelRatioControl reduces the ratio down to half for late frames, and restores it at rest", () => {
  const slow = renderer(true);
  const control = new PixelRatioControl(slow);
  frames(control, 200, 50);
  expect(slow.ratios).toEqual([0.75, 0.5625, 0.5]);
  // While playing, no motion means that the worker's next frame is pending.
  expect(control.update(false, true, 16)).toBe(false);
  control.resize(300, 200);
  expect(slow.ratios.slice(3)).toEqual([1, 0.5]);
  expect(control.update(false, false, 16)).toBe(true);
  expect(control.scale).toBe(1);
});

test("PixelRatioControl keeps full resolution with hardware rendering", () => {
  const fast = renderer(false);
  frames(new PixelRatioControl(fast), 100, 90);
  expect(fast.ratios).toEqual([]);
});
