// Random trees and loops that compare relative and maximal coordinates: they contain every joint, the degrees of
// freedom that their joints leave, and initial states that need no correction.

import { compile } from "nodrift/bodies";
import { describe, expect, test } from "vitest";
import { treeJoints } from "../support/random-joints.js";
import { type RandomMechanism, randomLoop, randomTree } from "../support/random-mechanisms.js";

async function judge({ model: m, freedoms }: RandomMechanism) {
  // Taken as given: errors would not be corrected.
  const compiled = await compile(m, { start: "asGiven" });
  const { position, velocity } = compiled.simulate({ step: 1e-3 }).constraintError();
  const fits = position < 1e-13 && velocity < 1e-12;
  const { degreesOfFreedom } = compiled.report;
  return fits && degreesOfFreedom === freedoms
    ? []
    : [`${m.data().name}: ${degreesOfFreedom} of ${freedoms} freedoms, ${position}, ${velocity}`];
}

async function wrongOf(all: readonly RandomMechanism[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const one of all) wrong.push(...(await judge(one)));
  return wrong;
}

test("random trees are closed, and contain every joint", async () => {
  const all = Array.from({ length: 45 }, (_, seed) => randomTree(seed));
  expect(await wrongOf(all)).toEqual([]);
  const types = new Set(all.flatMap((one) => one.types));
  expect([...types].sort()).toEqual([...treeJoints].sort());
  const forces = new Set(all.flatMap((one) => one.model.data().forces.map(({ kind }) => kind)));
  expect(forces.size).toBeGreaterThanOrEqual(6);
});

describe.each(["spatial", "planar", "repeated"] as const)(
  "random mechanisms with %s loops",
  (kind) => {
    test("start closed, and move", async () => {
      const all = Array.from({ length: 30 }, (_, seed) => randomLoop(seed, kind));
      expect(await wrongOf(all)).toEqual([]);
      if (kind !== "spatial") return;
      const closing = new Set(all.map((one) => one.closing));
      expect(closing.size).toBeGreaterThanOrEqual(6);
    });
  },
);
