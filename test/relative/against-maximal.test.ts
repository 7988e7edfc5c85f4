// Random mechanisms in both kinds of coordinates.

import { describe, expect, test } from "vitest";
import { randomLoop, randomTree } from "../support/random-mechanisms.js";
import { accelerationDifference } from "../support/relative-accelerations.js";

const seeds = (count: number) => Array.from({ length: count }, (_, i) => i);

async function worstOf(count: number, make: (seed: number) => ReturnType<typeof randomTree>) {
  let worst = { seed: -1, difference: 0 };
  for (const seed of seeds(count)) {
    const difference = await accelerationDifference(make(seed).model);
    if (!(difference <= worst.difference)) worst = { seed, difference };
  }
  return worst;
}

describe("accelerations in relative coordinates", () => {
  test("equal those in maximal coordinates for random trees of all joints", async () => {
    const worst = await worstOf(60, randomTree);
    expect(worst.difference, `seed ${worst.seed}`).toBeLessThan(1e-11);
  });

  test.each(["spatial", "planar", "repeated"] as const)(
    "equal those in maximal coordinates for random %s loops",
    async (kind) => {
      const worst = await worstOf(25, (seed) => randomLoop(seed, kind));
      expect(worst.difference, `seed ${worst.seed}`).toBeLessThan(1e-11);
    },
  );
});
