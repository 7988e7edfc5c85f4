import { describe, expect, test } from "vitest";
import {
  base64,
  chooseFrames,
  decodeNumbers,
  decodePoses,
  decodeTimes,
  encodeFrames,
  encodeNumbers,
} from "../../src/report/encode.js";
import { still } from "./support.js";

describe("encodeNumbers", () => {
  test("writes standard base64", () => {
    for (let length = 0; length < 10; length++) {
      const bytes = Uint8Array.from({ length }, (_, i) => 37 * i + 200);
      expect(base64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
    }
  });

  test("keeps small differences of large values, gaps, and small values on logarithmic axes", () => {
    const energies = [4.5e7, 4.5e7 + 1e-3, 4.5e7 + 2e-3, Number.NaN];
    const read = decodeNumbers(encodeNumbers(energies, false));
    expect(read[1] - read[0]).toBeCloseTo(1e-3, 7);
    expect(read[3]).toBeNaN();
    const errors = [1e-16, 1, 1e12, 1e-300];
    for (const [i, value] of decodeNumbers(encodeNumbers(errors, true)).entries()) {
      expect(value / errors[i]).toBeCloseTo(1, 3);
    }
    expect(decodeNumbers(encodeNumbers([1, 0, -1], true)).slice(1)).toEqual(
      Float64Array.of(Number.NaN, Number.NaN),
    );
    expect(decodeNumbers(encodeNumbers([-1e308, 1e308], false))).toEqual(
      Float64Array.of(-1e308, 1e308),
    );
  });
});

/** Moving and rotating bodies, one with a sign change of its Euler parameters. */
function moving(bodies: number, count: number) {
  const times = Array.from({ length: count }, (_, i) => 3 + 0.01 * i);
  const frames = still(bodies, times);
  const positions = Float64Array.from({ length: 3 * bodies * count }, (_, i) =>
    Math.sin(0.05 * Math.floor(i / 3 / bodies) + (i % (3 * bodies))),
  );
  const orientations = Float64Array.from({ length: 4 * bodies * count }, (_, i) => {
    const [frame, part] = [Math.floor(i / 4 / bodies), i % 4];
    const sign = frame % 2 === 0 ? 1 : -1;
    const angle = 0.1 * frame;
    return sign * [Math.cos(angle), 0, Math.sin(angle), 0][part];
  });
  return { ...frames, positions, orientations };
}

describe("encodeFrames", () => {
  test("round-trips frames up to rounding", () => {
    const frames = moving(3, 40);
    const data = encodeFrames(frames, 3, 2, 1e6);
    expect(data.count).toBe(40);
    const poses = decodePoses(data);
    for (let place = 0; place < 3 * 40; place++) {
      const position = [0, 1, 2].map((i) => poses[7 * place + i] - frames.positions[3 * place + i]);
      expect(Math.max(...position.map(Math.abs))).toBeLessThan(1e-4);
      // Both signs represent the same rotation.
      const along = [0, 1, 2, 3].reduce(
        (sum, i) => sum + poses[7 * place + 3 + i] * frames.orientations[4 * place + i],
        0,
      );
      expect(Math.abs(along)).toBeCloseTo(1, 3);
    }
    expect(decodeTimes(data)[39]).toBeCloseTo(3.39, 6);
  });

  test("needs little more than a byte per value for smooth motion", () => {
    const data = encodeFrames(moving(10, 500), 10, 2, 1e6);
    expect(data.poses.length).toBeLessThan(7 * 10 * 500 * (4 / 3) * 1.2);
  });

  test("drops frames beyond the budget", () => {
    const frames = moving(20, 1000);
    const data = encodeFrames(frames, 20, 2, 20_000);
    expect(data.poses.length).toBeLessThanOrEqual(20_000);
    expect(data.count).toBeGreaterThan(45);
    expect(decodeTimes(data).at(-1)).toBeCloseTo(frames.times[999], 5);
  });
});

describe("chooseFrames", () => {
  test("spaces frames evenly in time, and keeps the ends", () => {
    // A thousand frames in the first tenth of the time, a hundred in the rest.
    const times = [
      ...Array.from({ length: 1000 }, (_, i) => i / 1e4),
      ...Array.from({ length: 100 }, (_, i) => 0.1 + (0.9 * (i + 1)) / 100),
    ];
    const chosen = chooseFrames(still(1, times), 51);
    expect(chosen.length).toBeLessThanOrEqual(52);
    expect([chosen[0], chosen.at(-1)]).toEqual([0, 1099]);
    const gaps = chosen.slice(1).map((frame, i) => times[frame] - times[chosen[i]]);
    expect(Math.max(...gaps)).toBeLessThan(0.04);
  });

  test("keeps both sides of events", () => {
    const times = Array.from({ length: 1001 }, (_, i) => (i > 500 ? i - 1 : i) / 1000);
    const frames = { ...still(1, times), events: [{ time: 0.5, name: "impact" }] };
    const chosen = chooseFrames(frames, 20);
    expect(chosen).toContain(500);
    expect(chosen).toContain(501);
  });
});
