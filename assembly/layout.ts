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

/** Header of the record of an orthogonal factorisation: Q R = SCALE A P. */
export enum QrHeader {
  /** Numerical rank; without pivoting the number of reflectors. */
  RANK = 0,
  /** A power of two, 1 unless squares of the entries would overflow or underflow. */
  SCALE = 1,
  LENGTH = 4,
}

/** What the record keeps of each column, in the order of the pivots. */
export enum QrPivot {
  /** The diagonal entry of R, and its reciprocal. */
  DIAGONAL = 0,
  RECIPROCAL = 1,
  /** w of the reflection I - w v v^T. */
  WEIGHT = 2,
  /** The column's index in A. */
  COLUMN = 3,
  /** First element of v, which is also in its place; scratch of the factorisation follows. */
  HEAD = 4,
  LENGTH = 6,
}

/** Right sides that are worked on at the same time. */
export const QR_PANEL: i32 = 4;

/** Where R begins in the record of an m x n matrix: after the header and the reflectors. */
export function qrTriangle(m: i32, n: i32): i32 {
  return QrHeader.LENGTH + padToFour(m) * n;
}

/** Leading dimension of R. */
export function qrTriangleRows(m: i32, n: i32): i32 {
  return padToFour(m < n ? m : n);
}

/** Where the pivots begin: after R. */
export function qrPivots(m: i32, n: i32): i32 {
  return qrTriangle(m, n) + qrTriangleRows(m, n) * n;
}

/** Where the scratch begins: after the pivots. */
export function qrScratch(m: i32, n: i32): i32 {
  return qrPivots(m, n) + QrPivot.LENGTH * n;
}

/**
 * QR factor of an m x n matrix, pivoted or not. The header; the reflectors by columns of padded m,
 * in the order of the pivots; R above its diagonal, by columns in the order of A; the pivots;
 * scratch for a panel of right sides.
 */
export function qrSlots(m: i32, n: i32): i32 {
  return qrScratch(m, n) + QR_PANEL * padToFour(m);
}

/** What a COD record keeps of each reflector of its second stage. */
export enum CodTail {
  /** First element of the reflector; the others are its column of tails. */
  HEAD = 0,
  WEIGHT = 1,
  LENGTH = 2,
}

/** Where the second stage of a COD record begins: after the QR record of C^T and its scratch. */
export function codTails(m: i32, n: i32): i32 {
  return qrScratch(n, m) + QR_PANEL * padToFour(m > n ? m : n);
}

/**
 * Complete orthogonal decomposition of an m x n matrix C: the pivoted QR record of C^T, then of a
 * second stage of rank r < m the heads and the tails, r columns of m - r.
 */
export function codSlots(m: i32, n: i32): i32 {
  const most = m < n ? m : n;
  // (m - r) r is largest at r = m / 2, if the rank can be that large.
  const tails = 2 * most < m ? (m - most) * most : (m * m) >> 2;
  return codTails(m, n) + CodTail.LENGTH * most + tails;
}
