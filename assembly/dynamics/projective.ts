// Choice of independent coordinates by the projective criterion (Blajer, Schiehlen and
// Schirm, Arch. Appl. Mech. 64, 1994; Laulusa and Bauchau 2008, section 4.6). In the space where M
// is the identity, coordinate i is the direction w_i = L^-1 e_i, since x_i = w_i . L^T x, and Z
// spans the directions the constraints leave free. A coordinate is good if its direction is barely
// deflected from that space:
//
//   cos(i) = |Z^T w_i| / |w_i|
//
// The best is taken first; then the best after the chosen directions have been removed, as one
// direction twice determines nothing more than once.

import { at, clearSlots, get, set } from "../math/slots";
import { dot, subtractMultiple } from "../math/vectors";
import { scaleColumn } from "../dense/columns";
import { Status } from "../layout";
import { statusAt } from "../math/status";

/**
 * Sets `count` of the n slots of `chosen` to one, the others to zero, for Z (n x count) and W
 * (n x n), column-major. `scratch` has n columns of length `count`. SINGULAR: they do not determine
 * the motion.
 */
export function projectiveChoice(
  n: i32, count: i32, z: usize, w: usize, scratch: usize, chosen: usize,
): i32 {
  if (n < 0 || count < 0 || count > n) return statusAt(Status.BAD_SIZE, n < 0 ? 0 : 1);
  clearSlots(chosen, n);
  for (let i = 0; i < n; i++) {
    const from = at(w, i * n), to = at(scratch, i * count);
    const length = Math.sqrt(dot(n, from, from));
    for (let j = 0; j < count; j++) set(to, j, dot(n, at(z, j * n), from) / length);
  }
  for (let taken = 0; taken < count; taken++) {
    const best = leastDeflected(n, count, scratch, chosen);
    if (best < 0) return statusAt(Status.SINGULAR, taken);
    set(chosen, best, 1.0);
    takeAway(n, count, at(scratch, best * count), scratch, chosen);
  }
  return Status.OK;
}

/** The longest column not yet chosen; -1 if nothing is left. */
function leastDeflected(n: i32, count: i32, scratch: usize, chosen: usize): i32 {
  let best = -1, most = 0.0;
  for (let i = 0; i < n; i++) {
    if (get(chosen, i) != 0.0) continue;
    const x = at(scratch, i * count), square = dot(count, x, x);
    if (square > most) {
      most = square;
      best = i;
    }
  }
  return best;
}

/** Removes a direction from the columns not yet chosen. */
function takeAway(n: i32, count: i32, direction: usize, scratch: usize, chosen: usize): void {
  scaleColumn(count, 1.0 / Math.sqrt(dot(count, direction, direction)), direction);
  for (let i = 0; i < n; i++) {
    if (get(chosen, i) != 0.0) continue;
    const x = at(scratch, i * count);
    subtractMultiple(count, dot(count, direction, x), direction, x);
  }
}
