// QR by Householder reflections (Golub & Van Loan, 4th ed., sections 5.2.1 and 5.4.2), with or without pivoting,
// of matrices given by columns. Every inner product is recomputed: no downdating of norms, which loses digits.

export interface QR {
  /** Length of the columns. */
  readonly n: number;
  /** Number of independent columns. */
  readonly rank: number;
  /** Chosen columns in order; the dependent ones last. */
  readonly order: readonly number[];
  /** Column j of R belongs to column order[j]. */
  readonly r: readonly Float64Array[];
  /** Unit vectors u of the reflections I - 2 u u^T. */
  readonly reflectors: readonly Float64Array[];
}

/**
 * Factors a copy. `tolerance` is relative to the longest column; undefined: no pivoting, and all columns are assumed
 * independent.
 */
export function factor(columns: readonly Float64Array[], tolerance?: number): QR {
  const n = columns[0]?.length ?? 0;
  const r = columns.map((column) => column.slice());
  const order = r.map((_, j) => j);
  const reflectors: Float64Array[] = [];
  let longest = 0;
  for (let k = 0; k < Math.min(n, r.length); k++) {
    if (tolerance !== undefined) {
      const best = longestFrom(r, k);
      const size = lengthFrom(r[best], k);
      if (k === 0) longest = size;
      if (!(size > tolerance * longest)) break;
      [r[k], r[best]] = [r[best], r[k]];
      [order[k], order[best]] = [order[best], order[k]];
    }
    const u = reflector(r[k], k);
    for (let j = k; j < r.length; j++) reflect(u, k, r[j]);
    reflectors.push(u);
  }
  return { n, rank: reflectors.length, order, r, reflectors };
}

/** Index of the longest column below row `first`, from `first` on. */
export function longestFrom(columns: readonly Float64Array[], first: number): number {
  let [best, most] = [first, -1];
  for (let j = first; j < columns.length; j++) {
    const size = lengthFrom(columns[j], first);
    if (size > most) [best, most] = [j, size];
  }
  return best;
}

export function lengthFrom(column: Float64Array, first: number): number {
  let sum = 0;
  for (let i = first; i < column.length; i++) sum += column[i] * column[i];
  return Math.sqrt(sum);
}

/** The reflection that maps the part below `first` to a multiple of the unit vector there. */
export function reflector(column: Float64Array, first: number): Float64Array {
  const u = new Float64Array(column.length);
  u.set(column.subarray(first), first);
  u[first] += (u[first] < 0 ? -1 : 1) * lengthFrom(column, first);
  const size = lengthFrom(u, first);
  if (size > 0) for (let i = first; i < u.length; i++) u[i] /= size;
  return u;
}

export function reflect(u: Float64Array, first: number, x: Float64Array): void {
  let sum = 0;
  for (let i = first; i < x.length; i++) sum += u[i] * x[i];
  sum *= 2;
  for (let i = first; i < x.length; i++) x[i] -= sum * u[i];
}

/** Q^T x. */
export function toFactor({ reflectors }: QR, x: Float64Array): Float64Array {
  const y = x.slice();
  reflectors.forEach((u, k) => {
    reflect(u, k, y);
  });
  return y;
}

/** Q y. */
export function fromFactor({ reflectors }: QR, y: Float64Array): Float64Array {
  const x = y.slice();
  for (let k = reflectors.length - 1; k >= 0; k--) reflect(reflectors[k], k, x);
  return x;
}

/** An orthonormal basis of the orthogonal complement of all columns. */
export function complement(qr: QR): Float64Array[] {
  return Array.from({ length: qr.n - qr.rank }, (_, i) => {
    const y = new Float64Array(qr.n);
    y[qr.rank + i] = 1;
    return fromFactor(qr, y);
  });
}

/** The shortest x whose product with each of the independent columns is b, in their order. */
export function shortest(qr: QR, b: ArrayLike<number>): Float64Array {
  const y = new Float64Array(qr.n);
  for (let k = 0; k < qr.rank; k++) {
    let sum = b[k];
    for (let i = 0; i < k; i++) sum -= qr.r[k][i] * y[i];
    y[k] = sum / qr.r[k][k];
  }
  return fromFactor(qr, y);
}

/** R c = y, with the leading part of R. */
export function upperSolve({ r, rank }: QR, y: ArrayLike<number>): Float64Array {
  const c = Float64Array.from({ length: rank }, (_, i) => y[i]);
  for (let k = rank - 1; k >= 0; k--) {
    c[k] /= r[k][k];
    for (let i = 0; i < k; i++) c[i] -= r[k][i] * c[k];
  }
  return c;
}

/** Factors c, in the order of the columns given, with the least |sum c_j a_j - b|; dependent columns have 0. */
export function leastSquares(qr: QR, b: Float64Array): Float64Array {
  const c = upperSolve(qr, toFactor(qr, b));
  const result = new Float64Array(qr.r.length);
  for (let k = 0; k < qr.rank; k++) result[qr.order[k]] = c[k];
  return result;
}

/** Combinations of the columns that are zero, one for each dependent column. */
export function relations(qr: QR): Float64Array[] {
  return qr.r.slice(qr.rank).map((column, i) => {
    const relation = new Float64Array(qr.r.length);
    relation[qr.order[qr.rank + i]] = 1;
    const c = upperSolve(qr, column);
    for (let k = 0; k < qr.rank; k++) relation[qr.order[k]] = -c[k];
    return relation;
  });
}

/**
 * The smallest singular value of the independent columns: repeated solves R^T R x = y (inverse iteration), from a
 * start with components in all directions.
 */
export function smallestSingularValue(qr: QR): number {
  const { r, rank } = qr;
  let x: Float64Array = Float64Array.from(
    { length: rank },
    (_, i) => 1 + 0.3 * ((i * 7) % 5) - 0.2 * (i % 3),
  );
  let value = 0;
  for (let round = 0; round < 30; round++) {
    const y = x.slice();
    for (let k = 0; k < rank; k++) {
      for (let i = 0; i < k; i++) y[k] -= r[k][i] * y[i];
      y[k] /= r[k][k];
    }
    x = upperSolve(qr, y);
    const size = lengthFrom(x, 0);
    value = 1 / Math.sqrt(size);
    for (let i = 0; i < rank; i++) x[i] /= size;
  }
  return value;
}
