// Kernels on tables of rows, each compared with its definition, on random values with a column of padding.

import { describe, expect, test } from "vitest";
import { randomVector, seeded } from "../support/random.js";
import { stiffModule } from "../support/stiff-module.js";

/** Rows of a table, without padding. */
const rowsOf = (table: Float64Array, stride: number, width = stride) =>
  Array.from({ length: table.length / stride }, (_, i) => [
    ...table.subarray(i * stride, i * stride + width),
  ]);

/** A zero matrix, as rows. */
const zeros = (rows: number, columns: number) =>
  Array.from({ length: rows }, () => new Array<number>(columns).fill(0));

/** A B + C, as rows. */
const productPlus = (a: number[][], b: number[][], c: number[][]) =>
  c.map((row, i) =>
    row.map((value, j) => a[i].reduce((sum, factor, k) => sum + factor * b[k][j], value)),
  );

function expectClose(found: number[][], expected: number[][]): void {
  expect(found.length).toBe(expected.length);
  for (const [i, row] of expected.entries()) {
    expect(found[i].length).toBe(row.length);
    for (const [j, value] of row.entries()) expect(found[i][j]).toBeCloseTo(value, 13);
  }
}

const random = seeded(11);
const { kernels, take, takeIntegers } = stiffModule();
const table = (rows: number, stride: number) => take(randomVector(random, rows * stride));

describe.each([2, 4, 10])("rows of length %i", (stride) => {
  test("clearRows clears only its rows", () => {
    const out = table(5, stride);
    const behind = out.slice(3 * stride);
    kernels.clearRows(3, stride, out.byteOffset);
    expect([...out]).toEqual([...new Array<number>(3 * stride).fill(0), ...behind]);
  });

  test("unitRows writes ones in consecutive columns", () => {
    const out = table(7, stride);
    const [first, units] = [3, stride - 1];
    const rows = Math.max(first + units, 7);
    const many = rows > 7 ? table(rows, stride) : out;
    kernels.unitRows(rows, stride, first, units, many.byteOffset);
    const expected = zeros(rows, stride);
    for (let k = 0; k < units; k++) expected[first + k][k] = 1;
    expect(rowsOf(many, stride)).toEqual(expected);
  });

  test("entriesTimesRows multiplies by a list of entries with shifted values", () => {
    const [m, n, count] = [6, 5, 14];
    const values = table(2 * count, 1);
    // A zero value has no effect, not even on a row of NaN.
    values[count + 3] = 0;
    const places = Array.from({ length: count }, (_, e) => [(5 * e) % m, (3 * e + 1) % n]);
    const list = (of: (e: number) => number) =>
      takeIntegers(Array.from({ length: count }, (_, e) => of(e))).byteOffset;
    const x = table(n, stride);
    const out = table(m, stride);
    const before = rowsOf(out, stride);
    kernels.entriesTimesRows(
      count,
      list((e) => places[e][0]),
      list((e) => places[e][1]),
      list((e) => values.byteOffset + 8 * e),
      8 * count,
      stride,
      -0.7,
      x.byteOffset,
      out.byteOffset,
    );
    const a = zeros(m, n);
    for (const [e, [i, j]] of places.entries()) a[i][j] -= 0.7 * values[count + e];
    expectClose(rowsOf(out, stride), productPlus(a, rowsOf(x, stride), before));
  });

  test("blocksTimesRows multiplies by the blocks of a pattern only", () => {
    const size = 18;
    const blocks = [
      [0, 0],
      [1, 2],
      [2, 1],
      [2, 2],
    ];
    const pattern = takeIntegers([3, 0, 1, 2, 4, ...blocks.map(([, column]) => column)]);
    const matrix = table(blocks.length, 36);
    const x = table(size, stride);
    const out = table(size, stride);
    const before = rowsOf(out, stride);
    const addresses = [pattern, matrix].map(({ byteOffset }) => byteOffset) as [number, number];
    kernels.blocksTimesRows(...addresses, stride, x.byteOffset, out.byteOffset);
    const a = zeros(size, size);
    for (const [k, [row, column]] of blocks.entries()) {
      for (let i = 0; i < 36; i++) {
        a[6 * row + (i % 6)][6 * column + Math.floor(i / 6)] = matrix[36 * k + i];
      }
    }
    expectClose(rowsOf(out, stride), productPlus(a, rowsOf(x, stride), before));
  });

  test("rowsProduct and squareByColumns multiply rows and convert the square to column-major", () => {
    const [count, width] = [9, stride - 1];
    const [x, y] = [table(count, stride), table(count, stride)];
    const out = table(width, stride);
    const before = rowsOf(out, stride);
    // Zeros are skipped.
    x[3 * stride] = x[5 * stride] = 0;
    const scratch = takeIntegers(new Int32Array(count));
    const [from, to] = [x.byteOffset, out.byteOffset];
    kernels.rowsProduct(count, width, stride, 1.3, from, y.byteOffset, to, scratch.byteOffset);
    const transposed = Array.from({ length: width }, (_, i) =>
      rowsOf(x, stride).map((row) => 1.3 * row[i]),
    );
    expectClose(rowsOf(out, stride), productPlus(transposed, rowsOf(y, stride), before));

    const square = table(width * width + 1, 1);
    const [behind] = square.slice(-1);
    kernels.squareByColumns(width, stride, out.byteOffset, square.byteOffset);
    for (let i = 0; i < width; i++) {
      for (let j = 0; j < width; j++) expect(square[i + width * j]).toBe(out[i * stride + j]);
    }
    expect(square[width * width]).toBe(behind);
  });
});

describe("lists of indices", () => {
  const places = takeIntegers([4, 0, 3]);
  const x = take([10, 11, 12, 13, 14]);
  const y = take([0.5, 0.25, 0.125, -1, 2]);

  test("gather and gatherSum read the listed elements", () => {
    const out = take([1, 2, 3, 4]);
    kernels.gather(3, places.byteOffset, x.byteOffset, out.byteOffset);
    expect([...out]).toEqual([14, 10, 13, 4]);
    kernels.gatherSum(3, places.byteOffset, x.byteOffset, y.byteOffset, out.byteOffset);
    expect([...out]).toEqual([16, 10.5, 12, 4]);
  });

  test("scatterNegative writes negated elements and zeros elsewhere", () => {
    const out = take([1, 2, 3, 4, 5, 6]);
    kernels.scatterNegative(5, 3, places.byteOffset, x.byteOffset, out.byteOffset);
    expect([...out]).toEqual([-11, 0, 0, -12, -10, 6]);
  });

  test("stateDefect returns the largest magnitude of the defect", () => {
    const rows = takeIntegers([2, 0]);
    const values = take([3, 100, -0.5]);
    const [wanted, right] = [take([14.25, 10, 8]), take([0, 0, 0, 0, 0, 9])];
    const defect = () =>
      kernels.stateDefect(
        2,
        rows.byteOffset,
        values.byteOffset,
        3,
        places.byteOffset,
        wanted.byteOffset,
        x.byteOffset,
        right.byteOffset,
      );
    expect(defect()).toBe(5);
    expect([...right]).toEqual([0.5, -3, 0.25, 0, -5, 9]);
    wanted[2] = 13;
    expect(defect()).toBe(3);
    // Independent of the elements after them.
    for (const [list, at] of [
      [values, 2],
      [values, 0],
      [wanted, 0],
      [wanted, 2],
    ] as const) {
      const kept = list[at];
      list[at] = Number.NaN;
      expect(defect()).toBeNaN();
      list[at] = kept;
    }
    expect(defect()).toBe(3);
  });

  test("sameNumbers compares vectors", () => {
    const other = take(x);
    const same = (count: number) => kernels.sameNumbers(count, x.byteOffset, other.byteOffset);
    expect(same(5)).toBe(1);
    for (let i = 0; i < 5; i++) {
      other[i] += 1e-14;
      expect([same(5), same(i)]).toEqual([0, 1]);
      other[i] = Number.NaN;
      expect(same(5)).toBe(0);
      other[i] = x[i];
    }
  });

  test("lists may be empty", () => {
    const nothing = new Array<number>(8).fill(0) as Parameters<typeof kernels.stateDefect>;
    expect(kernels.stateDefect(...nothing)).toBe(0);
  });
});
