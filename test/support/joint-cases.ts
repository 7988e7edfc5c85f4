// Test cases of joints: all that tests need to know about a type. A joint of the registry without an entry here does
// not compile. Examples are calls with valid options: figures compare them with finite differences, invalid calls are
// derived from them, and docs/joints.md counts their rows.

import { type Body, type JointMethods, type joints, type Model, model } from "nodrift/bodies";
import { type FunctionSet, type JsonObject, timeFunction } from "nodrift/files";
import type { Handles, Needed } from "../files/support/scene.js";
import {
  between,
  coupling,
  type JointCase,
  noRotation,
  points as pointMotion,
  tilt,
  turning,
} from "../mechanisms/support/joint-measures.js";
import {
  constraint as constraintMotion,
  knifeEdge as knifeEdgeMotion,
  wheel as wheelMotion,
} from "../mechanisms/support/joint-special.js";
import { column } from "../mechanisms/support/vectors.js";

export interface Pair {
  readonly m: Model;
  readonly a: Body;
  readonly b: Body;
}

/** Two free bodies, at positions that fit every example. */
export function freePair(name = "bench"): Pair {
  const m = model({ name, gravity: [0, 0, 0] });
  const [a, b] = [
    m.body({ name: "a", mass: 1.5, inertia: [0.4, 0.5, 0.7], position: [0, 0, 0.65] }),
    m.body({ name: "b", mass: 1.5, inertia: [0.4, 0.5, 0.7], position: [1, 0.6, 1.1] }),
  ];
  return { m, a, b };
}

// Parts of examples.

// Created each time, because mutations write into them.
export const examplePoint = () => [0.4, -0.3, 0.5] as const;
export const exampleAxis = () => [0.3, 1, -0.4] as const;
export const frame = () => ({ at: examplePoint(), axis: exampleAxis() });
const framedExample = ({ a, b }: Pair) => ({
  between: [a, b] as const,
  ...frame(),
  compliance: 1e-9,
});
const crossedExample = ({ a, b }: Pair) =>
  ({ between: [a, b], at: examplePoint(), axisA: [1, 2, 0], axisB: [-2, 1, 1] }) as const;
export const hinge = ({ m, a }: Pair) =>
  m.revolute({ name: "hinge", between: [m.ground, a], ...frame() });
const turn = ({ m, a, b }: Pair) => m.revolute({ name: "turn", between: [a, b], ...frame() });
const slide = ({ m, a, b }: Pair) =>
  m.prismatic({ name: "slide", between: [a, b], axis: exampleAxis() });
const plane = () => ({ point: [0, 0, -0.1], normal: [0, 0, 1] }) as const;

/** One entry, and the options of the call that makes the same. */
export interface Case<Options> {
  readonly entry: JsonObject;
  readonly options: (handles: Handles, functions: FunctionSet) => Options;
  /** Joints that it refers to. */
  readonly needs?: readonly Needed[];
}

// Parts of entries of files.

const at = [0.7, 0.2, 0.4] as const;
const axis = [0.2, -0.3, 1] as const;
const tip = { marker: "tip", of: "a" };
const hub = { marker: "hub", of: "b" };
const base = { marker: "base", of: "ground" };

/** Between the bodies at a frame of the world, and between markers. */
const framed = (compliance: number | Readonly<Record<string, number>>) => [
  {
    entry: { between: ["a", "b"], at, axis, compliance },
    options: ({ a, b }: Handles) => ({ between: [a, b] as const, at, axis, compliance }),
  },
  {
    entry: { between: [base, "b"] },
    options: ({ base: ground, b }: Handles) => ({ between: [ground, b] as const }),
  },
];

const crossed = {
  entry: { between: ["a", "b"], at, axisA: [1, 0, 0], axisB: [0, 1, 2], compliance: 1e-6 },
  options: ({ a, b }: Handles) => ({
    between: [a, b] as const,
    at,
    axisA: [1, 0, 0] as const,
    axisB: [0, 1, 2] as const,
    compliance: 1e-6,
  }),
};

const points = {
  entry: { atA: [0.2, 0.1, 0.9], atB: [1.3, 0.2, 0.7] },
  options: { atA: [0.2, 0.1, 0.9], atB: [1.3, 0.2, 0.7] },
} as const;

const wheel = [
  {
    entry: {
      body: "b",
      radius: 0.3,
      centre: [1.1, 0.1, 0.6],
      plane: { point: [0, 0, 0.3], normal: [0.1, 0, 1], body: "a" },
      compliance: { height: 1e-6 },
    },
    options: ({ a, b }: Handles) => ({
      body: b,
      radius: 0.3,
      centre: [1.1, 0.1, 0.6] as const,
      plane: { point: [0, 0, 0.3], normal: [0.1, 0, 1], body: a } as const,
      compliance: { height: 1e-6 },
    }),
  },
  {
    entry: { body: hub, radius: 0.4, plane: base },
    options: ({ hub: body, base: plane }: Handles) => ({ body, radius: 0.4, plane }),
  },
];

// Motions, measured without the package.

const PITCH = 0.3;
const RATIO = -1.7;
const RADIUS = 0.2;
const drive = (t: number) => 0.4 * Math.sin(3 * t);

const driveAngleMotion: JointCase = {
  ...between(
    6,
    ({ m, a, b }, { at, axis }) =>
      m.driveAngle({ joint: m.revolute({ between: [a, b], at, axis }), angle: drive }),
    (d, R, angle) => ({ held: [...d, ...tilt(R)], free: [angle] }),
  ),
  works: true,
};

const driveDisplacementMotion: JointCase = {
  ...between(
    6,
    ({ m, a, b }, { at, axis }) =>
      m.driveDisplacement({
        joint: m.prismatic({ between: [a, b], at, axis }),
        displacement: drive,
      }),
    (d, R) => ({ held: [d[0], d[1], ...noRotation(R)], free: [d[2]] }),
  ),
  works: true,
};

/** A joint with a drive, which also holds the driven motion. */
function driven(base: JointCase): JointCase {
  return {
    ...base,
    make: (scene) => {
      const begin = base.make(scene);
      return (start) => {
        const measure = begin(start);
        return (at, t) => {
          const { held, free } = measure(at, t);
          return { held: [...held, free[0] - drive(t)], free };
        };
      };
    },
  };
}

// Rows as text: their names, the kind of the row, its axes and the unit of its multipliers.

const TRANSVERSE = ["transverse 1, DOT2, 0, 0, force", "transverse 2, DOT2, 1, 0, force"];
const AXIAL = "axial, DOT2, 2, 0, force";
const TILTS = ["tilt 1, DOT1, 0, 2, torque", "tilt 2, DOT1, 1, 2, torque"];
const TURNS = [
  "turn x, DOT1, 1, 2, torque",
  "turn y, DOT1, 2, 0, torque",
  "turn z, DOT1, 0, 1, torque",
];
const THREE = "x y z, COINCIDE, 0, 0, force";

interface TypeCases<Options> {
  /** A valid call, on two bodies. */
  readonly example: (pair: Pair) => Options;
  /** Its rows, and the quantities it measures. */
  readonly rows: readonly string[];
  readonly sensors: readonly string[];
  /** The motions that it constrains and leaves free. */
  readonly motion: JointCase;
  /** Every option, in a file and in a call; empty if a file cannot contain this call. */
  readonly files: readonly Case<Options>[];
}

export const jointCases: {
  readonly [Type in keyof typeof joints]: TypeCases<Parameters<Model[Type]>[0]>;
} = {
  fixed: {
    example: framedExample,
    rows: ["x, DOT2, 0, 0, force", "y, DOT2, 1, 0, force", "z, DOT2, 2, 0, force", ...TURNS],
    sensors: [],
    motion: between(
      6,
      ({ m, a, b }, { at, axis }) => m.fixed({ between: [a, b], at, axis }),
      (d, R) => ({ held: [...d, ...noRotation(R)], free: [] }),
    ),
    files: [
      ...framed({ "turn x": 1e-7 }),
      {
        entry: { between: ["ground", "a"] },
        options: ({ ground, a }) => ({ between: [ground, a] }),
      },
    ],
  },
  revolute: {
    example: (pair) => ({ name: "r", ...framedExample(pair) }),
    rows: [...TRANSVERSE, AXIAL, ...TILTS],
    sensors: ["angle"],
    motion: between(
      5,
      ({ m, a, b }, { at, axis }) => m.revolute({ between: [a, b], at, axis }),
      (d, R, angle) => ({ held: [...d, ...tilt(R)], free: [angle] }),
    ),
    files: framed({ axial: 1e-6, "tilt 1": 2e-6 }),
  },
  prismatic: {
    example: framedExample,
    rows: [...TRANSVERSE, ...TURNS],
    sensors: ["displacement"],
    motion: between(
      5,
      ({ m, a, b }, { at, axis }) => m.prismatic({ between: [a, b], at, axis }),
      (d, R) => ({ held: [d[0], d[1], ...noRotation(R)], free: [d[2]] }),
    ),
    files: framed(1e-7),
  },
  cylindrical: {
    example: framedExample,
    rows: [...TRANSVERSE, ...TILTS],
    sensors: ["angle", "displacement"],
    motion: between(
      4,
      ({ m, a, b }, { at, axis }) => m.cylindrical({ between: [a, b], at, axis }),
      (d, R, angle) => ({ held: [d[0], d[1], ...tilt(R)], free: [d[2], angle] }),
    ),
    files: framed({ "tilt 2": 1e-6 }),
  },
  spherical: {
    example: ({ a, b }) => ({ between: [a, b], at: examplePoint() }),
    rows: [THREE],
    sensors: [],
    motion: between(
      3,
      ({ m, a, b }, { at }) => m.spherical({ between: [a, b], at }),
      (d, R) => ({ held: d, free: turning(R) }),
    ),
    files: [
      {
        entry: { between: ["a", "b"], at, compliance: { x: 1e-6 } },
        options: ({ a, b }) => ({ between: [a, b], at, compliance: { x: 1e-6 } }),
      },
      {
        entry: { between: [tip, hub] },
        options: ({ tip: from, hub: to }) => ({ between: [from, to] }),
      },
    ],
  },
  universal: {
    example: crossedExample,
    rows: [THREE, "cross, DOT1, 2, 2, torque"],
    sensors: [],
    motion: between(
      4,
      ({ m, a, b }, { at, axes }) =>
        m.universal({ between: [a, b], at, axisA: column(axes, 2), axisB: column(axes, 0) }),
      (d, R) => ({ held: [...d, R[2][0]], free: [R[0][1], R[1][2]] }),
    ),
    files: [crossed],
  },
  planar: {
    example: framedExample,
    rows: [AXIAL, ...TILTS],
    sensors: ["angle"],
    motion: between(
      3,
      ({ m, a, b }, { at, axis }) => m.planar({ between: [a, b], at, axis }),
      (d, R, angle) => ({ held: [d[2], ...tilt(R)], free: [d[0], d[1], angle] }),
    ),
    files: framed({ axial: 3e-6 }),
  },
  parallel: {
    example: framedExample,
    rows: TILTS,
    sensors: ["angle"],
    motion: between(
      2,
      ({ m, a, b }, { axis }) => m.parallel({ between: [a, b], axis }),
      (d, R, angle) => ({ held: [...tilt(R)], free: [...d, angle] }),
    ),
    files: framed({ "tilt 1": 3e-6 }),
  },
  perpendicular: {
    example: crossedExample,
    rows: ["right angle, DOT1, 2, 2, torque"],
    sensors: [],
    motion: between(
      1,
      ({ m, a, b }, { axes }) =>
        m.perpendicular({ between: [a, b], axisA: column(axes, 2), axisB: column(axes, 0) }),
      (d, R) => ({ held: [R[2][0]], free: [...d, R[0][1], R[1][2]] }),
    ),
    files: [
      crossed,
      {
        entry: { between: ["a", "b"], axisA: [1, 0, 0], axisB: [0, 1, 0] },
        options: ({ a, b }) => ({ between: [a, b], axisA: [1, 0, 0], axisB: [0, 1, 0] }),
      },
    ],
  },
  screw: {
    example: (pair) => ({ ...framedExample(pair), pitch: 0.3 }),
    rows: [...TRANSVERSE, ...TILTS, "thread, COUPLE, 0, 0, force"],
    sensors: ["angle", "displacement"],
    motion: between(
      5,
      ({ m, a, b }, { at, axis }) => m.screw({ between: [a, b], at, axis, pitch: PITCH }),
      (d, R, angle) => ({
        held: [d[0], d[1], ...tilt(R), d[2] - (PITCH / (2 * Math.PI)) * angle],
        free: [d[2], angle],
      }),
    ),
    files: framed({ thread: 1e-6 }).map(({ entry, options }) => ({
      entry: { ...entry, pitch: 0.3 },
      options: (handles) => ({ ...options(handles), pitch: 0.3 }),
    })),
  },
  distance: {
    example: ({ a, b }) => ({ between: [a, b], atA: [0, 0, 0], atB: examplePoint(), length: 1 }),
    rows: ["length, DISTANCE, 0, 0, force"],
    sensors: ["length"],
    motion: pointMotion(
      ({ m, a, b }, ends) => m.distance({ between: [a, b], ...ends }),
      (length) => length,
    ),
    files: [
      {
        entry: { between: ["a", "b"], ...points.entry, length: 1.2, compliance: 1e-6 },
        options: ({ a, b }) => ({
          between: [a, b],
          ...points.options,
          length: 1.2,
          compliance: 1e-6,
        }),
      },
      {
        entry: { between: [tip, hub] },
        options: ({ tip: from, hub: to }) => ({ between: [from, to] }),
      },
    ],
  },
  pointOnLine: {
    example: framedExample,
    rows: TRANSVERSE,
    sensors: ["displacement"],
    motion: between(
      2,
      ({ m, a, b }, { at, axis }) => m.pointOnLine({ between: [a, b], at, axis }),
      (d, R) => ({ held: [d[0], d[1]], free: [d[2], ...turning(R)] }),
    ),
    files: framed(1e-6),
  },
  pointOnPlane: {
    example: framedExample,
    rows: [AXIAL],
    sensors: [],
    motion: between(
      1,
      ({ m, a, b }, { at, axis }) => m.pointOnPlane({ between: [a, b], at, axis }),
      (d, R) => ({ held: [d[2]], free: [d[0], d[1], ...turning(R)] }),
    ),
    files: framed(1e-6),
  },
  gear: {
    example: (pair) => ({ joints: [hinge(pair), turn(pair)], ratio: -1.7 }),
    rows: ["mesh, COUPLE, 0, 0, torque"],
    sensors: [],
    motion: coupling(
      "revolute",
      ({ m }, first, second) => m.gear({ joints: [first, second], ratio: RATIO }),
      (angle, other) => RATIO * angle - other,
    ),
    files: [
      {
        entry: { joints: ["hinge", "turn"], ratio: -1.7, compliance: 1e-5 },
        options: ({ hinge, turn }) => ({ joints: [hinge, turn], ratio: -1.7, compliance: 1e-5 }),
        needs: ["hinge", "turn"],
      },
    ],
  },
  rackAndPinion: {
    example: (pair) => ({ pinion: hinge(pair), rack: slide(pair), radius: 0.1 }),
    rows: ["mesh, COUPLE, 0, 0, force"],
    sensors: [],
    motion: coupling(
      "prismatic",
      ({ m }, pinion, rack) => m.rackAndPinion({ pinion, rack, radius: RADIUS }),
      (angle, other) => RADIUS * angle - other,
    ),
    files: [
      {
        entry: { pinion: "hinge", rack: "slide", radius: 0.2, compliance: { mesh: 1e-5 } },
        options: ({ hinge: pinion, slide: rack }) => ({
          pinion,
          rack,
          radius: 0.2,
          compliance: { mesh: 1e-5 },
        }),
        needs: ["hinge", "slide"],
      },
    ],
  },
  driveAngle: {
    example: (pair) => ({ joint: hinge(pair), angle: 0.3 }),
    rows: ["angle, COUPLE, 0, 0, torque"],
    sensors: ["angle"],
    motion: driven(driveAngleMotion),
    files: [
      {
        entry: { joint: "hinge", angle: "wave(t) - wave(0)", compliance: { angle: 1e-5 } },
        options: ({ hinge }, functions) => ({
          joint: hinge,
          angle: timeFunction("wave(t) - wave(0)", functions),
          compliance: { angle: 1e-5 },
        }),
        needs: ["hinge"],
      },
      {
        entry: { joint: "hinge", angle: 0 },
        options: ({ hinge }) => ({ joint: hinge, angle: 0 }),
        needs: ["hinge"],
      },
    ],
  },
  driveDisplacement: {
    example: (pair) => ({
      joint: slide(pair),
      displacement: { value: () => 0.2, rate: () => 0, acceleration: () => 0 },
    }),
    rows: ["displacement, COUPLE, 0, 0, force"],
    sensors: ["displacement"],
    motion: driven(driveDisplacementMotion),
    files: [
      {
        entry: {
          joint: "slide",
          displacement: { table: { x: [0, 0.5, 1], y: [0, 0.1, 0], outside: "repeat" } },
          compliance: 1e-5,
        },
        options: ({ slide }) => ({
          joint: slide,
          displacement: timeFunction({
            table: { x: [0, 0.5, 1], y: [0, 0.1, 0], outside: "repeat" },
          }),
          compliance: 1e-5,
        }),
        needs: ["slide"],
      },
    ],
  },
  driveLength: {
    example: ({ a, b }) => ({ between: [a, b], atB: examplePoint(), length: 1 }),
    rows: ["length, DISTANCE, 0, 0, force"],
    sensors: ["length"],
    motion: {
      ...pointMotion(
        ({ m, a, b }, ends, length) =>
          m.driveLength({ between: [a, b], ...ends, length: (t) => length + drive(t) / 2 }),
        (length, t) => length + drive(t) / 2,
      ),
      works: true,
    },
    files: [
      {
        entry: { between: ["a", "b"], ...points.entry, length: "1.1 + 0.1*t^2", compliance: 1e-5 },
        options: ({ a, b }) => ({
          between: [a, b],
          ...points.options,
          length: timeFunction("1.1 + 0.1*t^2"),
          compliance: 1e-5,
        }),
      },
    ],
  },
  rollingDisk: {
    example: ({ a }) => ({
      body: a,
      radius: 0.7,
      axis: exampleAxis(),
      centre: [0, 0, 0.5],
      plane: plane(),
    }),
    rows: [
      "height, WHEEL_HEIGHT, 0, 1, force",
      "rolling 1, ROLLING, 0, 1, force",
      "rolling 2, ROLLING, 1, 1, force",
    ],
    sensors: [],
    motion: wheelMotion(true),
    files: [
      ...wheel.slice(0, 1).map(({ entry, options }) => ({
        entry: { ...entry, axis: [0, 1, 0.3] },
        options: (handles: Handles) => ({ ...options(handles), axis: [0, 1, 0.3] as const }),
      })),
      ...wheel.slice(1),
    ],
  },
  rollingSphere: {
    example: ({ a }) => ({ body: a, radius: 0.7, centre: [0, 0, 0.5], plane: plane() }),
    rows: [
      "height, WHEEL_HEIGHT, 0, 0, force",
      "rolling 1, ROLLING, 0, 0, force",
      "rolling 2, ROLLING, 1, 0, force",
    ],
    sensors: [],
    motion: wheelMotion(false),
    files: wheel,
  },
  knifeEdge: {
    example: ({ a }) => ({ body: a, at: examplePoint(), direction: [1, 0.5, 0], up: [0, 0, 1] }),
    rows: ["lateral, KNIFE_EDGE, 1, 0, force"],
    sensors: [],
    motion: knifeEdgeMotion,
    files: [
      {
        entry: { body: "a", at, direction: [1, 0.2, 0], up: [0, 0.1, 1], compliance: 1e-6 },
        options: ({ a }) => ({
          body: a,
          at,
          direction: [1, 0.2, 0],
          up: [0, 0.1, 1],
          compliance: 1e-6,
        }),
      },
      { entry: { body: tip }, options: ({ tip: body }) => ({ body }) },
    ],
  },
  constraint: {
    example: ({ a, b }) => ({
      bodies: [a, b],
      rows: ["row"],
      value: ([first, second]) => [first.position[0] - second.position[1]],
    }),
    rows: [],
    sensors: [],
    motion: constraintMotion,
    files: [],
  },
};

/** Adds the example of a joint, on the joints it needs. */
export function addExample(type: keyof JointMethods, pair: Pair): void {
  const add = pair.m[type] as (options: object) => unknown;
  add(jointCases[type].example(pair));
}
