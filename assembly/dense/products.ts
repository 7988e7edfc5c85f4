// Matrix products, all column-major. The product is covered by register tiles of 4 x 4; the
// remainder by narrower ones, and an odd last row by a tile that overlaps the one before it (it
// computes the same bits again). NaN and Infinity propagate. C shares no memory with A and B.

import { Status } from "../layout";
import { at, get, set } from "../math/slots";
import { statusAt } from "../math/status";
import { dotTile, outerTile } from "./tiles";

/** C = A B, A m x k, B k x n. */
export function matrixProduct(
  m: i32, k: i32, n: i32, a: usize, lda: i32, b: usize, ldb: i32, c: usize, ldc: i32,
): i32 {
  if (ldb < k) return statusAt(Status.BAD_SIZE, 6);
  return outerProduct(m, k, n, a, lda, b, 1, ldb, c, ldc);
}

/** C = A B^T, A m x k, B n x k. */
export function matrixProductTranspose(
  m: i32, k: i32, n: i32, a: usize, lda: i32, b: usize, ldb: i32, c: usize, ldc: i32,
): i32 {
  if (ldb < n) return statusAt(Status.BAD_SIZE, 6);
  return outerProduct(m, k, n, a, lda, b, ldb, 1, c, ldc);
}

/** C = A B with B's steps along the sum and from column to column. */
function outerProduct(
  m: i32, k: i32, n: i32, a: usize, lda: i32, b: usize, stepDepth: i32, stepColumn: i32,
  c: usize, ldc: i32,
): i32 {
  const status = checkSizes(m, k, n);
  if (status != Status.OK) return status;
  if (lda < m || ldc < m) return statusAt(Status.BAD_SIZE, lda < m ? 4 : 8);
  if (m == 1) {
    rowProduct(k, n, a, lda, b, stepDepth, stepColumn, c, ldc);
    return Status.OK;
  }
  let j = 0;
  for (; j + 4 <= n; j += 4) {
    const right = at(b, j * stepColumn), to = at(c, j * ldc);
    let i = 0;
    for (; i + 4 <= m; i += 4) {
      outerTile(2, 4, false, k, at(a, i), lda, right, stepDepth, stepColumn, at(to, i), ldc);
    }
    for (; i < m; i += 2) {
      const row = min(i, m - 2);
      outerTile(1, 4, false, k, at(a, row), lda, right, stepDepth, stepColumn, at(to, row), ldc);
    }
  }
  for (; j < n; j++) {
    const right = at(b, j * stepColumn), to = at(c, j * ldc);
    let i = 0;
    for (; i + 4 <= m; i += 4) {
      outerTile(2, 1, false, k, at(a, i), lda, right, stepDepth, 0, at(to, i), ldc);
    }
    for (; i < m; i += 2) {
      const row = min(i, m - 2);
      outerTile(1, 1, false, k, at(a, row), lda, right, stepDepth, 0, at(to, row), ldc);
    }
  }
  return Status.OK;
}

/** A single row times a matrix. */
function rowProduct(
  k: i32, n: i32, a: usize, lda: i32, b: usize, stepDepth: i32, stepColumn: i32, c: usize, ldc: i32,
): void {
  for (let j = 0; j < n; j++) {
    const right = at(b, j * stepColumn);
    let sum = 0.0;
    for (let p = 0; p < k; p++) sum += get(a, p * lda) * get(right, p * stepDepth);
    set(c, j * ldc, sum);
  }
}

function checkSizes(m: i32, k: i32, n: i32): i32 {
  if (m < 0) return statusAt(Status.BAD_SIZE, 0);
  if (k < 0) return statusAt(Status.BAD_SIZE, 1);
  return n < 0 ? statusAt(Status.BAD_SIZE, 2) : (Status.OK as i32);
}

/** C = A^T B, A k x m, B k x n. */
export function matrixTransposeProduct(
  m: i32, k: i32, n: i32, a: usize, lda: i32, b: usize, ldb: i32, c: usize, ldc: i32,
): i32 {
  const status = checkSizes(m, k, n);
  if (status != Status.OK) return status;
  if (lda < k || ldb < k) return statusAt(Status.BAD_SIZE, lda < k ? 4 : 6);
  if (ldc < m) return statusAt(Status.BAD_SIZE, 8);
  let j = 0;
  for (; j + 2 <= n; j += 2) {
    const right = at(b, j * ldb), to = at(c, j * ldc);
    let i = 0;
    for (; i + 2 <= m; i += 2) {
      dotTile(2, 2, k, at(a, i * lda), lda, right, ldb, at(to, i), ldc, 0);
    }
    if (i < m) dotTile(1, 2, k, at(a, i * lda), lda, right, ldb, at(to, i), ldc, 0);
  }
  if (j == n) return Status.OK;
  const right = at(b, j * ldb), to = at(c, j * ldc);
  let i = 0;
  for (; i + 2 <= m; i += 2) dotTile(2, 1, k, at(a, i * lda), lda, right, ldb, at(to, i), ldc, 0);
  if (i < m) dotTile(1, 1, k, at(a, i * lda), lda, right, ldb, at(to, i), ldc, 0);
  return Status.OK;
}

/** S = A^T A, A m x n. Both triangles are written and are equal bit by bit. */
export function gram(m: i32, n: i32, a: usize, lda: i32, s: usize, lds: i32): i32 {
  if (m < 0 || n < 0) return statusAt(Status.BAD_SIZE, m < 0 ? 0 : 1);
  if (lda < m || lds < n) return statusAt(Status.BAD_SIZE, lda < m ? 3 : 5);
  let j = 0;
  for (; j + 2 <= n; j += 2) {
    const right = at(a, j * lda);
    let i = j;
    for (; i + 2 <= n; i += 2) {
      const tile = at(s, i + j * lds), mirror = at(s, j + i * lds);
      dotTile(2, 2, m, at(a, i * lda), lda, right, lda, tile, lds, mirror);
    }
    if (i < n) {
      const tile = at(s, i + j * lds), mirror = at(s, j + i * lds);
      dotTile(1, 2, m, at(a, i * lda), lda, right, lda, tile, lds, mirror);
    }
  }
  if (j < n) {
    const last = at(a, j * lda), corner = at(s, j + j * lds);
    dotTile(1, 1, m, last, lda, last, lda, corner, lds, corner);
  }
  return Status.OK;
}
