// Sharing of a load: values + N c with minimum sum of squares, for sparse null vectors N.

/** A sparse vector: indices and values of its structural nonzeros. */
export interface Sparse {
  readonly rows: readonly number[];
  readonly values: readonly number[];
}

const ROUNDING_UNIT = 1e-16;
/** Relative size treated as zero when a sum of two numbers cancels in elimination. */
const CANCELLATION_TOLERANCE = 1e-9;
/** A shorter pivot vector may have a pivot smaller than the largest candidate by this factor. */
const PIVOT_THRESHOLD = 0.1;

/**
 * Returns vectors that span the same space: `own` are independent in the entries from `first` to `end`, and `rest` are
 * zero there. So those entries depend on c of `own` alone: they can be minimised separately, and do not change when c
 * of `rest` is chosen. Column elimination; entries shared by fewer vectors come first, which preserves sparsity.
 */
export function separate(
  vectors: readonly Sparse[],
  first: number,
  end: number,
): { own: Sparse[]; rest: Sparse[] } {
  const open = new Set(
    vectors.map(({ rows, values }) => new Map(rows.map((row, i) => [row, values[i]!]))),
  );
  const holders = holdersOf(open, first, end);
  const places = [...holders.keys()].sort(
    (a, b) => holders.get(a)!.size - holders.get(b)!.size || a - b,
  );
  const own: Sparse[] = [];
  for (const place of places) {
    const having = [...holders.get(place)!].filter((vector) => open.has(vector));
    if (having.length === 0) continue;
    const most = having.reduce((size, each) => Math.max(size, Math.abs(each.get(place)!)), 0);
    const pivot = having
      .filter((vector) => Math.abs(vector.get(place)!) >= PIVOT_THRESHOLD * most)
      .reduce((one, other) => (other.size < one.size ? other : one));
    open.delete(pivot);
    own.push(sparse(pivot));
    for (const vector of having) if (vector !== pivot) eliminate(vector, pivot, place, holders);
  }
  return { own, rest: [...open].map(sparse) };
}

/** For each index, the vectors with a non-zero there. */
type Holders = ReadonlyMap<number, Set<Map<number, number>>>;

function holdersOf(vectors: Iterable<Map<number, number>>, first: number, end: number): Holders {
  const holders = new Map<number, Set<Map<number, number>>>();
  for (const vector of vectors) {
    for (const place of vector.keys()) {
      if (place < first || place >= end) continue;
      holders.set(place, (holders.get(place) ?? new Set()).add(vector));
    }
  }
  return holders;
}

function eliminate(
  vector: Map<number, number>,
  pivot: ReadonlyMap<number, number>,
  place: number,
  holders: Holders,
): void {
  const factor = vector.get(place)! / pivot.get(place)!;
  for (const [row, value] of pivot) {
    const [before, added] = [vector.get(row) ?? 0, -factor * value];
    const after = before + added;
    const isGone = Math.abs(after) <= CANCELLATION_TOLERANCE * (Math.abs(before) + Math.abs(added));
    if (row === place || isGone) {
      vector.delete(row);
      holders.get(row)?.delete(vector);
    } else {
      vector.set(row, after);
      holders.get(row)?.add(vector);
    }
  }
}

function sparse(vector: ReadonlyMap<number, number>): Sparse {
  return { rows: [...vector.keys()], values: [...vector.values()] };
}

/**
 * Minimises the sum of C values^2 over values += N c by conjugate gradients, scaled by the diagonal (Golub & Van
 * Loan, 4th ed., section 11.5). N is sparse, as null vectors belong to loops. A second run removes
 * the rounding errors of the first. Residuals as small as the rounding of the largest value are not reduced.
 */
export function minimise(
  values: Float64Array,
  vectors: readonly Sparse[],
  compliance: Float64Array,
): void {
  const count = vectors.length;
  const combined = new Float64Array(values.length);
  const diagonal = vectors.map(({ rows, values: own }) =>
    rows.reduce((sum, row, i) => sum + compliance[row]! * own[i]! ** 2, 0),
  );
  const noise = ROUNDING_UNIT * values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const floor = vectors.reduce((sum, { rows, values: own }, k) => {
    const size = rows.reduce((total, row, i) => total + compliance[row]! * Math.abs(own[i]!), 0);
    return diagonal[k]! > 0 ? sum + (size * noise) ** 2 / diagonal[k]! : sum;
  }, 0);
  for (let run = 0; run < 2; run++) {
    const residual = gradient(vectors, compliance, values).map((x) => -x);
    const c = new Float64Array(count);
    const scaled = residual.map((x, k) => (diagonal[k]! > 0 ? x / diagonal[k]! : 0));
    const direction = scaled.slice();
    let square = dot(residual, scaled);
    const threshold = Math.max(ROUNDING_UNIT ** 2 * square, floor);
    for (let step = 0; step < 4 * count + 20 && square > threshold; step++) {
      combine(vectors, direction, combined);
      const product = gradient(vectors, compliance, combined);
      const length = square / dot(direction, product);
      if (!Number.isFinite(length)) break;
      for (let k = 0; k < count; k++) {
        c[k] = c[k]! + length * direction[k]!;
        residual[k] = residual[k]! - length * product[k]!;
        scaled[k] = diagonal[k]! > 0 ? residual[k]! / diagonal[k]! : 0;
      }
      const next = dot(residual, scaled);
      for (let k = 0; k < count; k++) direction[k] = scaled[k]! + (next / square) * direction[k]!;
      square = next;
    }
    combine(vectors, c, combined);
    for (let i = 0; i < values.length; i++) values[i] = values[i]! + combined[i]!;
  }
}

/** Returns N^T C u. */
function gradient(
  vectors: readonly Sparse[],
  compliance: Float64Array,
  u: Float64Array,
): Float64Array {
  return Float64Array.from(vectors, ({ rows, values }) =>
    rows.reduce((sum, row, i) => sum + values[i]! * compliance[row]! * u[row]!, 0),
  );
}

/** Computes out = N c. */
function combine(vectors: readonly Sparse[], c: Float64Array, out: Float64Array): void {
  out.fill(0);
  vectors.forEach(({ rows, values }, k) => {
    rows.forEach((row, i) => {
      out[row] = out[row]! + c[k]! * values[i]!;
    });
  });
}

function dot(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, x, i) => sum + x * b[i]!, 0);
}
