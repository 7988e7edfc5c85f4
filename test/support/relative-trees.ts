// Trees of bodies: chains, a balanced tree and a humanoid, for figures and contests. All axes of bodies are initially
// parallel to those of the world, so that engines need no orientations.

import { type Body, type Inertia, type Model, model, type Vector } from "nodrift/bodies";
import { cross } from "./mechanisms.js";

const GRAVITY = [0, 0, -9.81] as const;

const X: Vector = [1, 0, 0];
const Y: Vector = [0, 1, 0];
const Z: Vector = [0, 0, 1];

/** The rod of `chain3d`: 1 m and 1 kg, square, 0.1 m thick, along an axis. */
function rodAlong(axis: Vector): { mass: number; inertia: Vector } {
  const [along, across] = [0.1 ** 2 / 6, (1 + 0.1 ** 2) / 12];
  const moment = (k: 0 | 1 | 2) => (axis[k] === 1 ? along : across);
  return { mass: 1, inertia: [moment(0), moment(1), moment(2)] };
}

/** Velocities of a body in a tree that rotates as a rigid body about the origin. */
function turning(omega: Vector, position: Vector) {
  const [x, y, z] = cross(omega, position);
  return { velocity: [x, y, z] as const, angularVelocity: omega };
}

/** Layout of a chain of hinges. */
export interface HingeChainOptions {
  /** "skew": z, y, x, z and so on. "parallel": all along y, so that it swings in a plane. Default: "skew". */
  readonly axes?: "skew" | "parallel";
  /** Rate of the first hinge, with which the chain rotates as one body. Default: 1 rad/s. */
  readonly rate?: number;
}

/** Rods in a row along x, each on a hinge at its near end; the first is joined to the ground at the origin. */
export function hingeChain(n: number, { axes = "skew", rate = 1 }: HingeChainOptions = {}): Model {
  const m = model({ name: `chain of ${n} hinges`, gravity: GRAVITY });
  const order = axes === "skew" ? [Z, Y, X] : [Y];
  const [first] = order;
  const omega: Vector = [rate * first[0], rate * first[1], rate * first[2]];
  let before = m.ground;
  for (let i = 0; i < n; i++) {
    const position: Vector = [i + 0.5, 0, 0];
    const rod = m.body({
      name: `rod ${i + 1}`,
      ...rodAlong(X),
      position,
      ...turning(omega, position),
    });
    const axis = order[i % order.length];
    m.revolute({ name: `hinge ${i + 1}`, between: [before, rod], at: [i, 0, 0], axis });
    before = rod;
  }
  return m;
}

/**
 * A balanced binary tree of n rods on hinges, at rest: rod i is joined to rod (i - 1) / 2, children extend to the
 * left and right of their parent, and hinge axes cycle through z, y, x from level to level.
 */
export function hingeTree(n: number): Model {
  const m = model({ name: `tree of ${n} hinges`, gravity: GRAVITY });
  const tips: Vector[] = [];
  const bodies: Body[] = [];
  for (let i = 0; i < n; i++) {
    const parent = Math.floor((i - 1) / 2);
    const at: Vector = i === 0 ? [0, 0, 0] : tips[parent];
    const depth = Math.floor(Math.log2(i + 1));
    // Left and right alternate with forwards, so that no rod lies on its parent.
    const along = depth % 2 === 0 ? X : Y;
    const side = i > 0 && i % 2 === 0 ? -1 : 1;
    const reach = (length: number): Vector => [
      at[0] + side * length * along[0],
      at[1] + side * length * along[1],
      at[2],
    ];
    const rod = m.body({
      name: `rod ${i + 1}`,
      ...rodAlong(along),
      position: reach(0.5),
      velocity: [0, 0, 0],
      angularVelocity: [0, 0, 0],
    });
    const between = [i === 0 ? m.ground : bodies[parent], rod] as const;
    m.revolute({ name: `hinge ${i + 1}`, between, at, axis: [Z, Y, X][depth % 3] });
    bodies.push(rod);
    tips.push(reach(1));
  }
  return m;
}

/** One part of the humanoid: its parent, and the positions of its hinge and centre of mass. */
interface Part {
  readonly name: string;
  readonly on: string;
  readonly at: Vector;
  readonly axis: Vector;
  readonly centre: Vector;
  readonly mass: number;
  /** Edge lengths of its box. */
  readonly box: Vector;
}

const legParts = (side: string, y: number): Part[] => [
  part(`${side} hip yaw`, "pelvis", [0, y, 0.9], Z, [0, y, 0.87], 1.5, [0.1, 0.1, 0.1]),
  part(`${side} hip roll`, `${side} hip yaw`, [0, y, 0.85], X, [0, y, 0.83], 1.5, [0.1, 0.1, 0.1]),
  part(`${side} thigh`, `${side} hip roll`, [0, y, 0.82], Y, [0, y, 0.65], 6, [0.14, 0.14, 0.4]),
  part(`${side} shin`, `${side} thigh`, [0, y, 0.45], Y, [0, y, 0.28], 3.5, [0.1, 0.1, 0.38]),
  part(`${side} ankle`, `${side} shin`, [0, y, 0.09], Y, [0, y, 0.08], 0.5, [0.06, 0.06, 0.06]),
  part(`${side} foot`, `${side} ankle`, [0, y, 0.07], X, [0.05, y, 0.03], 1, [0.24, 0.1, 0.05]),
];

const arm = (side: string, y: number): Part[] => [
  part(`${side} shoulder`, "torso", [0, y, 1.4], Y, [0, 1.1 * y, 1.4], 1, [0.1, 0.1, 0.1]),
  part(
    `${side} collar`,
    `${side} shoulder`,
    [0, 1.15 * y, 1.4],
    X,
    [0, 1.2 * y, 1.38],
    1,
    [0.09, 0.09, 0.1],
  ),
  part(
    `${side} upper arm`,
    `${side} collar`,
    [0, 1.2 * y, 1.35],
    Z,
    [0, 1.2 * y, 1.22],
    2,
    [0.09, 0.09, 0.28],
  ),
  part(
    `${side} forearm`,
    `${side} upper arm`,
    [0, 1.2 * y, 1.1],
    Y,
    [0, 1.2 * y, 0.95],
    1.5,
    [0.08, 0.08, 0.3],
  ),
];

function part(
  name: string,
  on: string,
  at: Vector,
  axis: Vector,
  centre: Vector,
  mass: number,
  box: Vector,
): Part {
  return { name, on, at, axis, centre, mass, box };
}

/** 23 hinges: six in each leg, one in the waist, two in the neck, four in each arm. */
const HUMANOID: readonly Part[] = [
  ...legParts("left", 0.1),
  ...legParts("right", -0.1),
  part("torso", "pelvis", [0, 0, 1.02], Z, [0, 0, 1.25], 18, [0.2, 0.3, 0.45]),
  part("neck", "torso", [0, 0, 1.48], Z, [0, 0, 1.52], 0.8, [0.08, 0.08, 0.08]),
  part("head", "neck", [0, 0, 1.55], Y, [0, 0, 1.65], 4, [0.18, 0.15, 0.22]),
  ...arm("left", 0.2),
  ...arm("right", -0.2),
];

function boxInertia(mass: number, [x, y, z]: Vector): Inertia {
  const k = mass / 12;
  return [k * (y * y + z * z), k * (x * x + z * z), k * (x * x + y * y)];
}

/**
 * A humanoid in the air: a free pelvis and 23 hinges, 24 bodies and 29 degrees of freedom. Upright with its arms
 * down, rotating as one body about the vertical. There is no floor.
 */
export function humanoid(): Model {
  const m = model({ name: "humanoid", gravity: GRAVITY });
  const bodies = new Map<string, Body>();
  const add = (name: string, mass: number, position: Vector, box: Vector) => {
    const inertia = boxInertia(mass, box);
    const body = m.body({ name, mass, inertia, position, ...turning([0, 0, 1], position) });
    bodies.set(name, body);
    return body;
  };
  add("pelvis", 9, [0, 0, 0.95], [0.16, 0.26, 0.14]);
  for (const { name, on, at, axis, centre, mass, box } of HUMANOID) {
    const body = add(name, mass, centre, box);
    const parent = bodies.get(on);
    if (parent === undefined) throw new Error(`${name} hangs on ${on}, which is not there`);
    m.revolute({ name: `${name} joint`, between: [parent, body], at, axis });
  }
  return m;
}
