// A block of rows that closes a loop, once the blocks of its loop before it are eliminated.
//
// The Schur complement of its diagonal block, D (m x m), is singular in as many directions as
// the block has redundant rows, p. Scaled, A = D_ij / sqrt(S_ii S_jj), it is swept (Goodnight 1979)
// by its m - p largest pivots, K. The null vectors of the remaining rows R are
//
//   N = [-A_KK^-1 A_KR; 1],   orthonormalised,
//
// and A + N N^T is positive definite: redundant *directions* get the stiffness 1, all others are
// unchanged. No row is dropped, N varies smoothly with the pose, and a misfit e between nearly
// redundant rows moves bodies by e^2. The null vectors of D do not depend on masses.
//
// Near a singular pose one more direction vanishes: the last pivot swept, pi, is small relative to
// its value elsewhere (REFERENCE, so a heavy coupler is not mistaken for a singular pose). Its rows
// then get the compliance
//
//   e / (1 + (pi / (400 e))^4),   e = mu REFERENCE,
//
// which is negligible away from such poses. The constants were found on linkages that pass through
// singular poses at 14 to 20 different sub-steps; docs/decisions/0006-redundant-rows.md lists the
// rejected alternatives.

import { padToTwo } from "../layout";
import { LoopBlock } from "../layout-bodies";
import { at, clearSlots, get, set } from "../math/slots";

/** Multiple of the compliance above which a pivot's direction counts as held. */
const HELD: f64 = 400.0;

/**
 * Makes the diagonal block D of a column of the factor definite, in place. `scales` holds S_jj,
 * `loop` is the LoopBlock of the column.
 */
export function closeLoop(
  m: i32, mu: f64, scales: usize, block: usize, loop: usize, scratch: usize,
): void {
  if (m == 2 && get(loop, LoopBlock.DEPENDENT) == 0.0 && closePair(mu, scales, block, loop)) return;
  const a = scratch, vectors = at(scratch, m * m), swept = at(vectors, m * m);
  scale(m, scales, block, a);
  const left = sweep(m, m - <i32>get(loop, LoopBlock.DEPENDENT), a, swept, loop);
  const p = nullVectors(m, left, a, swept, vectors);
  orthonormalise(m, p, vectors);
  const weak = compliance(mu, loop);
  set(loop, LoopBlock.ADDED, p > 0 ? 1.0 : weak / get(loop, LoopBlock.PIVOT));
  const ld = padToTwo(m);
  for (let j = 0; j < m; j++) {
    for (let i = j; i < m; i++) {
      let sum = i == j ? weak : 0.0;
      for (let k = 0; k < p; k++) sum += get(vectors, i + k * m) * get(vectors, j + k * m);
      const added = sum * Math.sqrt(get(scales, i) * get(scales, j));
      set(block, i + j * ld, get(block, i + j * ld) + added);
    }
  }
}

/**
 * {@link closeLoop} for two independent rows, as in plane loops: the second pivot has a closed
 * form. Returns false if a pivot is not positive.
 */
function closePair(mu: f64, scales: usize, block: usize, loop: usize): bool {
  const s0 = get(scales, 0), s1 = get(scales, 1);
  const d0 = get(block, 0), d1 = get(block, 3), product = get(block, 1);
  // d_1 / S_11 - (D_01^2 / (S_00 S_11)) / (d_0 / S_00) with the larger of d_i / S_ii as d_0.
  const first = d0 * s1, second = d1 * s0;
  const pivot = (d0 * d1 - product * product) / (second > first ? second : first);
  // Comparisons with NaN are false.
  const larger = second > first ? d1 : d0;
  if (!(s0 > 0.0 && s1 > 0.0 && larger > 0.0 && pivot > 0.0)) return false;
  set(loop, LoopBlock.PIVOT, pivot);
  const weak = compliance(mu, loop);
  set(loop, LoopBlock.ADDED, weak / pivot);
  set(block, 0, get(block, 0) + weak * s0);
  set(block, 3, get(block, 3) + weak * s1);
  return true;
}

/** Compliance of the rows of a block with this PIVOT. Zero if it would be below 1e-16 e. */
// @ts-ignore: decorator
@inline
function compliance(mu: f64, loop: usize): f64 {
  const e = mu * get(loop, LoopBlock.REFERENCE), pivot = get(loop, LoopBlock.PIVOT);
  const held = HELD * e;
  if (!(e > 0.0) || pivot > 1e4 * held) return 0.0;
  return e / (1.0 + fourth(pivot / held));
}

// @ts-ignore: decorator
@inline
function fourth(x: f64): f64 {
  return x * x * (x * x);
}

/** A = D_ij / sqrt(S_ii S_jj), both triangles, from the lower one. A row of zeros stays zero. */
function scale(m: i32, scales: usize, block: usize, a: usize): void {
  const ld = padToTwo(m);
  for (let j = 0; j < m; j++) {
    for (let i = j; i < m; i++) {
      const size = Math.sqrt(get(scales, i) * get(scales, j));
      const value = size > 0.0 ? get(block, i + j * ld) / size : 0.0;
      set(a, i + j * m, value);
      set(a, j + i * m, value);
    }
  }
}

/**
 * Sweeps `count` pivots, the largest first: A_KR becomes A_KK^-1 A_KR. Stops early if no positive
 * pivot is left. Writes the last pivot into the LoopBlock; returns the number of rows not swept.
 */
function sweep(m: i32, count: i32, a: usize, swept: usize, loop: usize): i32 {
  clearSlots(swept, m);
  let last = count > 0 ? 0.0 : 1.0;
  for (let round = 0; round < count; round++) {
    let j = -1, pivot = 0.0;
    for (let i = 0; i < m; i++) {
      const value = get(a, i + i * m);
      if (get(swept, i) == 0.0 && value > pivot) {
        j = i;
        pivot = value;
      }
    }
    last = pivot;
    if (j < 0) {
      set(loop, LoopBlock.PIVOT, 0.0);
      return m - round;
    }
    set(swept, j, 1.0);
    sweepPivot(m, j, pivot, a);
  }
  set(loop, LoopBlock.PIVOT, last);
  return m - count;
}

/** One pivot: a_ik -= a_ij a_jk / d, a_ij = a_ij / d, a_jj = -1 / d. A stays symmetric. */
function sweepPivot(m: i32, j: i32, pivot: f64, a: usize): void {
  const reciprocal = 1.0 / pivot;
  for (let k = 0; k < m; k++) {
    if (k == j) continue;
    const factor = get(a, k + j * m) * reciprocal;
    for (let i = 0; i < m; i++) {
      if (i != j) set(a, i + k * m, get(a, i + k * m) - get(a, i + j * m) * factor);
    }
  }
  for (let i = 0; i < m; i++) {
    const value = i == j ? -reciprocal : get(a, i + j * m) * reciprocal;
    set(a, i + j * m, value);
    set(a, j + i * m, value);
  }
}

/** Columns [-A_KK^-1 A_KR; 1], one for each of the `left` rows that were not swept. */
function nullVectors(m: i32, left: i32, a: usize, swept: usize, vectors: usize): i32 {
  if (left == 0) return 0;
  let to = vectors;
  for (let r = 0; r < m; r++) {
    if (get(swept, r) != 0.0) continue;
    for (let i = 0; i < m; i++) {
      set(to, i, get(swept, i) != 0.0 ? -get(a, i + r * m) : i == r ? 1.0 : 0.0);
    }
    to = at(to, m);
  }
  return left;
}

/** Gram-Schmidt, each vector twice (Giraud et al. 2005: twice is enough). */
function orthonormalise(m: i32, p: i32, vectors: usize): void {
  for (let k = 0; k < p; k++) {
    const v = at(vectors, k * m);
    for (let round = 0; round < 2; round++) {
      for (let before = 0; before < k; before++) {
        const u = at(vectors, before * m);
        const part = dot(m, u, v);
        for (let i = 0; i < m; i++) set(v, i, get(v, i) - part * get(u, i));
      }
      const length = 1.0 / Math.sqrt(dot(m, v, v));
      for (let i = 0; i < m; i++) set(v, i, get(v, i) * length);
    }
  }
}

// @ts-ignore: decorator
@inline
function dot(m: i32, u: usize, v: usize): f64 {
  let sum = 0.0;
  for (let i = 0; i < m; i++) sum += get(u, i) * get(v, i);
  return sum;
}
