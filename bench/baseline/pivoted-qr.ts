// QR with column pivoting in plain JavaScript: the algorithm of the kernel, written for speed.

/** Square root of the unit roundoff. */
const HALF_THE_DIGITS = Math.sqrt(2 ** -53);

/** A factorisation and the memory for it. */
export interface PivotedQr {
  readonly m: number;
  readonly n: number;
  /** By columns: R above the diagonal, reflectors on and below it. */
  readonly columns: Float64Array;
  readonly diagonal: Float64Array;
  readonly reciprocals: Float64Array;
  readonly weights: Float64Array;
  readonly squares: Float64Array;
  readonly references: Float64Array;
  readonly order: Int32Array;
  rank: number;
}

/** Memory for factors of m x n matrices. */
export function makePivotedQr(m: number, n: number): PivotedQr {
  return {
    m,
    n,
    columns: new Float64Array(m * n),
    diagonal: new Float64Array(n),
    reciprocals: new Float64Array(n),
    weights: new Float64Array(n),
    squares: new Float64Array(n),
    references: new Float64Array(n),
    order: new Int32Array(n),
    rank: 0,
  };
}

/** A P = Q R. Squares are not guarded against overflow: that is in favour of this side. */
export function pivotedQr(a: Float64Array, factor: PivotedQr): number {
  const { m, n, columns, squares, references } = factor;
  let best = takeMatrix(m, n, a, factor);
  const steps = m < n ? m : n;
  const relative = Number.EPSILON * (m > n ? m : n);
  let threshold = 0;
  let rank = 0;
  for (; rank < steps; rank++) {
    if (best !== rank) exchange(rank, best, factor);
    const start = rank * m;
    const square = sumOfSquares(columns, start + rank, start + m);
    if (rank === 0) threshold = square * relative * relative;
    if (!(square > threshold)) break;
    const weight = makeReflector(rank, start, square, factor);
    reflect(columns, start + rank, start + m, weight, start + m + rank, m, n - rank - 1);
    let largest = -1;
    for (let j = rank + 1, i = start + m + rank; j < n; j++, i += m) {
      const r = columns[i];
      let left = squares[j] - r * r;
      if (left <= references[j] * HALF_THE_DIGITS) {
        left = sumOfSquares(columns, i + 1, (j + 1) * m);
        references[j] = left;
      }
      squares[j] = left;
      if (left > largest) {
        largest = left;
        best = j;
      }
    }
  }
  factor.rank = rank;
  return rank;
}

/** Copies the matrix, measures its columns and returns the longest. */
function takeMatrix(m: number, n: number, a: Float64Array, factor: PivotedQr): number {
  const { columns, squares, references, order } = factor;
  let best = 0;
  let largest = -1;
  for (let j = 0, i = 0; j < n; j++) {
    let square = 0;
    for (const end = i + m; i < end; i++) {
      const value = a[i];
      columns[i] = value;
      square += value * value;
    }
    squares[j] = square;
    references[j] = square;
    order[j] = j;
    if (square > largest) {
      largest = square;
      best = j;
    }
  }
  return best;
}

function exchange(k: number, best: number, factor: PivotedQr): void {
  const { m, columns, squares, references, order } = factor;
  for (let i = k * m, other = best * m, end = i + m; i < end; i++, other++) {
    const value = columns[i];
    columns[i] = columns[other];
    columns[other] = value;
  }
  squares[best] = squares[k];
  references[best] = references[k];
  const index = order[best];
  order[best] = order[k];
  order[k] = index;
}

function makeReflector(k: number, start: number, square: number, factor: PivotedQr): number {
  const alpha = factor.columns[start + k];
  const norm = Math.sqrt(square);
  const beta = alpha < 0 ? norm : -norm;
  const first = alpha - beta;
  const weight = -1 / (beta * first);
  factor.columns[start + k] = first;
  factor.diagonal[k] = beta;
  factor.reciprocals[k] = -weight * first;
  factor.weights[k] = weight;
  return weight;
}

function sumOfSquares(x: Float64Array, start: number, end: number): number {
  let even = 0;
  let odd = 0;
  let i = start;
  for (; i + 1 < end; i += 2) {
    even += x[i] * x[i];
    odd += x[i + 1] * x[i + 1];
  }
  if (i < end) even += x[i] * x[i];
  return even + odd;
}

/** Applies the reflector in v[start, end) to `count` columns, the first one beginning at `to`. */
function reflect(
  v: Float64Array,
  start: number,
  end: number,
  weight: number,
  to: number,
  stride: number,
  count: number,
): void {
  let column = to;
  let left = count;
  for (; left >= 2; left -= 2, column += 2 * stride) {
    let dot = 0;
    let other = 0;
    for (let i = start, a = column, b = column + stride; i < end; i++, a++, b++) {
      const element = v[i];
      dot += element * v[a];
      other += element * v[b];
    }
    dot *= weight;
    other *= weight;
    for (let i = start, a = column, b = column + stride; i < end; i++, a++, b++) {
      const element = v[i];
      v[a] -= dot * element;
      v[b] -= other * element;
    }
  }
  if (left > 0) reflectOne(v, start, end, weight, v, column);
}

/** Applies a reflector to one vector y, from `to` on. */
export function reflectOne(
  v: Float64Array,
  start: number,
  end: number,
  weight: number,
  y: Float64Array,
  to: number,
): void {
  let dot = 0;
  for (let i = start, a = to; i < end; i++, a++) dot += v[i] * y[a];
  dot *= weight;
  for (let i = start, a = to; i < end; i++, a++) y[a] -= dot * v[i];
}
