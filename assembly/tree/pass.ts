// Inward pass of forces through the joints, by the factor in memory: see tree/solve.ts.

import { AxisFactor, BallFactor, Node, NodeConstant, NodeEntry, NodeKind } from "../layout-tree";
import { at, get, getInteger, set } from "../math/slots";
import { addSix, along } from "./vector";

/** Sets DRIVE of a node, and adds its force to FORCE of its parent. */
// @ts-ignore: decorator
@inline
export function passForce(
  entry: usize, constant: usize, tau: usize, node: usize, nodes: usize,
): void {
  const kind = getInteger(entry, NodeEntry.KIND);
  const own = tau == 0 ? <usize>0 : at(tau, getInteger(entry, NodeEntry.VELOCITY));
  const number = getInteger(entry, NodeEntry.PARENT);
  const parent = number == 0 ? <usize>0 : at(nodes, Node.LENGTH * number);
  if (kind == NodeKind.HINGE) {
    const p = at(node, Node.FORCE);
    let u = own == 0 ? 0.0 : get(own, 0);
    u -= get(node, 6) * get(p, 0) + get(node, 7) * get(p, 1) + get(node, 8) * get(p, 2);
    passAxis(u, node, parent);
  } else {
    passOther(kind, get(constant, NodeConstant.PITCH), own, node, parent);
  }
}

/** X^T p + X^T U u / D. */
// @ts-ignore: decorator
@inline
function passAxis(u: f64, node: usize, parent: usize): void {
  set(node, Node.DRIVE, u);
  if (parent == 0) return;
  const t = at(node, Node.FACTOR + AxisFactor.SHARE), p = at(node, Node.FORCE);
  const p3 = get(p, 3), p4 = get(p, 4), p5 = get(p, 5);
  const r0 = get(node, Node.ARM), r1 = get(node, Node.ARM + 1), r2 = get(node, Node.ARM + 2);
  addSix(
    at(parent, Node.FORCE),
    get(p, 0) + (r1 * p5 - r2 * p4) + u * get(t, 0),
    get(p, 1) + (r2 * p3 - r0 * p5) + u * get(t, 1),
    get(p, 2) + (r0 * p4 - r1 * p3) + u * get(t, 2),
    p3 + u * get(t, 3), p4 + u * get(t, 4), p5 + u * get(t, 5),
  );
}

export function passOther(kind: i32, pitch: f64, own: usize, node: usize, parent: usize): void {
  const p = at(node, Node.FORCE), factor = at(node, Node.FACTOR), drive = at(node, Node.DRIVE);
  let p0 = get(p, 0), p1 = get(p, 1), p2 = get(p, 2), p3 = get(p, 3), p4 = get(p, 4);
  let p5 = get(p, 5);
  if (kind <= NodeKind.SCREW) {
    const z0 = get(node, 6), z1 = get(node, 7), z2 = get(node, 8);
    let u = own == 0 ? 0.0 : get(own, 0);
    if (kind == NodeKind.SLIDE) {
      u -= z0 * p3 + z1 * p4 + z2 * p5;
    } else {
      u -= z0 * p0 + z1 * p1 + z2 * p2 + pitch * (z0 * p3 + z1 * p4 + z2 * p5);
    }
    passAxis(u, node, parent);
    return;
  }
  if (kind == NodeKind.FREE) {
    freeDrive(own, node, p, drive);
    return;
  }
  if (kind == NodeKind.BALL) {
    let t0 = 0.0, t1 = 0.0, t2 = 0.0;
    if (own != 0) {
      const x0 = get(own, 0), x1 = get(own, 1), x2 = get(own, 2);
      t0 = along(node, 0, x0, x1, x2);
      t1 = along(node, 1, x0, x1, x2);
      t2 = along(node, 2, x0, x1, x2);
    }
    const u0 = t0 - p0, u1 = t1 - p1, u2 = t2 - p2;
    set(drive, 0, u0);
    set(drive, 1, u1);
    set(drive, 2, u2);
    const gain = at(factor, BallFactor.GAIN);
    p0 = t0;
    p1 = t1;
    p2 = t2;
    p3 += along(gain, 0, u0, u1, u2);
    p4 += along(gain, 1, u0, u1, u2);
    p5 += along(gain, 2, u0, u1, u2);
  }
  if (parent == 0) return;
  const r0 = get(node, Node.ARM), r1 = get(node, Node.ARM + 1), r2 = get(node, Node.ARM + 2);
  addSix(
    at(parent, Node.FORCE),
    p0 + (r1 * p5 - r2 * p4), p1 + (r2 * p3 - r0 * p5), p2 + (r0 * p4 - r1 * p3), p3, p4, p5,
  );
}

/** tau - p: the torque in the world, then the force. */
function freeDrive(own: usize, node: usize, p: usize, drive: usize): void {
  for (let i = 0; i < 6; i++) set(drive, i, -get(p, i));
  if (own == 0) return;
  const x0 = get(own, 3), x1 = get(own, 4), x2 = get(own, 5);
  addSix(
    drive,
    along(node, 0, x0, x1, x2), along(node, 1, x0, x1, x2), along(node, 2, x0, x1, x2),
    get(own, 0), get(own, 1), get(own, 2),
  );
}
