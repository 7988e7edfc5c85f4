import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { irreducibleBlocks } from "../../src/base/sparse/irreducible.js";
import { randomMatrix, seeded } from "../support/random.js";
import { type Entry, sparse } from "../support/sparse-lu.js";

/** The determinant by elimination with partial pivoting; the row of its smallest pivot is not unique. */
function determinant(n: number, matrix: ArrayLike<number>): number {
  const a = Array.from({ length: n }, (_, i) =>
    Array.from({ length: n }, (_, j) => matrix[i + n * j]),
  );
  let product = 1;
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k; i < n; i++) if (Math.abs(a[i][k]) > Math.abs(a[pivot][k])) pivot = i;
    if (pivot !== k) product = -product;
    [a[k], a[pivot]] = [a[pivot], a[k]];
    product *= a[k][k];
    for (let i = k + 1; i < n; i++) {
      const factor = a[i][k] / a[k][k];
      for (let j = k; j < n; j++) a[i][j] -= factor * a[k][j];
    }
  }
  return product;
}

/** A table with all entries of a column-major matrix, factored. */
function factored(n: number, matrix: Float64Array) {
  const entries = Array.from(matrix, (value, e) => ({
    row: e % n,
    column: Math.floor(e / n),
    value,
  }));
  const m = sparse(n, entries);
  expect(m.choose()).toBe(0);
  expect(m.factor()).toBe(0);
  return m;
}

/** The sign of the determinant, as that of a single block. */
function signOf({ kernels, table, takeIntegers }: ReturnType<typeof factored>, n: number): number {
  const numbers = Array.from({ length: n }, (_, i) => i);
  const places = takeIntegers([...numbers, ...numbers]);
  const signs = takeIntegers([0, 0]);
  const blocks = takeIntegers(new Int32Array(n));
  const changed = kernels.sparseLuSigns(
    table,
    places.byteOffset,
    blocks.byteOffset,
    1,
    signs.byteOffset,
  );
  expect(changed).toBe(0);
  return signs[0];
}

describe("sparseLuSigns and sparseLuWeakest", () => {
  test("return the sign of the determinant for any order of pivots", () => {
    const signs = new Set<number>();
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.nat(), (n, seed) => {
        const matrix = randomMatrix(seeded(seed), n);
        const sign = signOf(factored(n, matrix), n);
        expect(sign).toBe(Math.sign(determinant(n, matrix)));
        signs.add(sign);
      }),
      { seed: 1 },
    );
    expect([...signs].sort()).toEqual([-1, 1]);
  });

  test("the sign changes if two rows are exchanged", () => {
    const [one, other] = [
      [2, 0, 0, 3],
      [0, 2, 3, 0],
    ].map((matrix) => signOf(factored(2, Float64Array.from(matrix)), 2));
    expect([one, other]).toEqual([1, -1]);
  });

  test("return the signs of all irreducible blocks for any order of rows, columns and pivots", () => {
    const seen = { whole: 0, all: 0, between: 0 };
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 5 }),
        fc.nat(),
        (sizes, seed) => {
          const random = seeded(seed);
          const n = sizes.reduce((sum, size) => sum + size, 0);
          const shuffled = () => {
            const list = Array.from({ length: n }, (_, i) => i);
            for (let i = n - 1; i > 0; i--) {
              const k = Math.floor((i + 1) * Math.abs(random()) * 0.999999);
              [list[i], list[k]] = [list[k], list[i]];
            }
            return list;
          };
          const [rowAt, columnAt] = [shuffled(), shuffled()];
          const blockOf = sizes.flatMap((size, b) => new Array<number>(size).fill(b));
          // Full diagonal blocks, and some entries below them.
          const entries: Entry[] = [];
          for (let i = 0; i < n; i++) {
            for (let k = 0; k < n; k++) {
              const isBelow = blockOf[k] < blockOf[i] && random() > 0;
              if (blockOf[i] !== blockOf[k] && !isBelow) continue;
              entries.push({ row: rowAt[i], column: columnAt[k], value: random() });
            }
          }
          const matrix = sparse(n, entries);
          expect(matrix.choose()).toBe(0);
          matrix.factor();
          const order = matrix.order();
          const { count, places, blocks } = irreducibleBlocks({
            size: n,
            rows: entries.map(({ row }) => row),
            columns: entries.map(({ column }) => column),
            pivotRows: order.slice(0, n),
            pivotColumns: order.slice(n),
          });
          // A pivot that elimination has filled in may join blocks.
          expect(count).toBeLessThanOrEqual(sizes.length);
          seen.all++;
          seen.whole += Number(count === sizes.length);
          const own = Array.from(rowAt, (row, i) => [blockOf[i], blocks[places[row]]].join());
          expect(new Set(own).size).toBe(sizes.length);
          const signs = matrix.takeIntegers(new Int32Array(2 * count));
          const note = () =>
            matrix.kernels.sparseLuSigns(
              matrix.table,
              matrix.takeIntegers(places).byteOffset,
              matrix.takeIntegers(blocks).byteOffset,
              count,
              signs.byteOffset,
            );
          note();
          expect(note()).toBe(-1);
          // Rows and columns of a block by their places.
          const lines = (block: number, from: number) =>
            Array.from({ length: n }, (_, i) => i)
              .filter((i) => blocks[places[from + i]] === block)
              .sort((x, y) => places[from + x] - places[from + y]);
          const exactSigns = () => {
            const dense = matrix.dense();
            return Array.from({ length: count }, (_, b) => {
              const [rows, columns] = [lines(b, 0), lines(b, n)];
              expect(columns).toHaveLength(rows.length);
              const values = columns.flatMap((column) =>
                rows.map((row) => dense[row + n * column]),
              );
              return Math.sign(determinant(rows.length, values));
            });
          };
          expect([...signs.subarray(0, count)]).toEqual(exactSigns());
          // A negated row changes the sign of one block, which is reported.
          const row = rowAt[n - 1];
          entries.forEach((entry, e) => {
            if (entry.row === row) matrix.values[e] *= -1;
          });
          matrix.factor();
          expect(note()).toBe(blocks[places[row]]);
          // With other values, new pivots may lie between blocks: then only the product is known.
          const before = exactSigns();
          entries.forEach((_, e) => {
            matrix.values[e] = random();
          });
          expect(matrix.choose()).toBe(0);
          matrix.factor();
          const after = exactSigns();
          const pivots = matrix.order();
          const isWithin = Array.from({ length: n }, (_, k) => k).every(
            (k) => blocks[places[pivots[k]]] === blocks[places[n + pivots[n + k]]],
          );
          seen.between += Number(!isWithin);
          const product = (list: readonly number[]) => list.reduce((all, sign) => all * sign, 1);
          const first = before.findIndex((sign, b) => sign !== after[b]);
          const ofAll = product(before) === product(after) ? -1 : 0;
          expect(note()).toBe(isWithin ? first : ofAll);
        },
      ),
      { seed: 3 },
    );
    expect(seen.whole).toBeGreaterThan(0.8 * seen.all);
  });

  test("name the row that is nearly zero", () => {
    const found = factored(3, Float64Array.of(1, 0, 0, 0, 1e-9, 0, 0, 0, -5));
    expect(found.kernels.sparseLuWeakest(found.table)).toBe(1);
    expect(signOf(found, 3)).toBe(-1);
  });
});
