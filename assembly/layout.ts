// THE memory layout. Compiled by asc into the kernels and by tsc into the package, so the two sides
// cannot disagree. Only integers and enums: no import, no class, nothing of either language alone.
//
// All lengths and offsets are counted in slots of eight bytes (one f64). Integers inside records
// are stored as f64 too, so that one Float64Array shows everything a kernel wrote.

/** Bytes of one slot. */
export const SLOT_BYTES: i32 = 8;

/** Where the arena begins. Below it lies the static data of the module (tested to fit). */
export const ARENA_BASE: i32 = 16384;

/** Segments begin on cache lines: eight slots. */
export const SEGMENT_SLOTS: i32 = 8;

/** Bytes of one page of WebAssembly memory. */
export const PAGE_BYTES: i32 = 65536;

/**
 * What a kernel returns: the code in the low byte, the index of the culprit above it.
 * `DEFICIENT` says that the result is valid and of lower rank; every larger code is a failure.
 */
export enum Status {
  OK = 0,
  /** Rank deficient; the result is usable. Index: the first dependent row, column or pivot. */
  DEFICIENT = 1,
  /** NaN or Infinity in the input. Index: the row (of a vector: the element) that holds it. */
  NON_FINITE = 2,
  /** A pivot that should be positive is not. Index: its row. */
  NOT_POSITIVE = 3,
  /** A pivot is zero or lost in rounding. Index: its row. */
  SINGULAR = 4,
  /** An iteration did not converge. Index: the value it was working on. */
  NO_CONVERGENCE = 5,
  /** A size is negative or does not fit the other sizes. Index: position of the argument. */
  BAD_SIZE = 6,
}

/** Bits of a status that hold its code. */
export const STATUS_BITS: i32 = 8;

/** n rounded up to a multiple of four: the leading dimension of tiled storage. */
export function padToFour(n: i32): i32 {
  return (n + 3) & ~3;
}

/** n rounded up to an even number: the leading dimension of f64x2 columns. */
export function padToTwo(n: i32): i32 {
  return (n + 1) & ~1;
}

/**
 * Cholesky factor of an n x n matrix: the lower triangle by columns in a square of padded n,
 * then the reciprocals of its diagonal, then scratch for one padded right side.
 */
export function choleskySlots(n: i32): i32 {
  const p = padToFour(n);
  return p * p + 2 * p;
}

/** Header of a singular value decomposition. */
export enum SvdHeader {
  /** The power of two the matrix was multiplied by; the stored singular values are too. */
  SCALE = 0,
  /** Sweeps over the bidiagonal matrix that were needed. */
  SWEEPS = 1,
  /** Slots of the header. */
  SLOTS = 2,
}

/** Columns of a panel of n: loops take four at a time and may touch three zero columns more. */
export function panelColumns(n: i32): i32 {
  return n + 3;
}

function shorterOf(m: i32, n: i32): i32 {
  return m < n ? m : n;
}

function longerOf(m: i32, n: i32): i32 {
  return m < n ? n : m;
}

/** Where the singular values begin in an SVD: min(m, n), times the scale of the header. */
export function svdValuesSlot(): i32 {
  return SvdHeader.SLOTS;
}

/** Singular vectors of the longer side: its length padded to two, by the panel of the shorter. */
export function svdLongSlot(m: i32, n: i32): i32 {
  return svdValuesSlot() + padToFour(shorterOf(m, n));
}

/** Singular vectors of the shorter side. */
export function svdShortSlot(m: i32, n: i32): i32 {
  return svdLongSlot(m, n) + padToTwo(longerOf(m, n)) * panelColumns(shorterOf(m, n));
}

/** Where U begins: min(m, n) columns with leading dimension m padded to two. */
export function svdLeftSlot(m: i32, n: i32): i32 {
  return m < n ? svdShortSlot(m, n) : svdLongSlot(m, n);
}

/** Where V begins: min(m, n) columns with leading dimension n padded to two. */
export function svdRightSlot(m: i32, n: i32): i32 {
  return m < n ? svdLongSlot(m, n) : svdShortSlot(m, n);
}

/** Reflectors that reduced the long matrix to a square one; none when it is square. */
export function svdReflectorSlot(m: i32, n: i32): i32 {
  const short = shorterOf(m, n);
  return svdShortSlot(m, n) + padToTwo(short) * panelColumns(short);
}

/** Scratch of an SVD: seven vectors of {@link svdVectorSlots}. */
export function svdScratchSlot(m: i32, n: i32): i32 {
  const panel = m === n ? 0 : padToTwo(longerOf(m, n)) * panelColumns(shorterOf(m, n));
  return svdReflectorSlot(m, n) + panel;
}

/** One vector of the scratch: the longer side padded to four, and room for a last group. */
export function svdVectorSlots(m: i32, n: i32): i32 {
  return padToFour(longerOf(m, n)) + 4;
}

/** Singular value decomposition of an m x n matrix. */
export function svdSlots(m: i32, n: i32): i32 {
  return svdScratchSlot(m, n) + 7 * svdVectorSlots(m, n);
}

/** Header of a symmetric eigendecomposition. */
export enum EigenHeader {
  /** The power of two the matrix was multiplied by; the stored eigenvalues are too. */
  SCALE = 0,
  /** Sweeps over the tridiagonal matrix that were needed. */
  SWEEPS = 1,
  /** Slots of the header. */
  SLOTS = 2,
}

/** Where the ascending eigenvalues begin, times the scale of the header. */
export function eigenValuesSlot(): i32 {
  return EigenHeader.SLOTS;
}

/** Where the eigenvectors begin: n columns with leading dimension n padded to two. */
export function eigenVectorsSlot(n: i32): i32 {
  return eigenValuesSlot() + padToFour(n);
}

/** The matrix while it becomes tridiagonal. */
export function eigenWorkSlot(n: i32): i32 {
  return eigenVectorsSlot(n) + padToTwo(n) * panelColumns(n);
}

/** Scratch of an eigendecomposition: five vectors of {@link eigenVectorSlots}. */
export function eigenScratchSlot(n: i32): i32 {
  return eigenWorkSlot(n) + padToTwo(n) * panelColumns(n);
}

/** One vector of the scratch: n padded to four, and room for a last group. */
export function eigenVectorSlots(n: i32): i32 {
  return padToFour(n) + 4;
}

/** Eigendecomposition of a symmetric n x n matrix. */
export function eigenSlots(n: i32): i32 {
  return eigenScratchSlot(n) + 5 * eigenVectorSlots(n);
}

/** What eigenInertia counts. */
export enum Inertia {
  NEGATIVE = 0,
  ZERO = 1,
  POSITIVE = 2,
}
