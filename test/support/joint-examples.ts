// One call of each joint and each force, with valid options: figures compare them with finite differences, invalid
// calls are derived from them, and docs/joints.md counts their rows. An entry of the registry without a line here
// does not compile.

import { type Body, type ForceMethods, type JointMethods, type Model, model } from "nodrift/bodies";

export interface Pair {
  readonly m: Model;
  readonly a: Body;
  readonly b: Body;
}

type Examples<Methods> = {
  readonly [Type in keyof Methods]: (
    pair: Pair,
  ) => Methods[Type] extends (options: infer Options) => unknown ? Options : never;
};

/** Two free bodies, at positions that fit every example. */
export function freePair(name = "bench"): Pair {
  const m = model({ name, gravity: [0, 0, 0] });
  const [a, b] = [
    m.body({ name: "a", mass: 1.5, inertia: [0.4, 0.5, 0.7], position: [0, 0, 0.65] }),
    m.body({ name: "b", mass: 1.5, inertia: [0.4, 0.5, 0.7], position: [1, 0.6, 1.1] }),
  ];
  return { m, a, b };
}

// Created each time, because mutations write into them.
const at = () => [0.4, -0.3, 0.5] as const;
const axis = () => [0.3, 1, -0.4] as const;
const frame = () => ({ at: at(), axis: axis() });
const framed = ({ a, b }: Pair) => ({ between: [a, b] as const, ...frame(), compliance: 1e-9 });
const crossed = ({ a, b }: Pair) =>
  ({ between: [a, b], at: at(), axisA: [1, 2, 0], axisB: [-2, 1, 1] }) as const;
const hinge = ({ m, a }: Pair) => m.revolute({ name: "hinge", between: [m.ground, a], ...frame() });
const turn = ({ m, a, b }: Pair) => m.revolute({ name: "turn", between: [a, b], ...frame() });
const slide = ({ m, a, b }: Pair) => m.prismatic({ name: "slide", between: [a, b], axis: axis() });
const plane = () => ({ point: [0, 0, -0.1], normal: [0, 0, 1] }) as const;

export const jointExamples: Examples<JointMethods> = {
  fixed: framed,
  revolute: (pair) => ({ name: "r", ...framed(pair) }),
  prismatic: framed,
  cylindrical: framed,
  spherical: ({ a, b }) => ({ between: [a, b], at: at() }),
  universal: crossed,
  planar: framed,
  parallel: framed,
  perpendicular: crossed,
  screw: (pair) => ({ ...framed(pair), pitch: 0.3 }),
  distance: ({ a, b }) => ({ between: [a, b], atA: [0, 0, 0], atB: at(), length: 1 }),
  pointOnLine: framed,
  pointOnPlane: framed,
  gear: (pair) => ({ joints: [hinge(pair), turn(pair)], ratio: -1.7 }),
  rackAndPinion: (pair) => ({ pinion: hinge(pair), rack: slide(pair), radius: 0.1 }),
  driveAngle: (pair) => ({ joint: hinge(pair), angle: 0.3 }),
  driveDisplacement: (pair) => ({
    joint: slide(pair),
    displacement: { value: () => 0.2, rate: () => 0, acceleration: () => 0 },
  }),
  driveLength: ({ a, b }) => ({ between: [a, b], atB: at(), length: 1 }),
  rollingDisk: ({ a }) => ({
    body: a,
    radius: 0.7,
    axis: axis(),
    centre: [0, 0, 0.5],
    plane: plane(),
  }),
  rollingSphere: ({ a }) => ({ body: a, radius: 0.7, centre: [0, 0, 0.5], plane: plane() }),
  knifeEdge: ({ a }) => ({ body: a, at: at(), direction: [1, 0.5, 0], up: [0, 0, 1] }),
  constraint: ({ a, b }) => ({
    bodies: [a, b],
    rows: ["row"],
    value: ([first, second]) => [first.position[0] - second.position[1]],
  }),
};

export const forceExamples: Examples<ForceMethods> = {
  pointForce: ({ a }) => ({ on: a, at: at(), force: [1, 0, 0], frame: "world" }),
  torque: ({ a }) => ({ on: a, torque: [1, 0, 0], frame: "body" }),
  spring: ({ a, b }) => ({ between: [a, b], stiffness: 10, damping: 1, length: 1 }),
  torsionSpring: (pair) => ({ joint: hinge(pair), stiffness: 1, damping: 1, angle: 0 }),
  motor: (pair) => ({
    joint: hinge(pair),
    mode: "position",
    target: 0.2,
    stiffness: 5,
    damping: 1,
    maximumTorque: 3,
    gearRatio: 2,
    efficiency: 0.9,
  }),
  bushing: ({ a, b }) => ({
    between: [a, b],
    ...frame(),
    stiffness: [1, 1, 1, 1, 1, 1],
    damping: [1, 1, 1, 1, 1, 1],
  }),
  drag: ({ a }) => ({ on: a, linear: 1, angular: 1 }),
  tyre: ({ a }) => ({
    wheel: a,
    radius: 0.3,
    stiffness: 1e5,
    damping: 10,
    height: (x: number) => 0 * x,
  }),
  stop: (pair) => ({ joint: hinge(pair), lower: -1, upper: 1, stiffness: 1e3, damping: 0.1 }),
  friction: (pair) => ({
    joint: hinge(pair),
    coulomb: 1,
    static: 2,
    viscous: 0.1,
    transitionSpeed: 0.01,
  }),
};

/** Adds the example of a joint, on the joints it needs. */
export function addExample(type: keyof JointMethods, pair: Pair): void {
  const add = pair.m[type] as (options: object) => unknown;
  add(jointExamples[type](pair));
}
