// Derivatives of a tyre. With x, y, z = a_i . d in the axes of A, height h(x, y, t) and its rate
// r(x, y, x', y', t), whose derivatives by x' and y' are those of h by x and y,
//
//   F = k (radius - z + h) - c (z' - r),   L F = (k n + c (r_x a_1 + r_y a_2)) . D + c n . D',
//   n = h_x a_1 + h_y a_2 - a_3
//
// for the changes D and D' of d and its rate relative to A (forces-rows.ts). Q = F J^T with the row
// J of a_3 . d, whose change is its second derivative.

import { BODY_VELOCITIES, BodyTable, ForceEntry, MarkerFrame, TyreData } from "../layout-bodies";
import { bodyOf, frameOf, markerOf } from "../kinematics/table";
import { at, get, getInteger } from "../math/slots";
import { along, alongRate } from "../constraints/dot2";
import { constantsOf } from "../forces/entry";
import { addRows, rowOf, secondOf, setPoint, setSeenChange } from "./forces-rows";
import { addAlong } from "./second-pairs";

/** Adds the derivatives of a tyre; without contact it has none. */
export function addTyre(
  table: usize, entry: usize, blocks: usize, stiffness: usize, damping: usize,
): void {
  const first = getInteger(entry, ForceEntry.A), second = getInteger(entry, ForceEntry.B);
  const A = markerOf(table, first), B = markerOf(table, second);
  const numberA = bodyOf(table, first), numberB = bodyOf(table, second);
  const bodyA = frameOf(table, numberA), bodyB = frameOf(table, numberB);
  const data = constantsOf(table, entry), normal = at(A, MarkerFrame.AXES + 6);
  const k = get(data, TyreData.STIFFNESS), c = get(data, TyreData.DAMPING);
  const pressed = get(data, TyreData.RADIUS) - (along(normal, A, B) - get(data, TyreData.HEIGHT));
  const force = k * pressed - c * (alongRate(normal, A, B, bodyA) - get(data, TyreData.RATE));
  if (get(data, TyreData.CANNOT_PULL) != 0.0 && (pressed < 0.0 || force < 0.0)) return;

  const i = BODY_VELOCITIES * numberA, j = BODY_VELOCITIES * numberB;
  const row = rowOf(table, 0), change = rowOf(table, 1), slowing = rowOf(table, 2);
  const z0 = get(normal, 0), z1 = get(normal, 1), z2 = get(normal, 2);
  setPoint(row, bodyA, B, -z0, -z1, -z2);
  setPoint(secondOf(row), bodyB, B, z0, z1, z2);
  const slopes = at(data, TyreData.SLOPES), rates = at(data, TyreData.RATE_SLOPES);
  const n0 = inPlane(A, slopes, 0) - z0, n1 = inPlane(A, slopes, 1) - z1;
  const n2 = inPlane(A, slopes, 2) - z2;
  setSeenChange(
    change, B, bodyA, bodyB, k * n0 + c * inPlane(A, rates, 0),
    k * n1 + c * inPlane(A, rates, 1), k * n2 + c * inPlane(A, rates, 2),
    c * n0, c * n1, c * n2,
  );
  addRows(stiffness, blocks, i, j, 1.0, row, change);
  addAlong(stiffness, blocks, i, j, normal, B, bodyA, bodyB, force);
  if (c == 0.0) return;
  setPoint(slowing, bodyA, B, -n0, -n1, -n2);
  setPoint(secondOf(slowing), bodyB, B, n0, n1, n2);
  addRows(damping, blocks, i, j, c, row, slowing);
}

/** Component i in the world of a vector given by two components in the plane of the road. */
// @ts-ignore: decorator
@inline
function inPlane(A: usize, components: usize, i: i32): f64 {
  return get(components, 0) * get(A, MarkerFrame.AXES + i)
    + get(components, 1) * get(A, MarkerFrame.AXES + 3 + i);
}
