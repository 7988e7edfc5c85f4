// LU with partial pivoting in plain JavaScript: panels of four columns, whose joint update is applied to the rest,
// two columns at a time. Each load of a multiplier serves two products and each load and store of an entry four: the
// fastest of the arrangements tried.

/** Output of a factorisation, allocated once, outside the timed part. */
export interface LuFactor {
  /** L below the diagonal, U above, the reciprocals of U's diagonal on it; by columns. */
  readonly lu: Float64Array;
  /** The original row of each row. */
  readonly rows: Int32Array;
  /** |A|_1. */
  norm: number;
}

/** Room for a factor. */
export function makeLu(n: number): LuFactor {
  return { lu: new Float64Array(n * n), rows: new Int32Array(n), norm: 0 };
}

/** P A = L U. False when a pivot is zero. */
export function luFactor(n: number, a: Float64Array, factor: LuFactor): boolean {
  const { lu, rows } = factor;
  factor.norm = copyWithNorm(n, a, lu);
  for (let i = 0; i < n; i++) rows[i] = i;
  for (let k = 0; k < n; k += 4) {
    const end = k + 4 < n ? k + 4 : n;
    for (let j = k; j < end; j++) if (!factorColumn(n, j, end, lu, rows)) return false;
    let j = end;
    for (; j + 2 <= n; j += 2) updateTwo(n, k, j * n, lu);
    if (j < n) updateOne(n, k, j * n, lu);
  }
  return true;
}

function copyWithNorm(n: number, a: Float64Array, lu: Float64Array): number {
  let norm = 0;
  for (let j = 0; j < n; j++) {
    let sum = 0;
    for (let i = j * n; i < j * n + n; i++) {
      const value = a[i];
      lu[i] = value;
      sum += Math.abs(value);
    }
    if (!(sum <= norm)) norm = sum;
  }
  return norm;
}

/** One column of a panel that ends before column `end`: pivot, scale, update the panel. */
function factorColumn(
  n: number,
  k: number,
  end: number,
  lu: Float64Array,
  rows: Int32Array,
): boolean {
  const diagonal = k + k * n;
  const stop = n + k * n;
  let best = Math.abs(lu[diagonal]);
  let pivot = diagonal;
  for (let i = diagonal + 1; i < stop; i++) {
    const size = Math.abs(lu[i]);
    if (size > best) {
      best = size;
      pivot = i;
    }
  }
  const reciprocal = 1 / lu[pivot];
  if (reciprocal - reciprocal !== 0) return false;
  if (pivot !== diagonal) exchangeRows(n, lu, rows, k, pivot - k * n);
  lu[diagonal] = reciprocal;
  for (let i = diagonal + 1; i < stop; i++) lu[i] *= reciprocal;
  for (let j = k + 1; j < end; j++) {
    const u = lu[k + j * n];
    for (let i = diagonal + 1, to = k + 1 + j * n; i < stop; i++, to++) lu[to] -= lu[i] * u;
  }
  return true;
}

function exchangeRows(n: number, lu: Float64Array, rows: Int32Array, k: number, r: number): void {
  for (let i = k, j = r; i < n * n; i += n, j += n) {
    const value = lu[i];
    lu[i] = lu[j];
    lu[j] = value;
  }
  const row = rows[k];
  rows[k] = rows[r];
  rows[r] = row;
}

/** Four rows of U in two columns right of the panel at k, then the rows below. */
function updateTwo(n: number, k: number, column: number, lu: Float64Array): void {
  let l0 = k + k * n;
  let l1 = l0 + n;
  let l2 = l1 + n;
  let l3 = l2 + n;
  const top = column + k;
  const u0 = lu[top];
  const v0 = lu[top + n];
  const u1 = lu[top + 1] - lu[l0 + 1] * u0;
  const v1 = lu[top + n + 1] - lu[l0 + 1] * v0;
  const u2 = lu[top + 2] - lu[l0 + 2] * u0 - lu[l1 + 2] * u1;
  const v2 = lu[top + n + 2] - lu[l0 + 2] * v0 - lu[l1 + 2] * v1;
  const u3 = lu[top + 3] - lu[l0 + 3] * u0 - lu[l1 + 3] * u1 - lu[l2 + 3] * u2;
  const v3 = lu[top + n + 3] - lu[l0 + 3] * v0 - lu[l1 + 3] * v1 - lu[l2 + 3] * v2;
  lu[top + 1] = u1;
  lu[top + 2] = u2;
  lu[top + 3] = u3;
  lu[top + n + 1] = v1;
  lu[top + n + 2] = v2;
  lu[top + n + 3] = v3;
  l0 += 4;
  l1 += 4;
  l2 += 4;
  l3 += 4;
  for (let i = top + 4; i < column + n; i++) {
    const m0 = lu[l0++];
    const m1 = lu[l1++];
    const m2 = lu[l2++];
    const m3 = lu[l3++];
    lu[i] -= m0 * u0 + m1 * u1 + (m2 * u2 + m3 * u3);
    lu[i + n] -= m0 * v0 + m1 * v1 + (m2 * v2 + m3 * v3);
  }
}

/** Updates the last column. */
function updateOne(n: number, k: number, column: number, lu: Float64Array): void {
  for (let p = k; p < k + 4; p++) {
    const u = lu[column + p];
    for (let i = p + 1, from = p * n + i; i < n; i++, from++) lu[column + i] -= lu[from] * u;
  }
}
