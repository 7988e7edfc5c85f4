import { Status, svdSlots } from "nodrift/kernels";
import { expect } from "vitest";
import { composed, orthogonalityError, singularVectors } from "../../bench/cases/svd.js";
import { relativeDistance } from "./matrix.js";
import { scratch } from "./scratch.js";

/** Decomposes a matrix in memory filled with NaN, which reveals reads of unwritten slots. */
export function decompose(m: number, n: number, matrix: Float64Array, lda = m) {
  const memory = scratch({ a: matrix, factor: svdSlots(m, n), s: Math.min(m, n) });
  const { kernels, a, factor, s } = memory;
  factor.view.fill(Number.NaN);
  const status = kernels.svdFactor(m, n, a.address, lda, factor.address);
  if (status === Status.OK) kernels.svdValues(m, n, factor.address, s.address);
  return { ...memory, status, ...singularVectors(m, n, factor.view) };
}

/** The properties that define a decomposition; returns the singular values. */
export function expectDecomposition(m: number, n: number, matrix: Float64Array): Float64Array {
  const { status, s, u, v, a } = decompose(m, n, matrix);
  const count = Math.min(m, n);
  const limit = 50 * Math.max(m, n) * Number.EPSILON;
  expect(status).toBe(Status.OK);
  expect(a.view).toEqual(matrix);
  for (let i = 0; i < count; i++) {
    expect(s.view[i]).toBeGreaterThanOrEqual(0);
    if (i > 0) expect(s.view[i]).toBeLessThanOrEqual(s.view[i - 1]);
  }
  expect(orthogonalityError(m, count, u)).toBeLessThanOrEqual(limit);
  expect(orthogonalityError(n, count, v)).toBeLessThanOrEqual(limit);
  expect(relativeDistance(composed(m, n, u, s.view, v), matrix)).toBeLessThanOrEqual(limit);
  return s.view;
}
