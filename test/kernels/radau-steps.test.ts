// Complete steps of Radau IIA with compiled functions, on y' = lambda y: each multiplies y by the stability function
//
//   R(z) = (1 + 2 z / 5 + z^2 / 20) / (1 - 3 z / 5 + 3 z^2 / 20 - z^3 / 60),   z = h lambda
//
// (Hairer and Wanner, Solving ODEs II, table IV.5.6).

import { describe, expect, test } from "vitest";
import { luSlots } from "../../assembly/layout.js";
import {
  RadauBatch,
  RadauKept,
  RadauTable,
  RadauWeights,
  StepCounts,
  StepKnown,
} from "../../assembly/layout-radau.js";
import { Code, FunctionBody, I32, ModuleWriter } from "../../src/base/emit/module-writer.js";
import {
  END,
  ERROR,
  NODES,
  REAL_EIGENVALUE,
  SHIFT,
  T,
  T_INVERSE,
  T_INVERSE_A,
} from "../../src/methods/integrators/radau/radau.js";
import { stiffModule } from "../support/stiff-module.js";

const LAMBDA = -40;
const TOLERANCE = [1e-3, 1e-3, 1e-3, 1e-10, 0, 20] as const;

const growth = (z: number) =>
  (1 + (2 * z) / 5 + z ** 2 / 20) / (1 - (3 * z) / 5 + (3 * z ** 2) / 20 - z ** 3 / 60);

/** f and df/dy of y' = lambda y as WebAssembly; f reports a non-finite value beyond a limit. */
function equation(memory: WebAssembly.Memory, trial: number, limit: number) {
  const writer = new ModuleWriter();
  const rate = writer.declare([I32], I32);
  const derive = writer.declare([I32]);
  const f = new FunctionBody(1);
  f.get(0);
  f.integer(trial);
  f.load(0);
  f.float(LAMBDA);
  f.code(Code.F64Multiply);
  f.store(0);
  f.integer(trial);
  f.load(0);
  f.float(limit);
  f.code(Code.F64Less);
  const d = new FunctionBody(1);
  d.get(0);
  d.float(LAMBDA);
  d.store(0);
  writer.define(rate, f);
  writer.define(derive, d);
  writer.export("rate", rate);
  writer.export("derive", derive);
  const module = new WebAssembly.Module(writer.finished());
  return new WebAssembly.Instance(module, { env: { memory } }).exports;
}

function problem(limit = 1e300) {
  const { kernels, take, takeIntegers, memory } = stiffModule();
  const { table } = kernels as unknown as { table: WebAssembly.Table };
  const fields = takeIntegers(new Int32Array(RadauTable.LENGTH));
  const reserve = (field: RadauTable, slots: number) => {
    const view = take(new Float64Array(slots));
    fields[field] = view.byteOffset;
    return view;
  };
  fields[RadauTable.SIZE] = 1;
  fields[RadauTable.DIFFERENTIAL] = 1;
  const y = reserve(RadauTable.Y, 1);
  const trial = reserve(RadauTable.TRIAL, 1);
  for (const field of [
    RadauTable.BASE,
    RadauTable.SCALE,
    RadauTable.ERROR,
    RadauTable.SLOPE,
    RadauTable.END_SLOPE,
    RadauTable.FILTERED,
    RadauTable.TIME,
    RadauTable.MATRIX,
    RadauTable.SHIFTED,
    RadauTable.PIVOTS,
  ]) {
    reserve(field, 1);
  }
  for (const field of [
    RadauTable.STAGES,
    RadauTable.PREVIOUS,
    RadauTable.TRANSFORMED,
    RadauTable.SLOPES,
    RadauTable.INCREMENT,
  ]) {
    reserve(field, 3);
  }
  reserve(RadauTable.REAL_FACTOR, luSlots(1));
  reserve(RadauTable.COMPLEX_FACTOR, 2);
  reserve(RadauTable.SCRATCH, 2);
  reserve(RadauTable.CHECK, 4);
  const weights = reserve(RadauTable.WEIGHTS, RadauWeights.LENGTH);
  weights.set([T, T_INVERSE, T_INVERSE_A].flat(2));
  weights.set(ERROR, RadauWeights.ERROR);
  weights.set(NODES, RadauWeights.NODES);
  weights.set([REAL_EIGENVALUE, SHIFT.real, SHIFT.imaginary], RadauWeights.REAL);
  weights.set(END, RadauWeights.END);
  const kept = reserve(RadauTable.KEPT, RadauKept.LENGTH);
  const known = reserve(RadauTable.KNOWN, StepKnown.LENGTH);
  const counts = reserve(RadauTable.COUNTS, StepCounts.CHECKS + 1);
  kept[RadauKept.SLOWNESS] = 1;
  y[0] = 1;
  const { rate, derive } = equation(memory, trial.byteOffset, limit);
  // As the steps call them: functions of the module itself.
  const { luFactor, luSolve } = kernels as unknown as Record<string, CallableFunction>;
  const first = table.grow(4);
  for (const [i, each] of [rate, derive, luFactor, luSolve].entries()) {
    table.set(first + i, each);
    fields[RadauTable.RATE + i] = first + i;
  }
  const batch = take(new Float64Array(RadauBatch.LENGTH));
  return { kernels, at: fields.byteOffset, y, trial, kept, known, counts, batch };
}

describe("radauAttempt", () => {
  test.each([1e-4, 0.01, 0.1, 1])("multiplies y by R(h lambda) in a step of length %d", (h) => {
    const { kernels, at, y, trial, kept, known, counts } = problem();
    const evaluations = kernels.radauAttempt(at, 0, h, ...TOLERANCE);
    expect(trial[0]).toBeCloseTo(growth(h * LAMBDA), 12);
    // One evaluation at y, three for each iteration, one at the end; one more if the error was filtered.
    const rest = evaluations - 2 - 3 * kept[RadauKept.ITERATIONS];
    expect([0, 1]).toContain(rest);
    expect(y[0]).toBe(1);
    expect([...known]).toEqual([1, 1]);
    expect([counts[StepCounts.JACOBIANS], counts[StepCounts.FACTORISATIONS]]).toEqual([1, 1]);
    expect(kept[RadauKept.FACTORED]).toBe(h);
    expect(kept[RadauKept.ERROR]).toBeGreaterThan(0);
  });

  test("a failed attempt changes no input of a repetition", () => {
    const { kernels, at, kept, known, counts } = problem(0.99);
    expect(kernels.radauAttempt(at, 0, 0.01, ...TOLERANCE)).toBe(0);
    expect([...known, ...counts]).toEqual([0, 0, 0, 0, 0, 0]);
    expect(kept[RadauKept.SLOWNESS]).toBe(1);
    expect(kept[RadauKept.FACTORED]).toBe(0);
  });

  test("a failed attempt with new factors for the same df/dy keeps df/dy", () => {
    const { kernels, at, kept, known } = problem();
    kernels.radauAttempt(at, 0, 0.01, ...TOLERANCE);
    // Zero iterations are allowed.
    expect(kernels.radauAttempt(at, 0, 0.02, 1e-3, 1e-3, 1e-3, 0, 0, 1)).toBe(0);
    expect(kept[RadauKept.FACTORED]).toBeNaN();
    expect(known[StepKnown.CURRENT]).toBe(1);
  });
});

describe("radauBatch", () => {
  const START = {
    TIME: 0,
    NEXT: 0.001,
    TARGET: 1,
    BEFORE: 1,
    MAXIMUM: 0.004,
    SHORT: Number.POSITIVE_INFINITY,
    LONGEST_SINCE: 0,
  };
  function run(count: number, given: Partial<typeof START> = {}, rejected = 0) {
    const made = problem();
    made.kept[RadauKept.REJECTED] = rejected;
    for (const [name, value] of Object.entries({ ...START, ...given })) {
      made.batch[RadauBatch[name as keyof typeof RadauBatch]] = value;
    }
    const { kernels, at, batch } = made;
    const steps = kernels.radauBatch(at, batch.byteOffset, count, ...TOLERANCE);
    return { ...made, steps };
  }

  test("takes the steps of the rule, up to the maximum", () => {
    const { steps, batch, y, kept } = run(50);
    expect(steps).toBe(50);
    expect(y[0]).toBeCloseTo(Math.exp(LAMBDA * batch[RadauBatch.TIME]), 6);
    expect(batch[RadauBatch.SHORTEST]).toBe(0.001);
    expect(batch[RadauBatch.LONGEST]).toBeCloseTo(0.004, 15);
    expect(batch[RadauBatch.NEXT]).toBe(0.004);
    expect(kept[RadauKept.PREVIOUS_LENGTH]).toBe(batch[RadauBatch.LAST]);
  });

  test("stops before an output time, and before the target can be reached", () => {
    const before = run(1000, { BEFORE: 0.1 });
    const [time, next] = before.batch;
    expect(time).toBeLessThan(0.1);
    expect(time + next).toBeGreaterThanOrEqual(0.1);
    const { batch } = run(1000);
    expect(batch[RadauBatch.NEXT]).toBeGreaterThan((1 - batch[RadauBatch.TIME]) / 2);
    expect(run(10, { BEFORE: 0.001 }).steps).toBe(0);
  });

  test("does not let steps grow directly after a rejection", () => {
    const first = run(1, {}, 1);
    expect(first.batch[RadauBatch.NEXT]).toBeLessThanOrEqual(0.001);
    expect(first.kept[RadauKept.REJECTED]).toBe(0);
    expect(run(3, {}, 1).batch[RadauBatch.NEXT]).toBeGreaterThan(0.001);
  });

  test("integrates backwards in time as well", () => {
    const { steps, batch, y } = run(3, { NEXT: -0.001, TARGET: -1, BEFORE: -1 });
    expect(steps).toBe(3);
    expect(batch[RadauBatch.NEXT]).toBeLessThan(0);
    expect(y[0]).toBeCloseTo(Math.exp(LAMBDA * batch[RadauBatch.TIME]), 4);
  });

  test("takes no step so short that noise may be the cause", () => {
    expect(run(10, { LONGEST_SINCE: 0.017 }).steps).toBe(0);
    expect(run(10, { LONGEST_SINCE: 0.015 }).steps).toBe(10);
  });

  test("leaves no trace of a step whose error is too large", () => {
    const { steps, y, kept, known, counts } = run(10, { NEXT: 0.2, MAXIMUM: 1 });
    expect(steps).toBe(0);
    expect([y[0], ...known, ...counts]).toEqual([1, 0, 0, 0, 0, 0, 0]);
    expect([RadauKept.ITERATIONS, RadauKept.CONTRACTION].map((k) => kept[k])).toEqual([0, 0]);
    expect(kept[RadauKept.SLOWNESS]).toBe(1);
    expect(kept[RadauKept.FACTORED]).toBe(0);
  });
});
