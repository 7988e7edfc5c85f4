// Second derivatives of products of vectors between two bodies, by the blocks of second-blocks.ts.
// Each adds `factor` times its four blocks. i and j are the first rows of bodies A and B; turns
// begin at + 3.

import { BodyFrame, MarkerFrame } from "../layout-bodies";
import { get } from "../math/slots";
import { between } from "../constraints/dot2";
import { addArms, addIdentity, addOuter, addTurns, blockOf } from "./second-blocks";

/**
 * n . d for an n that stays (three rows COINCIDE with multipliers n): only the second derivatives
 * of the arms, -(-E(n, s_A)) for A and -E(n, s_B) for B.
 */
export function addPull(
  out: usize, blocks: usize, i: i32, j: i32, A: usize, B: usize, bodyA: usize, bodyB: usize,
  n0: f64, n1: f64, n2: f64,
): void {
  const ii = blockOf(blocks, i + 3, i + 3), jj = blockOf(blocks, j + 3, j + 3);
  const s0 = get(A, MarkerFrame.ARM), s1 = get(A, MarkerFrame.ARM + 1);
  const s2 = get(A, MarkerFrame.ARM + 2);
  const t0 = get(B, MarkerFrame.ARM), t1 = get(B, MarkerFrame.ARM + 1);
  const t2 = get(B, MarkerFrame.ARM + 2);
  addTurns(out, ii, bodyA, bodyA, 1.0, n0, n1, n2, s0, s1, s2);
  addTurns(out, jj, bodyB, bodyB, -1.0, n0, n1, n2, t0, t1, t2);
}

/**
 * d . d / 2: the pull along d itself, and (L_i d) . (L_j d), where L d is -1 and 1 for translations
 * of A and B, -theta x s_A and theta x s_B for turns. E is linear in x, so both are one block for
 * the turns of a body: E(s_A + d, s_A), E(s_B - d, s_B).
 */
export function addSquare(
  out: usize, blocks: usize, i: i32, j: i32, A: usize, B: usize, bodyA: usize, bodyB: usize,
  factor: f64,
): void {
  const ii = blockOf(blocks, i + 3, i + 3), jj = blockOf(blocks, j + 3, j + 3);
  const ij = blockOf(blocks, i + 3, j + 3), ji = blockOf(blocks, j + 3, i + 3);
  const d0 = between(A, B, MarkerFrame.POINT), d1 = between(A, B, MarkerFrame.POINT + 1);
  const d2 = between(A, B, MarkerFrame.POINT + 2);
  const s0 = get(A, MarkerFrame.ARM), s1 = get(A, MarkerFrame.ARM + 1);
  const s2 = get(A, MarkerFrame.ARM + 2);
  const t0 = get(B, MarkerFrame.ARM), t1 = get(B, MarkerFrame.ARM + 1);
  const t2 = get(B, MarkerFrame.ARM + 2);
  addIdentity(out, blocks, i, i, factor);
  addIdentity(out, blocks, j, j, factor);
  addIdentity(out, blocks, i, j, -factor);
  addIdentity(out, blocks, j, i, -factor);
  addArms(out, blocks, i, i + 3, bodyA, factor, s0, s1, s2);
  addArms(out, blocks, j, i + 3, bodyA, -factor, s0, s1, s2);
  addArms(out, blocks, i, j + 3, bodyB, -factor, t0, t1, t2);
  addArms(out, blocks, j, j + 3, bodyB, factor, t0, t1, t2);
  addTurns(out, ii, bodyA, bodyA, factor, s0 + d0, s1 + d1, s2 + d2, s0, s1, s2);
  addTurns(out, jj, bodyB, bodyB, factor, t0 - d0, t1 - d1, t2 - d2, t0, t1, t2);
  addTurns(out, ij, bodyA, bodyB, -factor, t0, t1, t2, s0, s1, s2);
  addTurns(out, ji, bodyB, bodyA, -factor, s0, s1, s2, t0, t1, t2);
}

/** a . b for a fixed in A, b in B: -E(b, a), -E(a, b), and (L_i a) . (L_j b) between the bodies. */
export function addDirections(
  out: usize, blocks: usize, i: i32, j: i32, bodyA: usize, bodyB: usize, factor: f64, a: usize,
  b: usize,
): void {
  const ii = blockOf(blocks, i + 3, i + 3), jj = blockOf(blocks, j + 3, j + 3);
  const ij = blockOf(blocks, i + 3, j + 3), ji = blockOf(blocks, j + 3, i + 3);
  const a0 = get(a, 0), a1 = get(a, 1), a2 = get(a, 2);
  const b0 = get(b, 0), b1 = get(b, 1), b2 = get(b, 2);
  addTurns(out, ii, bodyA, bodyA, -factor, b0, b1, b2, a0, a1, a2);
  addTurns(out, jj, bodyB, bodyB, -factor, a0, a1, a2, b0, b1, b2);
  addTurns(out, ij, bodyA, bodyB, factor, b0, b1, b2, a0, a1, a2);
  addTurns(out, ji, bodyB, bodyA, factor, a0, a1, a2, b0, b1, b2);
}

/**
 * a . d for a fixed in A. a . s_A is constant, so it is a . (p_B - r_A) up to a constant: the arm
 * of A drops out, and with x = p_B - r_A and the arm t of B the turns are those of a . b with x for
 * b on A's side and t for b elsewhere. Translations move x by -1 (A) and 1 (B) and meet turns of a.
 */
export function addAlong(
  out: usize, blocks: usize, i: i32, j: i32, a: usize, B: usize, bodyA: usize, bodyB: usize,
  factor: f64,
): void {
  const ii = blockOf(blocks, i + 3, i + 3), jj = blockOf(blocks, j + 3, j + 3);
  const ij = blockOf(blocks, i + 3, j + 3), ji = blockOf(blocks, j + 3, i + 3);
  const a0 = get(a, 0), a1 = get(a, 1), a2 = get(a, 2);
  const x0 = get(B, MarkerFrame.POINT) - get(bodyA, BodyFrame.POINT);
  const x1 = get(B, MarkerFrame.POINT + 1) - get(bodyA, BodyFrame.POINT + 1);
  const x2 = get(B, MarkerFrame.POINT + 2) - get(bodyA, BodyFrame.POINT + 2);
  const t0 = get(B, MarkerFrame.ARM), t1 = get(B, MarkerFrame.ARM + 1);
  const t2 = get(B, MarkerFrame.ARM + 2);
  addTurns(out, ii, bodyA, bodyA, -factor, x0, x1, x2, a0, a1, a2);
  addTurns(out, jj, bodyB, bodyB, -factor, a0, a1, a2, t0, t1, t2);
  addTurns(out, ij, bodyA, bodyB, factor, t0, t1, t2, a0, a1, a2);
  addTurns(out, ji, bodyB, bodyA, factor, a0, a1, a2, t0, t1, t2);
  addArms(out, blocks, i, i + 3, bodyA, -factor, a0, a1, a2);
  addArms(out, blocks, j, i + 3, bodyA, factor, a0, a1, a2);
}

/** x y^T for two rows with angular parts R_A^T x, -R_B^T x and R_A^T y, -R_B^T y. */
export function addTurningRows(
  out: usize, blocks: usize, i: i32, j: i32, bodyA: usize, bodyB: usize, factor: f64, x: usize,
  y: usize,
): void {
  const ii = blockOf(blocks, i + 3, i + 3), jj = blockOf(blocks, j + 3, j + 3);
  const ij = blockOf(blocks, i + 3, j + 3), ji = blockOf(blocks, j + 3, i + 3);
  addOuter(out, ii, bodyA, bodyA, factor, x, y);
  addOuter(out, jj, bodyB, bodyB, factor, x, y);
  addOuter(out, ij, bodyA, bodyB, -factor, x, y);
  addOuter(out, ji, bodyB, bodyA, -factor, x, y);
}
