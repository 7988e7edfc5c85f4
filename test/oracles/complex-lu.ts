// Reference elimination of complex systems: matrices as arrays of rows.

export type Complex = readonly [number, number];

export const plus = ([a, b]: Complex, [c, d]: Complex): Complex => [a + c, b + d];
export const times = ([a, b]: Complex, [c, d]: Complex): Complex => [a * c - b * d, a * d + b * c];
const minus = ([a, b]: Complex, [c, d]: Complex): Complex => [a - c, b - d];
export const over = ([a, b]: Complex, [c, d]: Complex): Complex => {
  const square = c * c + d * d;
  return [(a * c + b * d) / square, (b * c - a * d) / square];
};

/** Solves A x = b by Gauss-Jordan elimination, with the largest modulus of each column as pivot. */
export function naiveComplexSolve(a: readonly (readonly Complex[])[], b: readonly Complex[]) {
  const n = b.length;
  const work = a.map((row, i) => [...row, b[i]]);
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) {
      if (Math.hypot(...work[i][k]) > Math.hypot(...work[pivot][k])) pivot = i;
    }
    [work[k], work[pivot]] = [work[pivot], work[k]];
    const top = work[k].map((value) => over(value, work[k][k]));
    for (let i = 0; i < n; i++) {
      const factor = work[i][k];
      work[i] = i === k ? top : work[i].map((value, j) => minus(value, times(factor, top[j])));
    }
  }
  return work.map((row) => row[n]);
}
