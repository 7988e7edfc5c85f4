// The vector operations of Radau IIA compared with JavaScript.

import { expect, test } from "vitest";
import { RadauKept, RadauTable, RadauWeights } from "../../assembly/layout-radau.js";
import { NODES } from "../../src/methods/integrators/radau/radau.js";
import { seeded } from "../support/random.js";
import { stiffModule } from "../support/stiff-module.js";

const { kernels, take } = stiffModule();
const memory = take([0]);

const TABLE = 2 ** 18;
const VECTORS = 2 ** 19;
/** Vectors in the order of their fields, with the number of rows of length n in each. */
const ROWS: readonly (readonly [RadauTable, number])[] = [
  [RadauTable.Y, 1],
  [RadauTable.TRIAL, 1],
  [RadauTable.BASE, 1],
  [RadauTable.SCALE, 1],
  [RadauTable.STAGES, 3],
  [RadauTable.PREVIOUS, 3],
  [RadauTable.TRANSFORMED, 3],
  [RadauTable.SLOPES, 3],
  [RadauTable.INCREMENT, 3],
  [RadauTable.ERROR, 1],
];

/** A table with random values, and one value after each vector that must not be touched. */
function tableOf(n: number, positions: number, differential = n) {
  const random = seeded(n + 1);
  const fields = new Int32Array(memory.buffer, TABLE, RadauTable.LENGTH);
  const fill = (address: number, count: number) => {
    const view = new Float64Array(memory.buffer, address, count + 1);
    for (let i = 0; i <= count; i++) view[i] = 0.5 + random();
    return view;
  };
  fields[RadauTable.SIZE] = n;
  fields[RadauTable.POSITIONS] = positions;
  fields[RadauTable.DIFFERENTIAL] = differential;
  const views = new Map(
    ROWS.map(([field, rows], k) => {
      fields[field] = VECTORS + 1024 * k;
      return [field, fill(fields[field], rows * n)];
    }),
  );
  fields[RadauTable.WEIGHTS] = VECTORS + 1024 * ROWS.length;
  const weights = fill(fields[RadauTable.WEIGHTS], RadauWeights.LENGTH);
  weights.set(NODES, RadauWeights.NODES);
  fields[RadauTable.KEPT] = VECTORS + 1024 * (ROWS.length + 1);
  const kept = fill(fields[RadauTable.KEPT], RadauKept.LENGTH);
  const of = (field: RadauTable) => views.get(field) as Float64Array;
  const mixed = (first: RadauWeights, rows: Float64Array) =>
    rows.map((value, i) => {
      if (i >= 3 * n) return value;
      const at = first + 3 * Math.floor(i / n);
      const [a, b, c] = [0, 1, 2].map((k) => rows[(i % n) + k * n] * weights[at + k]);
      return a + b + c;
    });
  return { of, weights, mixed, kept };
}

/** The first n values from a function, and the value after them unchanged. */
const vector = (present: Float64Array, n: number, of: (i: number) => number) =>
  present.map((value, i) => (i < n ? of(i) : value));

const SIZES = [0, 1, 2, 3, 8];

test.each(SIZES)("radauBegin extrapolates the previous polynomial, %d unknowns", (n) => {
  const positions = Math.floor(n / 2);
  const { of, mixed, kept } = tableOf(n, positions);
  kept[RadauKept.SLOWNESS] = 0.3;
  const [y, base, scale, stages, transformed, trial] = [
    RadauTable.Y,
    RadauTable.BASE,
    RadauTable.SCALE,
    RadauTable.STAGES,
    RadauTable.TRANSFORMED,
    RadauTable.TRIAL,
  ].map(of);
  const inputs = [y, of(RadauTable.PREVIOUS)].map((view) => view.slice());
  const behind = [stages, transformed].map((view) => view[3 * n]);
  const scaled = vector(scale, n, (i) => (i < positions ? 0.1 : 0.2) + 0.3 * Math.abs(y[i]));
  kernels.radauBegin(TABLE, 0.7, 0.3, 0.1, 0.2);
  expect(kept[RadauKept.ETA]).toBeCloseTo(0.3 ** 0.8, 14);
  const first = mixed(RadauWeights.EXTRAPOLATION, of(RadauTable.PREVIOUS));
  const second = mixed(RadauWeights.FROM_STAGES, stages);
  expect(stages.subarray(0, 3 * n)).toEqual(first.subarray(0, 3 * n));
  expect(transformed.subarray(0, 3 * n)).toEqual(second.subarray(0, 3 * n));
  expect([stages, transformed].map((view) => view[3 * n])).toEqual(behind);
  expect(base.subarray(0, n)).toEqual(y.subarray(0, n));
  expect(scale).toEqual(scaled);
  expect(trial).toEqual(vector(trial, n, (i) => y[i] + stages[i]));
  expect([y, of(RadauTable.PREVIOUS)]).toEqual(inputs);
});

test.each([0.3, 1, 4, -0.5])("radauBegin extrapolates cubics exactly, ratio %d", (ratio) => {
  const { of, kept } = tableOf(1, 0);
  const [previous, stages] = [of(RadauTable.PREVIOUS), of(RadauTable.STAGES)];
  kept[RadauKept.PREVIOUS_LENGTH] = 0.25;
  for (const k of [1, 2, 3]) {
    for (const [i, c] of NODES.entries()) previous[i] = c ** k;
    kernels.radauBegin(TABLE, 0.25 * ratio, 0.3, 0.1, 0.2);
    for (const [i, c] of NODES.entries()) {
      expect(stages[i]).toBeCloseTo((1 + ratio * c) ** k - 1, 10);
    }
  }
  kept[RadauKept.PREVIOUS_LENGTH] = 0;
  kernels.radauBegin(TABLE, 0.25, 0.3, 0.1, 0.2);
  expect([...stages.subarray(0, 3)]).toEqual([0, 0, 0]);
});

test.each(SIZES)("radauTrial writes a stage of %d unknowns", (n) => {
  const { of } = tableOf(n, 0);
  const trial = of(RadauTable.TRIAL);
  for (const stage of [0, 1, 2]) {
    const [base, stages] = [of(RadauTable.BASE), of(RadauTable.STAGES)];
    const wanted = vector(trial, n, (i) => base[i] + stages[stage * n + i]);
    kernels.radauTrial(TABLE, stage);
    expect(trial).toEqual(wanted);
  }
});

/** Sizes with all unknowns differential, or some algebraic. */
const MIXED = SIZES.flatMap((n) => [...new Set([n, Math.floor(n / 2), 0])].map((d) => [n, d]));

test.each(MIXED)("radauResidual of %d unknowns, %d of them differential", (n, d) => {
  const { of, mixed } = tableOf(n, 0, d);
  const [increment, transformed] = [of(RadauTable.INCREMENT), of(RadauTable.TRANSFORMED)];
  const slopes = mixed(RadauWeights.OF_SLOPES, of(RadauTable.SLOPES));
  const wanted = vector(
    increment,
    3 * n,
    (i) => slopes[i] * 0.7 - (i % n < d ? transformed[i] : 0),
  );
  kernels.radauResidual(TABLE, 0.7);
  expect(increment).toEqual(wanted);
});

test.each(SIZES)("radauUpdate applies an increment of %d unknowns and returns its norm", (n) => {
  const { of, mixed } = tableOf(n, 0);
  const [increment, transformed] = [of(RadauTable.INCREMENT), of(RadauTable.TRANSFORMED)];
  const [stages, scale, trial] = [RadauTable.STAGES, RadauTable.SCALE, RadauTable.TRIAL].map(of);
  const added = vector(transformed, 3 * n, (i) => transformed[i] + increment[i]);
  const parts = Array.from({ length: 3 * n }, (_, i) => (increment[i] / scale[i % n]) ** 2);
  const size = n === 0 ? 0 : Math.sqrt(parts.reduce((sum, x) => sum + x, 0) / (3 * n));
  expect(Math.abs(kernels.radauUpdate(TABLE) - size)).toBeLessThanOrEqual(1e-15 * size);
  expect(transformed).toEqual(added);
  const found = mixed(RadauWeights.TO_STAGES, transformed);
  expect(stages.subarray(0, 3 * n)).toEqual(found.subarray(0, 3 * n));
  const base = of(RadauTable.BASE);
  expect(trial).toEqual(vector(trial, n, (i) => base[i] + stages[i]));
  increment[0] = Number.NaN;
  if (n > 0) expect(kernels.radauUpdate(TABLE)).toBeNaN();
});

test.each(MIXED)("radauError of %d unknowns, %d of them differential", (n, d) => {
  const { of, weights } = tableOf(n, 0, d);
  const [error, stages, slope] = [RadauTable.ERROR, RadauTable.STAGES, RadauTable.Y].map(of);
  const weight = (k: number) => weights[RadauWeights.ERROR + k];
  const wanted = vector(error, n, (i) => {
    const [a, b, c] = [0, 1, 2].map((k) => stages[i + k * n] * weight(k));
    return i < d ? a + b + c + 0.4 * slope[i] : 0;
  });
  kernels.radauError(TABLE, 0.4, slope.byteOffset);
  expect(error).toEqual(wanted);
});

test.each(MIXED)("radauEndResidual of %d unknowns, %d of them differential", (n, d) => {
  const { of, weights } = tableOf(n, 0, d);
  const [out, stages, slope] = [RadauTable.ERROR, RadauTable.STAGES, RadauTable.Y].map(of);
  const weight = (k: number) => weights[RadauWeights.END + k];
  const wanted = vector(out, n, (i) => {
    const [a, b, c] = [0, 1, 2].map((k) => stages[i + k * n] * weight(k));
    return i < d ? (0.4 * slope[i] - (a + b + c)) / weights[RadauWeights.REAL] : 0;
  });
  kernels.radauEndResidual(TABLE, 0.4, slope.byteOffset, out.byteOffset);
  expect(out).toEqual(wanted);
});
