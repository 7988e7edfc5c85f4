// Conversions between nodes and bodies. The velocities of bodies are u = T v: of the centre of mass
// in the world, and angular in the axes of the body (layout-bodies.ts). So u' = T v' + bias, forces
// on bodies are T^T F on the coordinates, and a row J on bodies is J T on the coordinates: force
// laws and rows of bodies are used unchanged.

import { AngleData, BODY_VELOCITIES, BodyFrame, BodyTable } from "../layout-bodies";
import {
  LoadedBody, Node, NodeConstant, NodeEntry, NodeKind, RowBlock, RowSource, TreeTable,
} from "../layout-tree";
import { at, get, getInteger, set } from "../math/slots";
import { addressOf } from "../kinematics/table";
import { rotateBack, rotateThree, setThree } from "../kinematics/vector";
import { addSix, along, back, ENTRY_BYTES, firstEntry, setSix, treeAddress } from "./vector";

/** Writes frames with velocities of the bodies that have rows, which is all that rows read. */
export function treeRowFrames(tree: usize): void {
  const nodes = treeAddress(tree, TreeTable.NODES);
  const constants = treeAddress(tree, TreeTable.CONSTANTS);
  const frames = addressOf(treeAddress(tree, TreeTable.BODY_TABLE), BodyTable.FRAMES);
  const blocks = getInteger(tree, TreeTable.BLOCK_COUNT);
  const list = tree + ((<usize>getInteger(tree, TreeTable.BLOCK_LIST)) << 2);
  // Sources of consecutive blocks are contiguous.
  const last = list + ((<usize>((blocks - 1) * RowBlock.LENGTH)) << 2);
  const count = getInteger(last, RowBlock.FIRST_SOURCE) + getInteger(last, RowBlock.SOURCE_COUNT);
  let source = tree + ((<usize>getInteger(tree, TreeTable.SOURCE_LIST)) << 2);
  for (let k = 0; k < count; k++) {
    const number = getInteger(source, RowSource.NODE);
    setFrame(
      1, at(constants, NodeConstant.LENGTH * number), at(nodes, Node.LENGTH * number),
      at(frames, BodyFrame.LENGTH * getInteger(source, RowSource.BODY)),
    );
    source += RowSource.LENGTH << 2;
  }
  tellAngles(tree);
}

/** Writes frames with velocities of the bodies that forces read or act on. */
export function treeLoadFrames(tree: usize): void {
  const nodes = treeAddress(tree, TreeTable.NODES);
  const constants = treeAddress(tree, TreeTable.CONSTANTS);
  const frames = addressOf(treeAddress(tree, TreeTable.BODY_TABLE), BodyTable.FRAMES);
  const count = getInteger(tree, TreeTable.LOADED_COUNT);
  let loaded = tree + ((<usize>getInteger(tree, TreeTable.LOADED_LIST)) << 2);
  for (let k = 0; k < count; k++) {
    const number = getInteger(loaded, LoadedBody.NODE);
    setFrame(
      1, at(constants, NodeConstant.LENGTH * number), at(nodes, Node.LENGTH * number),
      at(frames, BodyFrame.LENGTH * getInteger(loaded, LoadedBody.BODY)),
    );
    loaded += LoadedBody.LENGTH << 2;
  }
  tellAngles(tree);
}

/** Subtracts the forces on bodies from FORCE of their nodes. */
export function addLoads(tree: usize): void {
  const nodes = treeAddress(tree, TreeTable.NODES);
  const constants = treeAddress(tree, TreeTable.CONSTANTS);
  const forces = addressOf(treeAddress(tree, TreeTable.BODY_TABLE), BodyTable.FORCES);
  const count = getInteger(tree, TreeTable.LOADED_COUNT);
  let loaded = tree + ((<usize>getInteger(tree, TreeTable.LOADED_LIST)) << 2);
  for (let k = 0; k < count; k++) {
    const number = getInteger(loaded, LoadedBody.NODE);
    const node = at(nodes, Node.LENGTH * number);
    const load = at(forces, BODY_VELOCITIES * getInteger(loaded, LoadedBody.BODY));
    addLoad(at(constants, NodeConstant.LENGTH * number), load, node, -1.0, at(node, Node.FORCE));
    loaded += LoadedBody.LENGTH << 2;
  }
}

/**
 * Frames of the bodies (BodyFrame) from those of the nodes; velocities, and v of the bodies as
 * well, only if `rates` is 1.
 */
export function treeFrames(tree: usize, rates: i32): void {
  const count = getInteger(tree, TreeTable.NODE_COUNT);
  const table = treeAddress(tree, TreeTable.BODY_TABLE);
  const frames = addressOf(table, BodyTable.FRAMES);
  const velocities = addressOf(table, BodyTable.VELOCITIES);
  let entry = firstEntry(tree) + ENTRY_BYTES;
  let constant = at(treeAddress(tree, TreeTable.CONSTANTS), NodeConstant.LENGTH);
  let node = at(treeAddress(tree, TreeTable.NODES), Node.LENGTH);
  for (let i = 1; i < count; i++) {
    const body = getInteger(entry, NodeEntry.BODY);
    if (body >= 0) {
      const frame = at(frames, BodyFrame.LENGTH * body);
      setFrame(rates, constant, node, frame);
      if (rates == 1) bodyVelocity(frame, at(velocities, BODY_VELOCITIES * body));
    }
    entry += ENTRY_BYTES;
    constant = at(constant, NodeConstant.LENGTH);
    node = at(node, Node.LENGTH);
  }
  tellAngles(tree);
}

/**
 * Unwraps the angles of sensors by the coordinates of the tree. Rejected: the
 * revolution nearest to the last accepted angle, which is wrong after more than half a turn.
 */
function tellAngles(tree: usize): void {
  const table = treeAddress(tree, TreeTable.BODY_TABLE);
  if (getInteger(table, BodyTable.SENSOR_COUNT) == 0) return;
  const count = getInteger(tree, TreeTable.NODE_COUNT);
  const positions = treeAddress(tree, TreeTable.POSITIONS);
  const data = addressOf(table, BodyTable.DATA);
  let entry = firstEntry(tree) + ENTRY_BYTES;
  for (let i = 1; i < count; i++) {
    const slot = getInteger(entry, NodeEntry.ANGLE);
    if (slot >= 0) {
      const angle = at(data, slot);
      const q = get(positions, getInteger(entry, NodeEntry.POSITION));
      set(angle, AngleData.CHANGE, q - get(angle, AngleData.ACCEPTED));
    }
    entry += ENTRY_BYTES;
  }
}

// @ts-ignore: decorator
@inline
function setFrame(rates: i32, constant: usize, node: usize, frame: usize): void {
  rotateThree(node, at(constant, NodeConstant.BODY_AXES), frame);
  const c0 = centre(constant, node, 0), c1 = centre(constant, node, 1);
  const c2 = centre(constant, node, 2);
  const p = at(node, Node.POINT);
  setThree(at(frame, BodyFrame.POINT), get(p, 0) + c0, get(p, 1) + c1, get(p, 2) + c2);
  if (!rates) return;
  const w0 = get(node, Node.OMEGA), w1 = get(node, Node.OMEGA + 1), w2 = get(node, Node.OMEGA + 2);
  const v = at(node, Node.VELOCITY);
  setThree(at(frame, BodyFrame.OMEGA), w0, w1, w2);
  setThree(
    at(frame, BodyFrame.VELOCITY),
    get(v, 0) + (w1 * c2 - w2 * c1), get(v, 1) + (w2 * c0 - w0 * c2),
    get(v, 2) + (w0 * c1 - w1 * c0),
  );
}

/** v of a body by its frame. */
// @ts-ignore: decorator
@inline
function bodyVelocity(frame: usize, v: usize): void {
  const velocity = at(frame, BodyFrame.VELOCITY), w = at(frame, BodyFrame.OMEGA);
  setThree(v, get(velocity, 0), get(velocity, 1), get(velocity, 2));
  rotateBack(frame, get(w, 0), get(w, 1), get(w, 2), at(v, 3));
}

/** Component i of the vector from the point of a node to the centre of mass. */
// @ts-ignore: decorator
@inline
export function centre(constant: usize, node: usize, i: i32): f64 {
  const c = at(constant, NodeConstant.CENTRE);
  return along(node, i, get(c, 0), get(c, 1), get(c, 2));
}

/** out = T x: six values for each body. */
export function treeBodyVelocities(tree: usize, x: usize, out: usize): void {
  const count = getInteger(tree, TreeTable.NODE_COUNT);
  const nodes = treeAddress(tree, TreeTable.NODES);
  let entry = firstEntry(tree) + ENTRY_BYTES;
  let constant = at(treeAddress(tree, TreeTable.CONSTANTS), NodeConstant.LENGTH);
  let node = at(nodes, Node.LENGTH);
  for (let i = 1; i < count; i++) {
    const parent = at(nodes, Node.LENGTH * getInteger(entry, NodeEntry.PARENT) + Node.SOLUTION);
    const own = at(x, getInteger(entry, NodeEntry.VELOCITY));
    setTwist(getInteger(entry, NodeEntry.KIND), constant, own, parent, node);
    const body = getInteger(entry, NodeEntry.BODY);
    if (body >= 0) {
      toBody(constant, node, at(node, Node.SOLUTION), at(out, BODY_VELOCITIES * body));
    }
    entry += ENTRY_BYTES;
    constant = at(constant, NodeConstant.LENGTH);
    node = at(node, Node.LENGTH);
  }
}

/** SOLUTION = X Z_p + S x. */
// @ts-ignore: decorator
@inline
function setTwist(kind: i32, constant: usize, x: usize, parent: usize, node: usize): void {
  const to = at(node, Node.SOLUTION);
  if (kind == NodeKind.FREE) {
    const w0 = get(x, 3), w1 = get(x, 4), w2 = get(x, 5);
    setSix(
      to,
      along(node, 0, w0, w1, w2), along(node, 1, w0, w1, w2), along(node, 2, w0, w1, w2),
      get(x, 0), get(x, 1), get(x, 2),
    );
    return;
  }
  const r0 = get(node, Node.ARM), r1 = get(node, Node.ARM + 1), r2 = get(node, Node.ARM + 2);
  const w0 = get(parent, 0), w1 = get(parent, 1), w2 = get(parent, 2);
  setSix(
    to,
    w0, w1, w2,
    get(parent, 3) + (w1 * r2 - w2 * r1), get(parent, 4) + (w2 * r0 - w0 * r2),
    get(parent, 5) + (w0 * r1 - w1 * r0),
  );
  if (kind == NodeKind.FIXED) return;
  if (kind == NodeKind.BALL) {
    const x0 = get(x, 0), x1 = get(x, 1), x2 = get(x, 2);
    for (let i = 0; i < 3; i++) set(to, i, get(to, i) + along(node, i, x0, x1, x2));
    return;
  }
  const rate = get(x, 0);
  const turn = kind == NodeKind.SLIDE ? 0.0 : rate;
  const slide = kind == NodeKind.SLIDE ? rate : rate * get(constant, NodeConstant.PITCH);
  for (let i = 0; i < 3; i++) {
    set(to, i, get(to, i) + turn * get(node, 6 + i));
    set(to, 3 + i, get(to, 3 + i) + slide * get(node, 6 + i));
  }
}

/**
 * Converts a twist of the node to the centre of mass of its body: linear in the world, angular in
 * the body's axes.
 */
// @ts-ignore: decorator
@inline
function toBody(constant: usize, node: usize, twist: usize, out: usize): void {
  const w0 = get(twist, 0), w1 = get(twist, 1), w2 = get(twist, 2);
  const c0 = centre(constant, node, 0), c1 = centre(constant, node, 1);
  const c2 = centre(constant, node, 2);
  set(out, 0, get(twist, 3) + (w1 * c2 - w2 * c1));
  set(out, 1, get(twist, 4) + (w2 * c0 - w0 * c2));
  set(out, 2, get(twist, 5) + (w0 * c1 - w1 * c0));
  const p0 = back(node, 0, w0, w1, w2), p1 = back(node, 1, w0, w1, w2);
  const p2 = back(node, 2, w0, w1, w2);
  const axes = at(constant, NodeConstant.BODY_AXES);
  for (let i = 0; i < 3; i++) set(out, 3 + i, back(axes, i, p0, p1, p2));
}

/** out = T^T loads: a force for each velocity. */
export function treeJointForces(tree: usize, loads: usize, out: usize): void {
  const count = getInteger(tree, TreeTable.NODE_COUNT);
  const nodes = treeAddress(tree, TreeTable.NODES);
  const constants = treeAddress(tree, TreeTable.CONSTANTS);
  const entries = firstEntry(tree);
  for (let i = 1; i < count; i++) {
    const node = at(nodes, Node.LENGTH * i);
    const force = at(node, Node.SOLUTION);
    const body = getInteger(entries + ENTRY_BYTES * i, NodeEntry.BODY);
    setSix(force, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    if (body < 0) continue;
    addLoad(
      at(constants, NodeConstant.LENGTH * i), at(loads, BODY_VELOCITIES * body), node, 1.0, force,
    );
  }
  for (let i = count - 1; i > 0; i--) {
    const entry = entries + ENTRY_BYTES * i;
    const node = at(nodes, Node.LENGTH * i);
    const kind = getInteger(entry, NodeEntry.KIND);
    const pitch = get(at(constants, NodeConstant.LENGTH * i), NodeConstant.PITCH);
    projectForce(kind, pitch, node, at(out, getInteger(entry, NodeEntry.VELOCITY)));
    const parent = getInteger(entry, NodeEntry.PARENT);
    if (parent == 0) continue;
    const p = at(node, Node.SOLUTION);
    const r0 = get(node, Node.ARM), r1 = get(node, Node.ARM + 1), r2 = get(node, Node.ARM + 2);
    const f0 = get(p, 3), f1 = get(p, 4), f2 = get(p, 5);
    addSix(
      at(nodes, Node.LENGTH * parent + Node.SOLUTION),
      get(p, 0) + (r1 * f2 - r2 * f1), get(p, 1) + (r2 * f0 - r0 * f2),
      get(p, 2) + (r0 * f1 - r1 * f0), f0, f1, f2,
    );
  }
}

/**
 * force += scale times a load: a force at the centre of mass in the world, a torque in the axes of
 * the body.
 */
// @ts-ignore: decorator
@inline
export function addLoad(constant: usize, load: usize, node: usize, scale: f64, force: usize): void {
  const f0 = scale * get(load, 0), f1 = scale * get(load, 1), f2 = scale * get(load, 2);
  const t0 = scale * get(load, 3), t1 = scale * get(load, 4), t2 = scale * get(load, 5);
  const axes = at(constant, NodeConstant.BODY_AXES);
  const n0 = along(axes, 0, t0, t1, t2), n1 = along(axes, 1, t0, t1, t2);
  const n2 = along(axes, 2, t0, t1, t2);
  const c0 = centre(constant, node, 0), c1 = centre(constant, node, 1);
  const c2 = centre(constant, node, 2);
  addSix(
    force,
    along(node, 0, n0, n1, n2) + (c1 * f2 - c2 * f1),
    along(node, 1, n0, n1, n2) + (c2 * f0 - c0 * f2),
    along(node, 2, n0, n1, n2) + (c0 * f1 - c1 * f0),
    f0, f1, f2,
  );
}

/** S^T of the force in SOLUTION. */
// @ts-ignore: decorator
@inline
function projectForce(kind: i32, pitch: f64, node: usize, out: usize): void {
  const p = at(node, Node.SOLUTION);
  const n0 = get(p, 0), n1 = get(p, 1), n2 = get(p, 2);
  if (kind == NodeKind.BALL || kind == NodeKind.FREE) {
    const angular = kind == NodeKind.FREE ? 3 : 0;
    for (let i = 0; i < 3; i++) set(out, angular + i, back(node, i, n0, n1, n2));
    if (kind == NodeKind.FREE) setThree(out, get(p, 3), get(p, 4), get(p, 5));
    return;
  }
  if (kind == NodeKind.FIXED) return;
  const z0 = get(node, 6), z1 = get(node, 7), z2 = get(node, 8);
  const turn = n0 * z0 + n1 * z1 + n2 * z2;
  const slide = get(p, 3) * z0 + get(p, 4) * z1 + get(p, 5) * z2;
  if (kind == NodeKind.HINGE) set(out, 0, turn);
  else if (kind == NodeKind.SLIDE) set(out, 0, slide);
  else set(out, 0, turn + pitch * slide);
}

/** out = u' for v' = 0, without gravity: six values for each body. */
export function treeBodyBias(tree: usize, out: usize): void {
  const count = getInteger(tree, TreeTable.NODE_COUNT);
  const nodes = treeAddress(tree, TreeTable.NODES);
  const ground = at(nodes, Node.BIAS + 3);
  const g0 = get(ground, 0), g1 = get(ground, 1), g2 = get(ground, 2);
  let entry = firstEntry(tree) + ENTRY_BYTES;
  let constant = at(treeAddress(tree, TreeTable.CONSTANTS), NodeConstant.LENGTH);
  let node = at(nodes, Node.LENGTH);
  for (let i = 1; i < count; i++) {
    const body = getInteger(entry, NodeEntry.BODY);
    if (body >= 0) {
      const to = at(out, BODY_VELOCITIES * body);
      toBody(constant, node, at(node, Node.BIAS), to);
      const c0 = centre(constant, node, 0), c1 = centre(constant, node, 1);
      const c2 = centre(constant, node, 2);
      const w = at(node, Node.OMEGA);
      const w0 = get(w, 0), w1 = get(w, 1), w2 = get(w, 2);
      const x0 = w1 * c2 - w2 * c1, x1 = w2 * c0 - w0 * c2, x2 = w0 * c1 - w1 * c0;
      set(to, 0, get(to, 0) + (w1 * x2 - w2 * x1) - g0);
      set(to, 1, get(to, 1) + (w2 * x0 - w0 * x2) - g1);
      set(to, 2, get(to, 2) + (w0 * x1 - w1 * x0) - g2);
    }
    entry += ENTRY_BYTES;
    constant = at(constant, NodeConstant.LENGTH);
    node = at(node, Node.LENGTH);
  }
}
