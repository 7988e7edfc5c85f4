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
} from "../../bench/reference/four-bar.js";
import {
  compiledOf,
  judgeSolve,
  judgeStart,
  numbersOf,
  readStart,
} from "../../bench/reference/judge.js";
import { LOOP_SECONDS, type Loop, loopClassNames, loopsOf } from "../../bench/reference/loops.js";
import { tiltedRuns, tiltMethods } from "../../bench/support/four-bar-runs.js";
import { anyMasses } from "../../bench/support/mass-ratios.js";
import { firstLoops } from "./support/known-loops.js";

const TOLERANCES = [1e-6, 1e-8, 1e-10];
/** Of each class; `npm run figures` takes 300 in all. */
const EACH = 3;

describe.each(loopClassNames)("random loops, %s", (loopClass) => {
  let loops: readonly Loop[] = [];
  beforeAll(() => {
    loops = firstLoops(loopClass, EACH);
  });

  test("have the freedoms of the reference", async () => {
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

  test("start with the accelerations and reactions of the reference, whatever the step", async () => {
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

test("loops whose masses differ by ten powers of ten are solved along a tree, in few steps", async () => {
  // Its third has masses from 2.6e-6 to 1e5 kg: in maximal coordinates rounding would take 20 000 steps and not be done.
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
    "with a coupler of any mass is that of one angle: %o",
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
    "with an axis tilted by rounding moves like one without: %s",
    async (method) => {
      const runs = await tiltedRuns(method, [1e-12, 1e-9, 1e-7, 1e-5]);
      const wrong = runs.filter(({ tilt, difference }) => !(difference <= 1e-6 + 10 * tilt));
      expect(wrong).toEqual([]);
    },
  );
});

// Beside the pose in which all links lie on one line, noise shortens the steps: an implicit method that takes it for
// stiffness goes on along the other branch, in silence. The angle is that of a start which meets the pose so.
test("a parallelogram with a heavy coupler stays one through its singular poses", async () => {
  const bar = parallelogram([1, 1e3, 1], 1.0869375954382121);
  const compiled = await compiledOf(fourBarMechanism(bar));
  const end = fourBarState(bar, ...angleAt(bar, 2));
  const { status, error } = judgeSolve(compiled, { end }, 2, 1e-10);
  expect(status).toBe("finished");
  expect(error).toBeLessThan(1e-7);
});
