// Orthonormal bases of dense vectors: modified Gram-Schmidt with the largest vector next, each vector orthogonalised
// twice (Golub & Van Loan, 4th ed., section 5.2.8; "twice is enough"). For reports, never in a step. Singular values
// would resolve nearly dependent vectors better, and cost twenty times as much.

/** The product of a vector with the matrix of the metric. */
export type MetricProduct = (x: Float64Array) => Float64Array;

/** Stopping criterion: a number of vectors, or a small remainder. */
export interface Until {
  /** Exact number of vectors. */
  readonly count?: number | undefined;
  /** Otherwise, maximum number of vectors. */
  readonly most?: number | undefined;
  /** Squared length of the remainder, relative to `sizes`, that is treated as zero. */
  readonly tolerance?: number;
  /** Squared lengths with which remainders are compared. Default: those of the vectors. */
  readonly sizes?: readonly number[];
}

const EUCLIDEAN: MetricProduct = (x) => x;

/** Returns an orthonormal basis of some vectors, orthogonal to others, which are orthonormal. */
export function orthonormal(
  vectors: readonly Float64Array[],
  others: readonly Float64Array[],
  { count, most = vectors.length, tolerance = 0, sizes }: Until,
  metric: MetricProduct = EUCLIDEAN,
): Float64Array[] {
  const square = (x: Float64Array) => dot(x, metric(x));
  const lengths = sizes ?? vectors.map(square);
  const against = others.map((unit) => ({ unit, momenta: metric(unit) }));
  const left = vectors.map((x) => without(x.slice(), against));
  const squares = left.map(square);
  const found: Float64Array[] = [];
  while (found.length < (count ?? most)) {
    const relative = squares.map((value, i) => (lengths[i]! > 0 ? value / lengths[i]! : 0));
    const best = relative.reduce((most, value, i) => (value > relative[most]! ? i : most), 0);
    if (count === undefined && !(relative[best]! > tolerance)) break;
    const x = without(left[best]!, against);
    const length = Math.sqrt(square(x));
    const unit = x.map((value) => value / length);
    const momenta = metric(unit);
    found.push(unit);
    against.push({ unit, momenta });
    left.forEach((y, i) => {
      subtract(y, dot(y, momenta), unit);
      squares[i] = i === best ? 0 : square(y);
    });
  }
  return found;
}

/** Returns an orthonormal basis of the orthogonal complement of an orthonormal basis. */
export function complement(
  basis: readonly Float64Array[],
  size: number,
  metric: MetricProduct = EUCLIDEAN,
): Float64Array[] {
  return orthonormal(unitVectors(size), basis, { count: size - basis.length }, metric);
}

export function unitVectors(size: number): Float64Array[] {
  return Array.from({ length: size }, (_, i) => {
    const unit = new Float64Array(size);
    unit[i] = 1;
    return unit;
  });
}

/** Returns the linear combination of vectors with the given factors. */
export function combination(
  vectors: readonly Float64Array[],
  factors: ArrayLike<number>,
  size: number,
): Float64Array {
  const sum = new Float64Array(size);
  vectors.forEach((x, i) => {
    subtract(sum, -factors[i]!, x);
  });
  return sum;
}

/** Returns an orthonormal basis of the factors whose linear combinations of the columns are below a tolerance. */
export function nullSpace(columns: readonly Float64Array[], tolerance: number): Float64Array[] {
  return complement(rowSpace(columns, tolerance), columns.length);
}

/**
 * Returns the factors of the columns whose sum is nearest to a vector; if they are not unique, those of least norm. In
 * a basis of the row space the columns are independent, so QR applies.
 */
export function leastSquares(columns: readonly Float64Array[], right: Float64Array): Float64Array {
  const across = rowSpace(columns, INDEPENDENCE_TOLERANCE);
  const rest = right.slice();
  const units: Float64Array[] = [];
  // Factors of the columns that yield each unit vector.
  const sources: Float64Array[] = [];
  const sum = new Float64Array(columns.length);
  for (const factors of across) {
    const [image, source] = [combination(columns, factors, right.length), factors.slice()];
    for (let pass = 0; pass < 2; pass++) {
      units.forEach((unit, i) => {
        const part = dot(image, unit);
        subtract(image, part, unit);
        subtract(source, part, sources[i]!);
      });
    }
    const length = Math.sqrt(dot(image, image));
    const unit = image.map((value) => value / length);
    units.push(unit);
    sources.push(source.map((value) => value / length));
    const part = dot(rest, unit);
    subtract(rest, part, unit);
    subtract(sum, -part, sources.at(-1)!);
  }
  return sum;
}

/** Components above which columns count as independent; these have magnitude one. */
const INDEPENDENCE_TOLERANCE = 1e-10;

function rowSpace(columns: readonly Float64Array[], tolerance: number): Float64Array[] {
  const rows = Array.from({ length: columns[0]?.length ?? 0 }, (_, row) => {
    return Float64Array.from(columns, (column) => column[row]!);
  });
  return orthonormal(rows, [], { tolerance: tolerance * tolerance, sizes: rows.map(() => 1) });
}

export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

/** A unit vector, and its product with the matrix of the metric. */
interface UnitVector {
  readonly unit: Float64Array;
  readonly momenta: Float64Array;
}

/** Removes from x its components along an orthonormal basis; changes x. */
function without(x: Float64Array, basis: readonly UnitVector[]): Float64Array {
  for (const { unit, momenta } of basis) subtract(x, dot(momenta, x), unit);
  return x;
}

function subtract(x: Float64Array, factor: number, y: Float64Array): void {
  for (let i = 0; i < x.length; i++) x[i] = x[i]! - factor * y[i]!;
}
