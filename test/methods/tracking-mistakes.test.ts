import { type EquationsDescription, equations, simulate } from "nodrift";
import { controlForces, type TrackingReference, withTracking } from "nodrift/analysis";
import { describe, expect, test } from "vitest";
import { arm, shoulder } from "../support/arm.js";
import { method } from "../support/skate.js";

describe("withTracking rejects", () => {
  test.each([
    [
      "an unknown coordinate",
      { ...shoulder, follows: "c" },
      'arm: "shoulder" follows "c", which is not a coordinate; there are: a, b',
    ],
    [
      "nothing to follow",
      { ...shoulder, follows: {} },
      "arm: references[0].follows.value is missing; give a function",
    ],
    [
      "no reference",
      { ...shoulder, reference: 1 },
      "arm: references[0].reference is 1; give a function",
    ],
  ])("%s", (_, reference, message) => {
    expect(() => withTracking(arm, [reference as unknown as TrackingReference])).toThrow(
      expect.objectContaining({ code: "DESCRIPTION", message }),
    );
  });

  test("an unknown row", () => {
    const driven = equations(withTracking(arm, [shoulder]));
    const simulation = simulate(driven, { method, step: 1e-3, q: [0, 0] });
    expect(() => controlForces(simulation, ["elbow"])).toThrow(
      expect.objectContaining({
        code: "DESCRIPTION",
        message: 'no constraint is named "elbow"; there are: shoulder',
      }),
    );
  });

  test("a name used twice", () => {
    expect(() => equations(withTracking(arm, [shoulder, shoulder]))).toThrow(
      'arm: constraints has the name "shoulder" twice',
    );
  });

  test("user constraints that return too few numbers", () => {
    const short: EquationsDescription = {
      ...arm,
      holonomic: { rows: 2, value: () => [0], jacobian: () => [1, 0, 0, 1], gamma: () => [0, 0] },
    };
    const driven = equations(withTracking(short, [shoulder]));
    expect(() => simulate(driven, { method, step: 1e-3, q: [0, 0] })).toThrow(
      "arm: holonomic.value returned 1 numbers at t = 0; return 2 numbers, or write them to `out` and return nothing",
    );
  });
});
