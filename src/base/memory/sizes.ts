// Lengths and offsets in the records of kernels. The kernels are compiled from the same functions without checks; here
// sizes are checked.

import * as layout from "../../../assembly/layout.js";
import { loopScratchSlots as loopScratchLength } from "../../../assembly/layout-bodies.js";
import { argument, refuseMore, whole } from "../checking/index.js";

/** Sizes of kernels are integers of 32 bits. */
const size = whole(0, 2 ** 31 - 1);

/* @__NO_SIDE_EFFECTS__ */
function sized<F extends (...sizes: never[]) => number>(name: string, length: F): F {
  return ((...given: unknown[]) => {
    const wanted = length.length;
    refuseMore(name, "MEMORY", given.slice(wanted), `it takes ${wanted} sizes`);
    const sizes = Array.from({ length: wanted }, (_, i) =>
      argument(name, "MEMORY", `size ${i + 1} of ${wanted}`, given[i], size),
    );
    return length(...(sizes as never[]));
  }) as unknown as F;
}

/** Scratch of a block: its matrix, null vectors, and which rows were eliminated. */
export const loopScratchSlots = sized("loopScratchSlots", loopScratchLength);
/** n rounded up to a multiple of four: the leading dimension of tiled storage. */
export const padToFour = sized("padToFour", layout.padToFour);
/** n rounded up to an even number: the leading dimension of f64x2 columns. */
export const padToTwo = sized("padToTwo", layout.padToTwo);
/**
 * Cholesky factor of an n x n matrix: the lower triangle by columns in a square of padded n, then the reciprocals of
 * its diagonal, then scratch for one padded right-hand side.
 */
export const choleskySlots = sized("choleskySlots", layout.choleskySlots);
/** Columns of a panel of n: loops take four at a time and may touch three zero columns more. */
export const panelColumns = sized("panelColumns", layout.panelColumns);
/** Where the singular values begin in an SVD: min(m, n), times the scale of the header. */
export const svdValuesSlot = sized("svdValuesSlot", layout.svdValuesSlot);
/** Singular vectors of the longer side: its length padded to two, by the panel of the shorter. */
export const svdLongSlot = sized("svdLongSlot", layout.svdLongSlot);
/** Singular vectors of the shorter side. */
export const svdShortSlot = sized("svdShortSlot", layout.svdShortSlot);
/** Where U begins: min(m, n) columns with leading dimension m padded to two. */
export const svdLeftSlot = sized("svdLeftSlot", layout.svdLeftSlot);
/** Where V begins: min(m, n) columns with leading dimension n padded to two. */
export const svdRightSlot = sized("svdRightSlot", layout.svdRightSlot);
/** Reflectors that reduced the long matrix to a square one; none when it is square. */
export const svdReflectorSlot = sized("svdReflectorSlot", layout.svdReflectorSlot);
/** Scratch of an SVD: seven vectors of {@link svdVectorSlots}. */
export const svdScratchSlot = sized("svdScratchSlot", layout.svdScratchSlot);
/** One vector of the scratch: the longer side padded to four, and room for a last group. */
export const svdVectorSlots = sized("svdVectorSlots", layout.svdVectorSlots);
/** Singular value decomposition of an m x n matrix. */
export const svdSlots = sized("svdSlots", layout.svdSlots);
/** Where the ascending eigenvalues begin, times the scale of the header. */
export const eigenValuesSlot = sized("eigenValuesSlot", layout.eigenValuesSlot);
/** Where the eigenvectors begin: n columns with leading dimension n padded to two. */
export const eigenVectorsSlot = sized("eigenVectorsSlot", layout.eigenVectorsSlot);
/** The matrix while it becomes tridiagonal. */
export const eigenWorkSlot = sized("eigenWorkSlot", layout.eigenWorkSlot);
/** Scratch of an eigendecomposition: five vectors of {@link eigenVectorSlots}. */
export const eigenScratchSlot = sized("eigenScratchSlot", layout.eigenScratchSlot);
/** One vector of the scratch: n padded to four, and room for a last group. */
export const eigenVectorSlots = sized("eigenVectorSlots", layout.eigenVectorSlots);
/** Eigendecomposition of a symmetric n x n matrix. */
export const eigenSlots = sized("eigenSlots", layout.eigenSlots);
/**
 * LU factor of an n x n matrix, P A = L U: header; L (unit, below the diagonal) and U (its diagonal as reciprocals) by
 * columns in a square of padded n; the original row of each row; scratch.
 */
export const luSlots = sized("luSlots", layout.luSlots);
/** Leading dimension of a complete-pivoting factor: one row more than m at least, and even. */
export const fullPivotLuStride = sized("fullPivotLuStride", layout.fullPivotLuStride);
/**
 * LU factor of an m x n matrix with complete pivoting, P A Q = L U: header; the original row of each of the m rows; the
 * original column of each of the n columns (the first `rank` are the dependent coordinates, the others the independent
 * ones); L and U as in {@link luSlots} by columns of {@link fullPivotLuStride}, which begin at an even slot; scratch.
 */
export const fullPivotLuSlots = sized("fullPivotLuSlots", layout.fullPivotLuSlots);
/**
 * LDL^T factor of a symmetric n x n matrix, P A P^T = L D L^T: header; L (unit) by columns in the lower triangle of n
 * columns of even length; the diagonal of D; below it (element k couples k and k + 1; zero where the block is 1 x 1);
 * the original row of each row; scratch.
 */
export const ldltSlots = sized("ldltSlots", layout.ldltSlots);
/** LU factor of a Newton matrix (an {@link luSlots} record), then room to form the matrix. */
export const newtonSlots = sized("newtonSlots", layout.newtonSlots);
/** Where R begins in the record of an m x n matrix: after the header and the reflectors. */
export const qrTriangle = sized("qrTriangle", layout.qrTriangle);
/** Leading dimension of R. */
export const qrTriangleRows = sized("qrTriangleRows", layout.qrTriangleRows);
/** Where the pivots begin: after R. */
export const qrPivots = sized("qrPivots", layout.qrPivots);
/** Where the scratch begins: after the pivots. */
export const qrScratch = sized("qrScratch", layout.qrScratch);
/** QR factor of an m x n matrix, pivoted or not. */
export const qrSlots = sized("qrSlots", layout.qrSlots);
/** Where the second stage of a COD record begins: after the QR record of C^T and its scratch. */
export const codTails = sized("codTails", layout.codTails);
/**
 * Complete orthogonal decomposition of an m x n matrix C: the pivoted QR record of C^T, then of a second stage of rank
 * r < m the heads and the tails, r columns of m - r.
 */
export const codSlots = sized("codSlots", layout.codSlots);
/** Where C^T (or the saddle point matrix) begins in a solver: after the mass factor. */
export const solverMatrix = sized("solverMatrix", layout.solverMatrix);
/** Where three padded vectors begin: the whitened forces and two corrections. */
export const solverVectors = sized("solverVectors", layout.solverVectors);
/** Where the right-hand sides begin: two of m numbers, or one of the saddle point system, n + m. */
export const solverRight = sized("solverRight", layout.solverRight);
/** Where the factor of C, or of the saddle point matrix, begins. */
export const solverInner = sized("solverInner", layout.solverInner);
/** The record of a dense solver. */
export const solverSlots = sized("solverSlots", layout.solverSlots);
/** Where the coordinates begin: the dependent ones first. */
export const tangentColumns = sized("tangentColumns", layout.tangentColumns);
/** Where the weights of the coordinates begin: square roots of their masses. */
export const tangentWeights = sized("tangentWeights", layout.tangentWeights);
/** Where the directions begin, n columns of n: dependent ones first, then the independent. */
export const tangentDirections = sized("tangentDirections", layout.tangentDirections);
/** Where the frame V begins, n columns of n: the rows of J and the directions, orthonormalised. */
export const tangentFrame = sized("tangentFrame", layout.tangentFrame);
/** Where the triangle R begins. */
export const tangentTriangle = sized("tangentTriangle", layout.tangentTriangle);
/** Where the basis of the null space begins: n - rank columns of n. */
export const tangentBasis = sized("tangentBasis", layout.tangentBasis);
/** Scratch: two matrices and four vectors. */
export const tangentScratch = sized("tangentScratch", layout.tangentScratch);
/** Cholesky factor of the reduced mass matrix. */
export const tangentMass = sized("tangentMass", layout.tangentMass);
/** LU factor of the dependent block. */
export const tangentBlock = sized("tangentBlock", layout.tangentBlock);
/** J by columns, m x n, then the record of the factorisation that finds the null space. */
export const tangentInner = sized("tangentInner", layout.tangentInner);
/** A tangent record of m constraints on n coordinates. */
export const tangentSlots = sized("tangentSlots", layout.tangentSlots);
