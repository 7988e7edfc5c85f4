// Options that make no sense are refused before anything is computed, in words for those who wrote them.

import { lagrange, NodriftError, rk4, udwadiaKalaba } from "nodrift";
import { model } from "nodrift/bodies";
import { dp5, solve } from "nodrift/solve";
import { describe, expect, test } from "vitest";
import { circle, difference, onCircle } from "./support/systems.js";

const solved = (options: object) =>
  solve(circle(), { span: [0, 1], ...onCircle(), ...options } as never);
const TOLERANCE_ADVICE = "give a number from 1e-15 on: in each step a coordinate may be wrong by";

const mistakes: [string, object, string][] = [
  ["span missing", { span: undefined }, "span is missing; give two times: span: [0, 10]"],
  ["span with NaN", { span: [0, Number.NaN] }, "span is [0, NaN]; give two times"],
  ["span to infinity", { span: [0, Number.POSITIVE_INFINITY] }, "span is [0, Infinity]; give"],
  ["span of one", { span: [1] }, "span is [1]; give two times"],
  ["span as a number", { span: 10 }, "span is 10; give two times"],
  ["span as text", { span: "0..1" }, 'span is "0..1"; give two times'],
  ["an option misspelt", { tolerence: 1 }, "tolerence is not an option: did you mean tolerance?"],
  ["tolerance below rounding", { tolerance: 1e-16 }, `tolerance is 1e-16; ${TOLERANCE_ADVICE}`],
  ["tolerance zero", { tolerance: 0 }, `tolerance is 0; ${TOLERANCE_ADVICE}`],
  ["tolerance negative", { tolerance: -1e-6 }, `tolerance is -0.000001; ${TOLERANCE_ADVICE}`],
  ["tolerance NaN", { tolerance: Number.NaN }, `tolerance is NaN; ${TOLERANCE_ADVICE}`],
  [
    "tolerance infinite",
    { tolerance: Number.POSITIVE_INFINITY },
    `tolerance is Infinity; ${TOLERANCE_ADVICE}`,
  ],
  ["tolerance as text", { tolerance: "1e-6" }, 'tolerance is "1e-6"; give a number, or { relative'],
  ["tolerance null", { tolerance: null }, "tolerance is null; give a number, or { relative"],
  ["tolerance empty", { tolerance: {} }, "tolerance is {}; give a number, or { relative"],
  [
    "tolerance misspelt",
    { tolerance: { rel: 1e-6 } },
    "tolerance.rel is not an option: did you mean relative?",
  ],
  ["relative negative", { tolerance: { relative: -1, absolute: 1 } }, "tolerance.relative is -1"],
  [
    "relative zero alone",
    { tolerance: { relative: 0 } },
    `tolerance.absolute is 0; ${TOLERANCE_ADVICE}`,
  ],
  [
    "no tolerance of velocities",
    { tolerance: { absolute: { positions: 1e-6 } } },
    `tolerance.absolute.velocities is missing; ${TOLERANCE_ADVICE}`,
  ],
  ["q missing", { q: undefined }, "q is missing: give the 2 positions at the start (x, y)"],
  ["q too short", { q: [1] }, "q has 1 numbers; the system has 2 coordinates"],
  ["v too long", { v: [1, 2, 3] }, "v has 3 numbers; the system has 2 coordinates"],
  ["q with NaN", { q: [1, Number.NaN] }, 'q of "y" is NaN'],
  ["start unknown", { start: "later" }, 'start is "later"; give "assemble" or "asGiven"'],
  ["step zero", { step: 0 }, "step is 0; give a positive number"],
  ["step NaN", { step: Number.NaN }, "step is NaN; give a positive number"],
  ["firstStep negative", { firstStep: -1 }, "firstStep is -1; give a positive number"],
  ["maximumStep as text", { maximumStep: "1" }, 'maximumStep is "1"; give a positive number'],
  ["maximumSteps zero", { maximumSteps: 0 }, "maximumSteps is 0; give a positive number"],
  [
    "maximumSeconds NaN",
    { maximumSeconds: Number.NaN },
    "maximumSeconds is NaN; give a positive number",
  ],
  ["each no function", { each: 3 }, "each is 3; give a function"],
  ["progress no function", { progress: {} }, "progress is {}; give a function"],
  ["keep no boolean", { keep: "no" }, 'keep is "no"; give true or false'],
  ["dense no boolean", { dense: 1 }, "dense is 1; give true or false"],
  ["signal no signal", { signal: 5000 }, "signal is 5000; give the signal of an AbortController"],
  ["an integrator not called", { integrator: dp5 }, "integrator is a function: call it"],
  ["a method without parts", { method: {} }, "method.formulation is missing"],
  [
    "a formulation not called",
    { method: { formulation: lagrange, integrator: dp5() } },
    "method.formulation is a function: call it",
  ],
  [
    "a method and an integrator",
    { method: { formulation: lagrange(), integrator: dp5() }, integrator: dp5() },
    "give either method or integrator",
  ],
  [
    "no step for a method without an estimate",
    { method: { formulation: udwadiaKalaba(), integrator: rk4() } },
    "udwadiaKalaba + rk4 does not estimate its error: give a step, or an integrator that does, like dop853()",
  ],
];

test.each(mistakes)("%s", (_, options, message) => {
  expect(() => solved(options)).toThrow(NodriftError);
  expect(() => solved(options)).toThrow(message);
});

describe("rejected first arguments", () => {
  test.each<[string, unknown]>([
    ["nothing", undefined],
    ["a model that is not compiled", model({ name: "m" })],
    ["a compiled model that is not awaited", Promise.resolve(model({ name: "m" }))],
    ["a description", { coordinates: 1, mass: [1], forces: () => [0] }],
  ])("%s", (_, source) => {
    expect(() => solve(source as never, { span: [0, 1], q: [0] })).toThrow(
      /the first argument is not a system: give a compiled model or equations, as in solve\(await compile/,
    );
  });

  test("options that are missing", () => {
    expect(() => solve(circle(), undefined as never)).toThrow(/options are missing: solve\(system/);
  });

  test("a start that fits no constraints", () => {
    expect(() => solved({ q: [0, 0] })).toThrow(/violate the constraints at t = 0/);
  });
});

describe("tolerances that make sense", () => {
  const errorOf = (tolerance: number | object) => {
    const { status, end } = solved({ tolerance, span: [0, 3] });
    expect(status).toBe("finished");
    return difference(end.q, [Math.cos(3), Math.sin(3)]);
  };

  test("down to rounding", () => {
    expect(errorOf(1e-15)).toBeLessThan(1e-13);
  });

  test("tolerances so large that every step passes", () => {
    expect(errorOf(1e3)).toBeLessThan(3);
  });

  test("absolute or relative alone, or for positions and velocities apart", () => {
    expect(errorOf({ absolute: 1e-9 })).toBeLessThan(1e-7);
    expect(errorOf({ relative: 1e-9 })).toBeLessThan(1e-7);
    const apart = errorOf({ absolute: { positions: 1e-3, velocities: 1e-10 } });
    expect(apart).toBeLessThan(1e-8);
    expect(errorOf({ absolute: { positions: 1e-3, velocities: 1e-3 } })).toBeGreaterThan(apart);
  });
});
