// QR with column pivoting in plain JavaScript: the algorithm of the kernel, written for speed. As
// there, each step is fused with the one before it, and two columns are done at a time.

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
  /** For columns not yet chosen: squared norms, their limits, multiples to subtract. */
  readonly squares: Float64Array;
  readonly limits: Float64Array;
  readonly multiples: Float64Array;
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
    limits: new Float64Array(n),
    multiples: new Float64Array(n),
    order: new Int32Array(n),
    rank: 0,
  };
}

/**
 * A P = Q R. Squares are not guarded against overflow: this favours the JavaScript side. One long function, for the
 * same reason: split, it takes a fifth more time at small sizes.
 */
export function pivotedQr(a: Float64Array, factor: PivotedQr): number {
  const { m, n, columns, diagonal, reciprocals, weights } = factor;
  const { squares, limits, multiples, order } = factor;
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
    limits[j] = square * HALF_THE_DIGITS;
    multiples[j] = 0;
    order[j] = j;
    if (square > largest) {
      largest = square;
      best = j;
    }
  }
  const steps = m < n ? m : n;
  const relative = Number.EPSILON * (m > n ? m : n);
  const threshold = largest * relative * relative;
  let k = 0;
  for (; k < steps; k++) {
    if (best !== k) {
      for (let i = k * m, other = best * m, end = i + m; i < end; i++, other++) {
        const value = columns[i];
        columns[i] = columns[other];
        columns[other] = value;
      }
      squares[best] = squares[k];
      limits[best] = limits[k];
      const multiple = multiples[best];
      multiples[best] = multiples[k];
      multiples[k] = multiple;
      const index = order[best];
      order[best] = order[k];
      order[k] = index;
    }
    // The pivot column: the pending update by the previous reflector u, and its norm.
    const v = k * m + k;
    const end = k * m + m;
    const u = k > 0 ? v - m : v;
    const multiple = multiples[k];
    const before = columns[u];
    const alpha = columns[v] - multiple * before;
    let square = alpha * alpha;
    for (let i = v + 1, w = u + 1; i < end; i++, w++) {
      const value = columns[i] - multiple * columns[w];
      columns[i] = value;
      square += value * value;
    }
    if (!(square > threshold)) break;
    const beta = alpha < 0 ? Math.sqrt(square) : -Math.sqrt(square);
    const first = alpha - beta;
    const weight = -1 / (beta * first);
    columns[v] = first;
    diagonal[k] = beta;
    reciprocals[k] = -weight * first;
    weights[k] = weight;
    // The columns after it: the pending update, and their products with v.
    let j = k + 1;
    let column = v + m;
    for (; j + 1 < n; j += 2, column += 2 * m) {
      const other = column + m;
      const s = multiples[j];
      const t = multiples[j + 1];
      const above = columns[column] - s * before;
      const beside = columns[other] - t * before;
      let dot = first * above;
      let product = first * beside;
      for (let i = v + 1, w = u + 1, y = column + 1, z = other + 1; i < end; i++, w++, y++, z++) {
        const old = columns[w];
        const element = columns[i];
        const value = columns[y] - s * old;
        columns[y] = value;
        dot += value * element;
        const second = columns[z] - t * old;
        columns[z] = second;
        product += second * element;
      }
      dot *= weight;
      product *= weight;
      const r = above - dot * first;
      const q = beside - product * first;
      columns[column] = r;
      columns[other] = q;
      multiples[j] = dot;
      multiples[j + 1] = product;
      squares[j] -= r * r;
      squares[j + 1] -= q * q;
    }
    if (j < n) {
      const s = multiples[j];
      const above = columns[column] - s * before;
      let dot = first * above;
      for (let i = v + 1, w = u + 1, y = column + 1; i < end; i++, w++, y++) {
        const value = columns[y] - s * columns[w];
        columns[y] = value;
        dot += value * columns[i];
      }
      dot *= weight;
      const r = above - dot * first;
      columns[column] = r;
      multiples[j] = dot;
      squares[j] -= r * r;
    }
    largest = -1;
    for (j = k + 1; j < n; j++) {
      const left = squares[j] <= limits[j] ? measure(j, k + 1, factor) : squares[j];
      if (left > largest) {
        largest = left;
        best = j;
      }
    }
  }
  factor.rank = k;
  return k;
}

/** Updates column j from row k on, and recomputes its squared norm. */
function measure(j: number, k: number, factor: PivotedQr): number {
  const { m, columns, squares, limits, multiples } = factor;
  const u = (k - 1) * m;
  let square = 0;
  for (let i = k; i < m; i++) {
    const value = columns[i + j * m] - multiples[j] * columns[i + u];
    columns[i + j * m] = value;
    square += value * value;
  }
  multiples[j] = 0;
  squares[j] = square;
  limits[j] = square * HALF_THE_DIGITS;
  return square;
}
