// Random sparse matrices, by their entries.

import type { Random } from "./random.js";
import { type Entry, type Sparse, sparse } from "./sparse-lu.js";

const index = (random: Random, n: number) => Math.min(n - 1, Math.floor(((random() + 1) / 2) * n));

/** 0 to n - 1 in a random order. */
function shuffled(random: Random, n: number): number[] {
  const list = Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const j = index(random, i + 1);
    [list[i], list[j]] = [list[j], list[i]];
  }
  return list;
}

/** An entry in each row and column and a few others, with some duplicates and a scale for each. */
export function scattered(random: Random, n: number): Entry[] {
  const order = shuffled(random, n);
  const entry = (row: number, column: number) => ({
    row,
    column,
    value: random(),
    scale: random(),
  });
  const others = Array.from({ length: 2 * n }, () => entry(index(random, n), index(random, n)));
  const needed = order.map((column, row) => ({ row, column, value: 2 + random() }));
  const again = others.slice(0, Math.ceil(n / 2)).map(({ row, column }) => entry(row, column));
  return [...others, ...needed, ...again];
}

/** [M J^T; J 0] of bodies in a chain: M block diagonal, zeros on the diagonal below. */
function saddle(random: Random, bodies: number): Entry[] {
  const entries: Entry[] = [];
  for (let body = 0; body < bodies; body++) {
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        const value = i === j ? 3 + random() : 0.3;
        entries.push({ row: 3 * body + i, column: 3 * body + j, value });
      }
    }
    for (let k = 0; k < 2; k++) {
      const row = 3 * bodies + 2 * body + k;
      for (let column = Math.max(0, 3 * body - 3); column < 3 * body + 3; column++) {
        const value = random();
        entries.push({ row, column, value }, { row: column, column: row, value });
      }
    }
  }
  return entries;
}

/** A sparse triangle with permuted rows and columns. */
export function triangular(random: Random, n: number): Entry[] {
  const [rows, columns] = [shuffled(random, n), shuffled(random, n)];
  const entries: Entry[] = [];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      if (i !== j && random() < 0.2) continue;
      entries.push({ row: rows[i], column: columns[j], value: random() + (i === j ? 3 : 0) });
    }
  }
  return entries;
}

export const sizeOf = (entries: readonly Entry[]) => 1 + Math.max(...entries.map(({ row }) => row));

export const matrixKinds: Record<string, (random: Random, n: number) => Entry[]> = {
  scattered,
  saddle,
  triangular,
};

/** [p 1; 1 1 + s], whose first pivot is p while that is not small. */
export function twoByTwo(pivot: number, last = 3): Sparse {
  return sparse(2, [
    { row: 0, column: 0, value: pivot },
    { row: 0, column: 1, value: 1 },
    { row: 1, column: 0, value: 1 },
    { row: 1, column: 1, value: last },
  ]);
}
