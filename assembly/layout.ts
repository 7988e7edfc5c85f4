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
 * Return value of a kernel: the code in the low byte, the index of the culprit above it.
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

// Cholesky factors (assembly/dense). Records of the other dense factorisations follow the sparse
// part.

/**
 * Cholesky factor of an n x n matrix: the lower triangle by columns in a square of padded n,
 * then the reciprocals of its diagonal, then scratch for one padded right-hand side.
 */
export function choleskySlots(n: i32): i32 {
  const p = padToFour(n);
  return p * p + 2 * p;
}

// Block sparse systems S = J M^-1 J^T (assembly/sparse). The symbolic phase
// (src/base/sparse) writes
// one table of 32-bit integers; the kernels in assembly/sparse follow it. A block r x c is stored
// column-major, its rows padded to an even number. "Column" means a constraint in elimination
// order.

/** Head of the table. Offsets are counted in integers from the beginning of the table. */
export enum SparseTable {
  COLUMN_COUNT = 0,
  INCIDENCE_COUNT = 1,
  PAIR_COUNT = 2,
  /** Number of coordinates of a body. */
  BODY_SIZE = 3,
  /** Slots of the blocks of S, and of L. */
  BLOCK_SLOTS = 4,
  COLUMNS = 5,
  BLOCKS = 6,
  UPDATES = 7,
  INCIDENCES = 8,
  PAIRS = 9,
  LENGTH = 10,
}

/** One column of the factor. */
export enum SparseColumn {
  ROWS = 0,
  /** First row of the constraint, as the user numbers rows. */
  FIRST_ROW = 1,
  /** First slot of its part of a padded right-hand side. */
  VECTOR = 2,
  /** Slot of the diagonal block. */
  DIAGONAL = 3,
  FIRST_BLOCK = 4,
  BLOCK_COUNT = 5,
  FIRST_UPDATE = 6,
  LENGTH = 7,
}

/** One block below the diagonal of a column. */
export enum SparseBlock {
  SLOT = 0,
  ROWS = 1,
  /** First slot of its rows in a padded right-hand side. */
  VECTOR = 2,
  LENGTH = 3,
}

/** One body of one constraint. Its Jacobian block is stored by rows: BODY_SIZE slots each. */
export enum SparseIncidence {
  BODY = 0,
  ROWS = 1,
  /** Slot of the Jacobian block, and of M^-1 J^T in the scratch. */
  SLOT = 2,
  /** First row of the constraint, as the user numbers rows. */
  FIRST_ROW = 3,
  LENGTH = 4,
}

/** Two constraints that share a body: they add J M^-1 J^T to one block of S. */
export enum SparsePair {
  /** Incidence of the block's rows. */
  LEFT = 0,
  /** Incidence of the block's columns. */
  RIGHT = 1,
  SLOT = 2,
  LENGTH = 3,
}

// Singular values and symmetric eigenvalues (assembly/dense).

/** Header of a singular value decomposition. */
export enum SvdHeader {
  /** The power of two the matrix was multiplied by; the stored singular values are too. */
  SCALE = 0,
  /** Sweeps over the bidiagonal matrix used. */
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
  /** Sweeps over the tridiagonal matrix used. */
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

/** Counts written by eigenInertia. */
export enum Inertia {
  NEGATIVE = 0,
  ZERO = 1,
  POSITIVE = 2,
}

// LU and LDL^T factors (assembly/dense).

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
  /** Inertia: number of negative, zero and positive eigenvalues. */
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

// Orthogonal factorisations: QR and complete orthogonal decomposition (assembly/dense).

/** Header of the record of an orthogonal factorisation: Q R = SCALE A P. */
export enum QrHeader {
  /** Numerical rank; without pivoting the number of reflectors. */
  RANK = 0,
  /** A power of two, 1 unless squares of the entries would overflow or underflow. */
  SCALE = 1,
  LENGTH = 4,
}

/** Data stored for each column, in the order of the pivots. */
export enum QrPivot {
  /** The diagonal entry of R, and its reciprocal. */
  DIAGONAL = 0,
  RECIPROCAL = 1,
  /** w of the reflection I - w v v^T. */
  WEIGHT = 2,
  /** The column's index in A. */
  COLUMN = 3,
  /** First element of v, also stored with the reflector; scratch of the factorisation follows. */
  HEAD = 4,
  LENGTH = 6,
}

/** Right-hand sides processed together. */
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
 * scratch for a panel of right-hand sides.
 */
export function qrSlots(m: i32, n: i32): i32 {
  return qrScratch(m, n) + QR_PANEL * padToFour(m);
}

/** Data stored for each reflector of the second stage of a COD. */
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

// Systems in generalised coordinates (assembly/dynamics): dense solvers for M a = Q + J^T lambda,
// J a = right, the right-hand side.

/** Storage of a mass matrix. */
export enum MassKind {
  DIAGONAL = 0,
  FULL = 1,
}

/** Methods for the multipliers. */
export enum SolverMethod {
  COD = 0,
  SVD = 1,
  CHOLESKY = 2,
  KKT = 3,
  GRAM_SCHMIDT = 4,
  /** The Cholesky factor of J M^-1 J^T + c I, c the tolerance relative to the largest diagonal. */
  PENALTY = 5,
}

/** Arguments of solverFactorRates: addresses, as 32-bit integers. See solverRates. */
export enum SolverSides {
  FORCES = 0,
  RIGHT = 1,
  /** Right-hand side r of the correction of velocities; 0 for none. */
  CORRECTION = 2,
  VELOCITIES = 3,
  OUT = 4,
  CORRECTED = 5,
  LENGTH = 6,
}

/** Where C^T (or the saddle point matrix) begins in a solver: after the mass factor. */
export function solverMatrix(n: i32): i32 {
  return choleskySlots(n);
}

/** Where three padded vectors begin: the whitened forces and two corrections. */
export function solverVectors(n: i32, m: i32): i32 {
  const p = padToFour(n);
  return solverMatrix(n) + (p + m) * (p + m);
}

/** Where the right-hand sides begin: two of m numbers, or one of the saddle point system, n + m. */
export function solverRight(n: i32, m: i32): i32 {
  return solverVectors(n, m) + 3 * padToFour(n);
}

/** Where the factor of C, or of the saddle point matrix, begins. */
export function solverInner(n: i32, m: i32): i32 {
  return solverRight(n, m) + n + 2 * m;
}

/** The record of a dense solver. */
export function solverSlots(n: i32, m: i32, method: SolverMethod): i32 {
  const inner = solverInner(n, m);
  if (method === SolverMethod.SVD) return inner + svdSlots(n, m) + n * m;
  if (method === SolverMethod.CHOLESKY || method === SolverMethod.PENALTY) {
    return inner + choleskySlots(m) + m * m + m;
  }
  if (method === SolverMethod.KKT) return inner + ldltSlots(n + m);
  if (method === SolverMethod.GRAM_SCHMIDT) return inner + 2 + m * padToFour(n) + 3 * m * m + m;
  return inner + codSlots(m, n);
}

// Null spaces of constraint matrices (assembly/dynamics): the tangent space of formulations that
// keep fewer unknowns.

/** Methods for a basis of the null space. */
export enum BasisKind {
  /** Complete pivoting chooses independent coordinates; the basis is the identity on them. */
  LU = 0,
  QR = 1,
  SVD = 2,
  /** Eigenvectors of J^T J whose eigenvalues count as zero. */
  EIGEN = 3,
  GRAM_SCHMIDT = 4,
}

/** Header of a tangent record. */
export enum TangentHeader {
  /** Rank of J, the number of rows chosen. */
  RANK = 0,
  /** Smallest pivot of the directions in a frame: 1 if they lie in the null space. */
  PIVOT = 1,
  /** 1 if a choice has been made. */
  CHOSEN = 2,
  /**
   * Largest weighted slope of a dependent over an independent coordinate at the last factorisation.
   */
  SLOPE = 3,
  /** Slope at the time of the choice. */
  REFERENCE = 4,
  /** Latest factor of the dependent block: its own (0), or that of the choice (1). */
  BLOCK = 5,
  /** Length of the header: here the chosen rows begin. */
  SLOTS = 6,
}

/** Where the coordinates begin: the dependent ones first. */
export function tangentColumns(m: i32): i32 {
  return TangentHeader.SLOTS + m;
}

/** Where the weights of the coordinates begin: square roots of their masses. */
export function tangentWeights(n: i32, m: i32): i32 {
  return tangentColumns(m) + n;
}

/** Where the directions begin, n columns of n: dependent ones first, then the independent. */
export function tangentDirections(n: i32, m: i32): i32 {
  return padToTwo(tangentWeights(n, m) + n);
}

/** Where the frame V begins, n columns of n: the rows of J and the directions, orthonormalised. */
export function tangentFrame(n: i32, m: i32): i32 {
  return tangentDirections(n, m) + n * n;
}

/** Where the triangle R begins. */
export function tangentTriangle(n: i32, m: i32): i32 {
  return tangentFrame(n, m) + n * n;
}

/** Where the basis of the null space begins: n - rank columns of n. */
export function tangentBasis(n: i32, m: i32): i32 {
  return tangentTriangle(n, m) + n * n;
}

/** Scratch: two matrices and four vectors. */
export function tangentScratch(n: i32, m: i32): i32 {
  return tangentBasis(n, m) + n * n;
}

/** Cholesky factor of the reduced mass matrix. */
export function tangentMass(n: i32, m: i32): i32 {
  return tangentScratch(n, m) + 2 * n * n + 4 * n;
}

/** LU factor of the dependent block. */
export function tangentBlock(n: i32, m: i32): i32 {
  return tangentMass(n, m) + choleskySlots(n);
}

/** J by columns, m x n, then the record of the factorisation that finds the null space. */
export function tangentInner(n: i32, m: i32): i32 {
  return tangentBlock(n, m) + luSlots(n);
}

/** A tangent record of m constraints on n coordinates. */
export function tangentSlots(n: i32, m: i32): i32 {
  const orthogonal = longerOf(codSlots(m, n), svdSlots(m, n));
  const others = longerOf(eigenSlots(n) + n * n, fullPivotLuSlots(m, n));
  return tangentInner(n, m) + padToTwo(m * n) + longerOf(orthogonal, others);
}
