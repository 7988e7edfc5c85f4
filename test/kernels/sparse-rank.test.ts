import { Status, statusCode } from "nodrift/kernels";
import { describe, expect, test } from "vitest";
import { seeded } from "../support/random.js";
import { sparse } from "../support/sparse-lu.js";
import { scattered } from "../support/sparse-matrices.js";

/** `rank` random sparse columns, and others that are sums of two of them. */
function deficient(seed: number, size: number, rank: number, more: number) {
  const random = seeded(seed);
  const columns = Array.from({ length: rank }, (_, j) =>
    Array.from({ length: size }, (_, i) => (i === j ? 3 : random() > 0.4 ? random() : 0)),
  );
  const sums = Array.from({ length: more }, (_, j) =>
    columns[j % rank].map((value, i) => value + 0.5 * columns[(j + 1) % rank][i]),
  );
  return [...columns, ...sums].flatMap((values, column) =>
    values.flatMap((value, row) => (value === 0 ? [] : { row, column, value })),
  );
}

describe("sparseRank", () => {
  test.each([
    [6, 4, 0],
    [12, 7, 3],
    [30, 20, 5],
    [30, 30, 0],
  ])(
    "finds the rank of %i rows, %i independent columns and %i sums of them",
    (size, rank, more) => {
      for (let seed = 1; seed <= 20; seed++) {
        const entries = deficient(seed, size, rank, more);
        const width = rank + more;
        for (const some of [1, 4, width]) {
          const found = sparse(size, entries, 0, 4000, width).rank(0.5, 1e-10, some);
          expect(found.count).toBe(rank);
          expect(found.rows).toHaveLength(size - rank);
          expect(found.columns).toHaveLength(more);
        }
      }
    },
  );

  test("takes the largest magnitude of a column if the threshold is one", () => {
    const entries = [0.5, -2, 1].map((value, row) => ({ row, column: 0, value }));
    expect(sparse(3, entries, 0, 100, 1).rank(1, 1e-10).rows).toEqual([0, 2]);
  });

  test("does not count pivots below the tolerance", () => {
    const entries = [1, 1e-11].map((value, i) => ({ row: i, column: i, value }));
    expect(sparse(2, entries, 0, 100, 2).rank(0.5, 1e-10)).toEqual({
      count: 1,
      rows: [1],
      columns: [1],
    });
  });
});

describe("full pools", () => {
  test.each([20, 40])("full pools are compacted, and the pivots are the same (%i)", (n) => {
    const entries = scattered(seeded(n), n);
    const roomy = sparse(n, entries, 1000, 20_000);
    expect(roomy.choose()).toBe(Status.OK);
    let [fitted, refused] = [0, 0];
    for (let pool = entries.length - 1; pool < 4 * entries.length; pool++) {
      const m = sparse(n, entries, 1000, pool);
      const status = m.choose();
      if (status === Status.OK) {
        expect(m.order()).toEqual(roomy.order());
        expect(m.filled()).toEqual(roomy.filled());
        fitted++;
      } else {
        expect(statusCode(status)).toBe(Status.BAD_SIZE);
        expect(m.chosen()).toBe(0);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(0);
    expect(fitted).toBeGreaterThan(entries.length);
  });
});
