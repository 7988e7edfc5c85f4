import { solve } from "nodrift/solve";
import { beforeAll, describe, expect, test } from "vitest";
import {
  angleAt,
  ballLink,
  crankRocker,
  fourBarMechanism,
  fourBarState,
  parallelogram,
  rodLink,
} from "../reference/four-bar.js";
import { compiledOf, judgeSolve, judgeStart, numbersOf, readStart } from "../reference/judge.js";
import { LOOP_SECONDS, type Loop, loopClassNames, loopsOf } from "../reference/loops.js";
import { tiltedRuns, tiltMethods } from "../support/four-bar-runs.js";
import { anyMasses } from "../support/mass-ratios.js";
import { firstLoops } from "./support/known-loops.js";

const TOLERANCES = [1e-6, 1e-8, 1e-10];
/** Loops of each class; `npm run figures` takes 300 in all. */
const LOOPS_PER_CLASS = 3;

describe.each(loopClassNames)("random loops, %s", (loopClass) => {
  let loops: readonly Loop[] = [];
  beforeAll(() => {
    loops = firstLoops(loopClass, LOOPS_PER_CLASS);
  });

  test("reach the degrees of freedom of the reference", async () => {
    for (const { name, mechanism, solution } of loops) {
      const compiled = await compiledOf(mechanism);
      if ("status" in compiled) expect.fail(`${name}: ${compiled.reason}`);
      expect([name, compiled.report.rank]).toEqual([name, solution.rank]);
    }
  });

  test("end within 100 tolerances of the reference", async () => {
    const wrong: string[] = [];
    for (const { name, mechanism, solution } of loops) {
      const compiled = await compiledOf(mechanism);
      for (const tolerance of TOLERANCES) {
        const { error, status } = judgeSolve(compiled, solution, LOOP_SECONDS, tolerance);
        if (!(error <= 100 * tolerance)) wrong.push(`${name} at ${tolerance}: ${status}, ${error}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test("start with the accelerations and reactions of the reference, for any step", async () => {
    const wrong: string[] = [];
    for (const { name, mechanism, solution } of loops) {
      const compiled = await compiledOf(mechanism);
      if ("status" in compiled) expect.fail(`${name}: ${compiled.reason}`);
      const readings = [1e-1, 1e-3, 1e-5].map((step) => readStart(compiled, step));
      for (const reading of readings) {
        for (const [what, error] of Object.entries(judgeStart(reading, solution))) {
          if (!(error <= 1e-11)) wrong.push(`${name}, ${what}: ${error}`);
        }
      }
      const [first, ...others] = readings.map(numbersOf);
      if (others.some((other) => other.some((x, i) => x !== first[i]))) {
        wrong.push(`${name} depends on the step`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

test("loops with a mass ratio of 1e10 are solved along a tree, in few steps", async () => {
  // The third loop has masses from 2.6e-6 to 1e5 kg: in maximal coordinates rounding would take more than 20 000 steps.
  const { mechanism, solution } = [...loopsOf("planar", 3, anyMasses)][2]!;
  const compiled = await compiledOf(mechanism);
  if ("status" in compiled) expect.fail(compiled.reason);
  expect(compiled.report.coordinates.kind).toBe("relative");
  for (const tolerance of TOLERANCES) {
    const { status, error } = judgeSolve(compiled, solution, LOOP_SECONDS, tolerance);
    expect(status).toBe("finished");
    expect(error).toBeLessThan(100 * tolerance);
  }
  expect(
    solve(compiled, { span: [0, LOOP_SECONDS], tolerance: 1e-10 }).statistics.steps,
  ).toBeLessThan(100);
});

describe("a four-bar", () => {
  test.each([rodLink, ballLink])(
    "moves as in one angle with a coupler of any mass: %o",
    async (link) => {
      const wrong: string[] = [];
      for (const mass of [1e-8, 1e-4, 1e-2, 1, 1e3, 1e6]) {
        const bar = crankRocker(link(1, mass));
        const end = fourBarState(bar, ...angleAt(bar, 1));
        const compiled = await compiledOf(fourBarMechanism(bar));
        for (const tolerance of TOLERANCES) {
          const { error, reason } = judgeSolve(compiled, { end }, 1, tolerance);
          if (!(error <= 100 * tolerance)) {
            wrong.push(`${mass} kg at ${tolerance}: error ${error}, ${reason}`);
          }
        }
      }
      expect(wrong).toEqual([]);
    },
  );

  test.each(tiltMethods)(
    "moves alike with and without an axis tilted by rounding: %s",
    async (method) => {
      const runs = await tiltedRuns(method, [1e-12, 1e-9, 1e-7, 1e-5]);
      const wrong = runs.filter(({ tilt, difference }) => !(difference <= 1e-6 + 10 * tilt));
      expect(wrong).toEqual([]);
    },
  );
});

// Near the pose in which all links lie on one line, noise shortens the steps. An implicit method that mistakes this for
// stiffness silently leaves on the other branch. The initial angle is one for which the motion passes the pose like
// this.
test("a parallelogram with a heavy coupler keeps its branch through singular poses", async () => {
  const bar = parallelogram([1, 1e3, 1], 1.0869375954382121);
  const compiled = await compiledOf(fourBarMechanism(bar));
  const end = fourBarState(bar, ...angleAt(bar, 2));
  const { status, error } = judgeSolve(compiled, { end }, 2, 1e-10);
  expect(status).toBe("finished");
  expect(error).toBeLessThan(1e-7);
});
