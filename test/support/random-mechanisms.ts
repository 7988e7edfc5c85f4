// Random trees of every joint, and loops made by closing them. Joints have random coordinates, frames of bodies are
// arbitrary, and velocities follow from random rates that satisfy all joints to rounding, so no assembly is needed.

import { type Body, type Joint, type Marker, type Model, model } from "nodrift/bodies";
import { complement, factor } from "../reference/householder.js";
import {
  between,
  randomDirection,
  randomPoint,
  randomTurn,
  usualMasses,
} from "../reference/sketch.js";
import {
  add,
  type Matrix,
  product,
  rotation,
  scale,
  times,
  transposed,
  type Vector,
} from "../reference/vectors.js";
import { type Random, seeded } from "./random.js";
import { addForces } from "./random-forces.js";
import {
  axisOf,
  type Frame,
  jointKinds,
  plus,
  REST,
  rowsOf,
  type TreeJoint,
  type Twist,
  treeJoints,
  velocityAt,
} from "./random-joints.js";

/** A mechanism and its known properties. */
export interface RandomMechanism {
  readonly model: Model;
  /** Types of the joints of its tree, one for each body. */
  readonly types: readonly TreeJoint[];
  /** The joint that closes a loop. */
  readonly closing: TreeJoint | undefined;
  readonly freedoms: number;
}

/** A joint of the sketch; -1 is the ground. */
interface Link {
  readonly type: TreeJoint;
  readonly parent: number;
  readonly a: Frame;
  readonly b: Frame;
  readonly pitch: number;
  readonly free: readonly Twist[];
}

interface Closing {
  readonly type: TreeJoint;
  readonly ends: readonly [number, number];
  readonly a: Frame;
  readonly b: Frame;
  readonly pitch: number;
}

const WORLD: Frame = { point: [0, 0, 0], axes: rotation([1, 0, 0, 0]) };

/** Minimum ratio of pivots; loops closer to a singular pose are discarded. */
const CLEAR = 0.03;

/** Rows smaller than this count as dependent. */
const DEPENDENT = 1e-9;

/** A tree of two to nine bodies. Over 9 consecutive seeds each joint type is used once for the first body. */
export function randomTree(seed: number): RandomMechanism {
  const random = seeded(21e6 + seed);
  const links = treeOf(random, 2 + Math.floor(between(random, 0, 8)), (body) =>
    body === 0 ? treeJoints[seed % treeJoints.length] : pick(random, treeJoints),
  );
  return built(`tree ${seed}`, random, links, undefined, freely(random, links));
}

export type LoopKind = "spatial" | "planar" | "repeated";

/**
 * A tree with one additional joint, which closes a movable loop. "spatial": any joints. "planar": hinges and slides
 * of one plane, so that rows of the closing hinge are redundant. "repeated": a hinge or slide occurs twice, as on a
 * door.
 */
export function randomLoop(seed: number, kind: LoopKind): RandomMechanism {
  for (let attempt = 0; ; attempt++) {
    const random = seeded(23e6 + 1000 * seed + attempt);
    const links = kind === "planar" ? planarTree(random) : spatialTree(random);
    const closing = kind === "repeated" ? repeated(random, links) : closed(random, links, kind);
    const rates = closing && allowed(random, links, closing);
    if (rates === undefined) continue;
    return built(`${kind} loop ${seed}`, random, links, closing, rates);
  }
}

const pick = <T>(random: Random, list: readonly T[]): T =>
  list[Math.floor(between(random, 0, list.length))];

const spatialTree = (random: Random) =>
  treeOf(random, 3 + Math.floor(between(random, 0, 5)), () => pick(random, treeJoints));

const planarTree = (random: Random) => {
  const types: TreeJoint[] = ["revolute", "revolute", "revolute", "prismatic", "planar"];
  return treeOf(random, 3 + Math.floor(between(random, 0, 4)), () => pick(random, types), true);
};

/** Frames of all joints, outwards from the ground. */
function treeOf(
  random: Random,
  count: number,
  typeOf: (body: number) => TreeJoint,
  planar = false,
): Link[] {
  const links: Link[] = [];
  for (let body = 0; body < count; body++) {
    const type = typeOf(body);
    const parent = Math.floor(between(random, -1, body));
    const from = parent < 0 ? WORLD : links[parent].b;
    const a = {
      point: add(from.point, randomPoint(random)),
      axes: planar ? planeAxes(random, type) : rotation(randomTurn(random)),
    };
    const { along, turned } = jointKinds[type].open(random);
    const b = { point: add(a.point, times(a.axes, along)), axes: product(a.axes, turned) };
    const pitch = between(random, 0.1, 1);
    links.push({ type, parent, a, b, pitch, free: jointKinds[type].free(a, b, pitch) });
  }
  return links;
}

/** z is normal to the plane of the world's x and y; for a slide it lies in the plane. */
function planeAxes(random: Random, type: TreeJoint): Matrix {
  const [x, y] = [random(), random() + 2];
  const length = Math.sqrt(x * x + y * y);
  const [c, s] = [x / length, y / length];
  return type === "prismatic"
    ? [
        [-s, 0, c],
        [c, 0, s],
        [0, 1, 0],
      ]
    : [
        [c, -s, 0],
        [s, c, 0],
        [0, 0, 1],
      ];
}

/** Bodies from one to the ground. */
function pathOf(links: readonly Link[], body: number): number[] {
  return body < 0 ? [] : [body, ...pathOf(links, links[body].parent)];
}

/** A joint between the last body and another, whose loop keeps a degree of freedom. */
function closed(random: Random, links: readonly Link[], kind: LoopKind): Closing | undefined {
  const last = links.length - 1;
  const other = Math.floor(between(random, -1, last));
  const [to, from] = [pathOf(links, last), pathOf(links, other)];
  const loop = [...to.filter((i) => !from.includes(i)), ...from.filter((i) => !to.includes(i))];
  const freedoms = loop.reduce((sum, body) => sum + links[body].free.length, 0);
  const type = kind === "planar" ? "revolute" : pick(random, treeJoints);
  const rows = kind === "planar" ? 2 : 6 - jointKinds[type].free(WORLD, WORLD, 1).length;
  if (rows === 0 || freedoms <= rows || loop.length < 2) return undefined;
  const point = add(links[last].b.point, randomPoint(random));
  const axes = kind === "planar" ? planeAxes(random, type) : rotation(randomTurn(random));
  const a = { point, axes };
  // The arms of a universal joint are perpendicular.
  const turned = type === "universal" ? jointKinds.universal.open(random).turned : WORLD.axes;
  const pitch = between(random, 0.1, 1);
  return { type, ends: [other, last], a, b: { point, axes: product(axes, turned) }, pitch };
}

/** A copy of a hinge or slide of the tree, elsewhere on its axis. */
function repeated(random: Random, links: readonly Link[]): Closing | undefined {
  const found = links.findIndex(({ type }) => type === "revolute" || type === "prismatic");
  if (found < 0) return undefined;
  const { type, parent, a, pitch } = links[found];
  const point = add(a.point, scale(between(random, 0.3, 1), axisOf(a, 2)));
  const frame = { point, axes: a.axes };
  return { type, ends: [parent, found], a: frame, b: frame, pitch };
}

/** Motion of each body by rates of all joints. */
function twistsOf(links: readonly Link[], rates: Float64Array): Twist[] {
  const twists: Twist[] = [];
  let at = 0;
  for (const { parent, free } of links) {
    let twist = parent < 0 ? REST : twists[parent];
    for (const motion of free) twist = plus(twist, motion, rates[at++]);
    twists.push(twist);
  }
  return twists;
}

/** The rows of the closing joint on rates of the tree, without those that hold for all rates. */
function closingRows(links: readonly Link[], { type, ends, a, b, pitch }: Closing): Float64Array[] {
  const count = links.reduce((sum, { free }) => sum + free.length, 0);
  const rows = rowsOf(type, a, b, pitch);
  const columns = Array.from({ length: count }, (_, j) => {
    const rates = new Float64Array(count);
    rates[j] = 1;
    const twists = twistsOf(links, rates);
    const of = (body: number) => (body < 0 ? REST : twists[body]);
    return plus(of(ends[1]), of(ends[0]), -1);
  });
  return rows
    .map((row) => Float64Array.from(columns, row))
    .filter((row) => row.some((entry) => Math.abs(entry) > DEPENDENT));
}

/** A rate for each degree of freedom of the tree. */
const freely = (random: Random, links: readonly Link[]): Float64Array =>
  Float64Array.from(links.flatMap(({ free }) => free.map(() => 2 * random())));

/** Random rates that the closing joint allows; undefined near a singular pose, or if nothing moves. */
function allowed(
  random: Random,
  links: readonly Link[],
  closing: Closing,
): Float64Array | undefined {
  const rows = closingRows(links, closing);
  if (rows.length === 0) return freely(random, links);
  const qr = factor(rows, DEPENDENT);
  const pivots = Array.from({ length: qr.rank }, (_, k) => Math.abs(qr.r[k][k]));
  if (pivots.some((pivot) => pivot < CLEAR * pivots[0])) return undefined;
  const rates = new Float64Array(qr.n);
  for (const direction of complement(qr)) {
    const size = 2 * random();
    for (let i = 0; i < rates.length; i++) rates[i] += size * direction[i];
  }
  return rates.some((rate) => Math.abs(rate) > 0.1) ? rates : undefined;
}

/** The model of a moving sketch. */
function built(
  name: string,
  random: Random,
  links: readonly Link[],
  closing: Closing | undefined,
  rates: Float64Array,
): RandomMechanism {
  const m = model({ name, gravity: scale(9.81, randomDirection(random)) });
  const twists = twistsOf(links, rates);
  const placed = links.map(({ b }, body) => bodyAt(m, random, body, b.point, twists[body]));
  const bodyOf = (body: number) => (body < 0 ? m.ground : placed[body].body);
  const turning: Joint[] = [];
  links.forEach(({ type, parent, a, b, pitch }, body) => {
    const ends = [markerAt(bodyOf(parent), a), markerAt(bodyOf(body), b)] as const;
    const joint = join(m, type, `${type} of ${body}`, ends, pitch);
    if (joint && type === "revolute") turning.push(joint);
  });
  if (closing) {
    const { type, ends, a, b, pitch } = closing;
    const markers = [markerAt(bodyOf(ends[0]), a), markerAt(bodyOf(ends[1]), b)] as const;
    join(m, type, "closing", markers, pitch);
  }
  addForces(m, random, placed, turning);
  const rank = closing ? factor(closingRows(links, closing), DEPENDENT).rank : 0;
  const types = links.map(({ type }) => type);
  return { model: m, types, closing: closing?.type, freedoms: rates.length - rank };
}

const markerAt = (body: Body, frame: Frame): Marker =>
  body.marker({ frame: "world", at: frame.point, axis: axisOf(frame, 2), x: axisOf(frame, 0) });

function join(
  m: Model,
  type: TreeJoint,
  name: string,
  ends: readonly [Marker, Marker],
  pitch: number,
): Joint | undefined {
  if (type === "free") return undefined;
  if (type === "screw") return m.screw({ name, between: ends, pitch });
  return m[type]({ name, between: ends });
}

/** A brick near its joint, with arbitrary axes, with its frame away from its centre of mass. */
function bodyAt(m: Model, random: Random, index: number, joint: Vector, twist: Twist) {
  const mass = usualMasses(random, index);
  const edge = () => between(random, 0.3, 1) ** 2;
  const [x, y, z] = [edge(), edge(), edge()];
  const axes = rotation(randomTurn(random));
  const moments: Matrix = [
    [(mass * (y + z)) / 12, 0, 0],
    [0, (mass * (x + z)) / 12, 0],
    [0, 0, (mass * (x + y)) / 12],
  ];
  const full = product(axes, product(moments, transposed(axes)));
  const position = add(joint, scale(0.5, randomPoint(random)));
  const body = m.body({
    name: `body ${index}`,
    mass,
    inertia: full.map((row, i) => scale(0.5, add(row, transposed(full)[i]))) as unknown as Matrix,
    centre: scale(0.3, randomPoint(random)),
    position,
    orientation: randomTurn(random),
    velocity: velocityAt(twist, position),
    angularVelocity: twist.angular,
  });
  return { body, position };
}
