// One case for each joint of the registry: how it is created between two bodies, and which motions it holds and
// leaves free, measured without the package.

import type { joints } from "nodrift/bodies";
import {
  between,
  coupling,
  type JointCase,
  noRotation,
  points,
  tilt,
  turning,
} from "./joint-measures.js";
import { constraint, knifeEdge, wheel } from "./joint-special.js";
import { column } from "./vectors.js";

const PITCH = 0.3;
const RATIO = -1.7;
const RADIUS = 0.2;
const drive = (t: number) => 0.4 * Math.sin(3 * t);

const driveAngle: JointCase = {
  ...between(
    6,
    ({ m, a, b }, { at, axis }) =>
      m.driveAngle({ joint: m.revolute({ between: [a, b], at, axis }), angle: drive }),
    (d, R, angle) => ({ held: [...d, ...tilt(R)], free: [angle] }),
  ),
  works: true,
};

const driveDisplacement: JointCase = {
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

export const jointCases: Record<keyof typeof joints, JointCase> = {
  fixed: between(
    6,
    ({ m, a, b }, { at, axis }) => m.fixed({ between: [a, b], at, axis }),
    (d, R) => ({ held: [...d, ...noRotation(R)], free: [] }),
  ),
  revolute: between(
    5,
    ({ m, a, b }, { at, axis }) => m.revolute({ between: [a, b], at, axis }),
    (d, R, angle) => ({ held: [...d, ...tilt(R)], free: [angle] }),
  ),
  prismatic: between(
    5,
    ({ m, a, b }, { at, axis }) => m.prismatic({ between: [a, b], at, axis }),
    (d, R) => ({ held: [d[0], d[1], ...noRotation(R)], free: [d[2]] }),
  ),
  cylindrical: between(
    4,
    ({ m, a, b }, { at, axis }) => m.cylindrical({ between: [a, b], at, axis }),
    (d, R, angle) => ({ held: [d[0], d[1], ...tilt(R)], free: [d[2], angle] }),
  ),
  spherical: between(
    3,
    ({ m, a, b }, { at }) => m.spherical({ between: [a, b], at }),
    (d, R) => ({ held: d, free: turning(R) }),
  ),
  universal: between(
    4,
    ({ m, a, b }, { at, axes }) =>
      m.universal({ between: [a, b], at, axisA: column(axes, 2), axisB: column(axes, 0) }),
    (d, R) => ({ held: [...d, R[2][0]], free: [R[0][1], R[1][2]] }),
  ),
  planar: between(
    3,
    ({ m, a, b }, { at, axis }) => m.planar({ between: [a, b], at, axis }),
    (d, R, angle) => ({ held: [d[2], ...tilt(R)], free: [d[0], d[1], angle] }),
  ),
  parallel: between(
    2,
    ({ m, a, b }, { axis }) => m.parallel({ between: [a, b], axis }),
    (d, R, angle) => ({ held: [...tilt(R)], free: [...d, angle] }),
  ),
  perpendicular: between(
    1,
    ({ m, a, b }, { axes }) =>
      m.perpendicular({ between: [a, b], axisA: column(axes, 2), axisB: column(axes, 0) }),
    (d, R) => ({ held: [R[2][0]], free: [...d, R[0][1], R[1][2]] }),
  ),
  screw: between(
    5,
    ({ m, a, b }, { at, axis }) => m.screw({ between: [a, b], at, axis, pitch: PITCH }),
    (d, R, angle) => ({
      held: [d[0], d[1], ...tilt(R), d[2] - (PITCH / (2 * Math.PI)) * angle],
      free: [d[2], angle],
    }),
  ),
  distance: points(
    ({ m, a, b }, ends) => m.distance({ between: [a, b], ...ends }),
    (length) => length,
  ),
  pointOnLine: between(
    2,
    ({ m, a, b }, { at, axis }) => m.pointOnLine({ between: [a, b], at, axis }),
    (d, R) => ({ held: [d[0], d[1]], free: [d[2], ...turning(R)] }),
  ),
  pointOnPlane: between(
    1,
    ({ m, a, b }, { at, axis }) => m.pointOnPlane({ between: [a, b], at, axis }),
    (d, R) => ({ held: [d[2]], free: [d[0], d[1], ...turning(R)] }),
  ),
  gear: coupling(
    "revolute",
    ({ m }, first, second) => m.gear({ joints: [first, second], ratio: RATIO }),
    (angle, other) => RATIO * angle - other,
  ),
  rackAndPinion: coupling(
    "prismatic",
    ({ m }, pinion, rack) => m.rackAndPinion({ pinion, rack, radius: RADIUS }),
    (angle, other) => RADIUS * angle - other,
  ),
  driveAngle: driven(driveAngle),
  driveDisplacement: driven(driveDisplacement),
  driveLength: {
    ...points(
      ({ m, a, b }, ends, length) =>
        m.driveLength({ between: [a, b], ...ends, length: (t) => length + drive(t) / 2 }),
      (length, t) => length + drive(t) / 2,
    ),
    works: true,
  },
  rollingDisk: wheel(true),
  rollingSphere: wheel(false),
  knifeEdge,
  constraint,
};
