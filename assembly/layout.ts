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

/** Header of an LU factor with partial pivoting. */
export enum LuHeader {
  /** |A|_1, for the estimate of the condition. */
  NORM = 0,
  /** Length of the header. */
  SLOTS = 2,
}

/**
 * LU factor of an n x n matrix, P A = L U: header; L (unit, below the diagonal) and U (its diagonal
 * as reciprocals) by columns in a square of padded n; the original row of each row; scratch.
 */
export function luSlots(n: i32): i32 {
  const p = padToFour(n);
  return LuHeader.SLOTS + p * p + 3 * p;
}

/** Header of an LU factor with complete pivoting. */
export enum FullPivotLuHeader {
  RANK = 0,
  /** Estimate of 1 / (|B|_1 |B^-1|_1), B the rank x rank block of the chosen rows and columns. */
  RECIPROCAL_CONDITION = 1,
  /** Length of the header: here the original row of each row begins, then that of each column. */
  SLOTS = 2,
}

/** Leading dimension of a complete-pivoting factor: one row more than m at least, and even. */
export function fullPivotLuStride(m: i32): i32 {
  return padToTwo(m + 1);
}

/**
 * LU factor of an m x n matrix with complete pivoting, P A Q = L U: header; the original row of
 * each of the m rows; the original column of each of the n columns (the first `rank` are the
 * dependent coordinates, the others the independent ones); L and U as in {@link luSlots} by columns
 * of {@link fullPivotLuStride}, which begin at an even slot; scratch.
 */
export function fullPivotLuSlots(m: i32, n: i32): i32 {
  const smaller = m < n ? m : n;
  return FullPivotLuHeader.SLOTS + padToTwo(m + n) + fullPivotLuStride(m) * n + 2 * smaller;
}

/** Header of an LDL^T factor. */
export enum LdltHeader {
  /** Inertia: how many eigenvalues are negative, zero and positive. */
  NEGATIVE = 0,
  ZERO = 1,
  POSITIVE = 2,
  /** Length of the header. */
  SLOTS = 4,
}

/**
 * LDL^T factor of a symmetric n x n matrix, P A P^T = L D L^T: header; L (unit) by columns in the
 * lower triangle of n columns of even length; the diagonal of D; below it (element k couples k and
 * k + 1; zero where the block is 1 x 1); the original row of each row; scratch.
 */
export function ldltSlots(n: i32): i32 {
  return LdltHeader.SLOTS + padToTwo(n) * n + 5 * n;
}

/** LU factor of a Newton matrix (an {@link luSlots} record), then room to form the matrix. */
export function newtonSlots(n: i32): i32 {
  return luSlots(n) + n * n;
}
