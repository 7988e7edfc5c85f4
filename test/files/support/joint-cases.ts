// Joints and drives with every option they have, as entries of files and as options of calls.

import type { joints, Model } from "nodrift/bodies";
import { type FunctionSet, type JsonObject, timeFunction } from "nodrift/files";
import type { Handles, Needed } from "./scene.js";

export type JointType = Exclude<keyof typeof joints, "constraint">;

/** One entry, and the options of the call that makes the same. */
export interface Case<Options> {
  readonly entry: JsonObject;
  readonly options: (handles: Handles, functions: FunctionSet) => Options;
  /** Joints that it refers to. */
  readonly needs?: readonly Needed[];
}

type Cases = {
  readonly [Type in JointType]: readonly Case<Parameters<Model[Type]>[0]>[];
};

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

export const jointCases: Cases = {
  fixed: [
    ...framed({ "turn x": 1e-7 }),
    { entry: { between: ["ground", "a"] }, options: ({ ground, a }) => ({ between: [ground, a] }) },
  ],
  revolute: framed({ axial: 1e-6, "tilt 1": 2e-6 }),
  prismatic: framed(1e-7),
  cylindrical: framed({ "tilt 2": 1e-6 }),
  spherical: [
    {
      entry: { between: ["a", "b"], at, compliance: { x: 1e-6 } },
      options: ({ a, b }) => ({ between: [a, b], at, compliance: { x: 1e-6 } }),
    },
    {
      entry: { between: [tip, hub] },
      options: ({ tip: from, hub: to }) => ({ between: [from, to] }),
    },
  ],
  universal: [crossed],
  planar: framed({ axial: 3e-6 }),
  parallel: framed({ "tilt 1": 3e-6 }),
  perpendicular: [
    crossed,
    {
      entry: { between: ["a", "b"], axisA: [1, 0, 0], axisB: [0, 1, 0] },
      options: ({ a, b }) => ({ between: [a, b], axisA: [1, 0, 0], axisB: [0, 1, 0] }),
    },
  ],
  screw: framed({ thread: 1e-6 }).map(({ entry, options }) => ({
    entry: { ...entry, pitch: 0.3 },
    options: (handles) => ({ ...options(handles), pitch: 0.3 }),
  })),
  distance: [
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
  pointOnLine: framed(1e-6),
  pointOnPlane: framed(1e-6),
  gear: [
    {
      entry: { joints: ["hinge", "turn"], ratio: -1.7, compliance: 1e-5 },
      options: ({ hinge, turn }) => ({ joints: [hinge, turn], ratio: -1.7, compliance: 1e-5 }),
      needs: ["hinge", "turn"],
    },
  ],
  rackAndPinion: [
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
  driveAngle: [
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
  driveDisplacement: [
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
  driveLength: [
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
  rollingDisk: [
    ...wheel.slice(0, 1).map(({ entry, options }) => ({
      entry: { ...entry, axis: [0, 1, 0.3] },
      options: (handles: Handles) => ({ ...options(handles), axis: [0, 1, 0.3] as const }),
    })),
    ...wheel.slice(1),
  ],
  rollingSphere: wheel,
  knifeEdge: [
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
};
