// One case for each joint of the registry: how it is made between two bodies, and what it holds and
// leaves free, measured without the package.

import type { Body, BodyPose, Joint } from "nodrift/bodies";
import type { joints } from "../../../src/joints/index.js";
import {
  type Attached,
  attach,
  counted,
  type Moving,
  relative,
  stateOf,
  whereIs,
} from "./reading.js";
import { type Scene, vectorFrom } from "./scene.js";
import {
  axesAlong,
  column,
  cross,
  dot,
  type M3,
  minus,
  norm,
  plus,
  scaled,
  unit,
  type V3,
} from "./vectors.js";

/** What is measured at a state: what must be zero, and what must change. */
export interface Measured {
  readonly held: readonly number[];
  readonly free: readonly number[];
}

export type Measure = (at: Moving, t: number) => Measured;

export interface JointCase {
  /** Needs a third body. */
  readonly third?: boolean;
  /** Independent rows, with those of the joints it is built on. */
  readonly rows: number;
  /** A drive does work: energy is not kept. */
  readonly works?: boolean;
  /** Acts on B alone, whether A moves or not. */
  readonly alone?: boolean;
  /** Makes the joint; then, at the start, what measures it. */
  readonly make: (scene: Scene) => (start: Moving) => Measure;
}

const PITCH = 0.3;
const RATIO = -1.7;
const RADIUS = 0.2;
export const drive = (t: number) => 0.4 * Math.sin(3 * t);

const angleOf = (R: M3) => Math.atan2(R[1][0], R[0][0]);
const tilt = (R: M3) => [R[0][2], R[1][2]];
const turning = (R: M3) => [R[1][2], R[2][0], R[0][1]];
const noTurn = (R: M3) => [...turning(R), R[2][1], R[0][2], R[1][0]];

interface Frame {
  readonly at: V3;
  readonly axis: V3;
  readonly axes: M3;
}

function frameFrom({ random }: Scene): Frame {
  const [at, axis] = [vectorFrom(random), unit(vectorFrom(random))];
  return { at, axis, axes: axesAlong(axis) };
}

/** Frames on both bodies that coincide at the start. */
function both(start: Moving, a: Body, b: Body, { at, axes }: Frame): [Attached, Attached] {
  return [attach(start, a, at, axes), attach(start, b, at, axes)];
}

type Between = (d: V3, R: M3, angle: number) => { held: number[]; free: number[] };

/** A joint with a place and an axis between A and B. */
function between(
  rows: number,
  make: (scene: Scene, frame: Frame) => unknown,
  measure: Between,
): JointCase {
  return {
    rows,
    make(scene) {
      const frame = frameFrom(scene);
      make(scene, frame);
      return (start) => {
        const [a, b] = both(start, scene.a, scene.b, frame);
        const count = counted();
        return (at) => {
          const { d, R } = relative(at, a, b);
          return measure(d, R, count(angleOf(R)));
        };
      };
    },
  };
}

/** Two joints on A, of B and of C, and something that couples them. */
function coupling(
  second: "revolute" | "prismatic",
  couple: (scene: Scene, first: Joint, second: Joint) => unknown,
  mesh: (angle: number, other: number) => number,
): JointCase {
  return {
    third: true,
    rows: 11,
    make(scene) {
      const { m, a, b, c } = scene;
      const frames = [frameFrom(scene), frameFrom(scene)];
      const of = (index: number) => ({ at: frames[index].at, axis: frames[index].axis });
      const first = m.revolute({ between: [a, b], ...of(0) });
      couple(scene, first, m[second]({ between: [a, c], ...of(1) }));
      return (start) => {
        const [one, two] = [both(start, a, b, frames[0]), both(start, a, c, frames[1])];
        const counts = [counted(), counted()];
        return (at) => {
          const [x, y] = [relative(at, ...one), relative(at, ...two)];
          const angle = counts[0](angleOf(x.R));
          const isTurn = second === "revolute";
          const other = isTurn ? counts[1](angleOf(y.R)) : y.d[2];
          const held = isTurn ? [...y.d, ...tilt(y.R)] : [y.d[0], y.d[1], ...noTurn(y.R)];
          return {
            held: [...x.d, ...tilt(x.R), ...held, mesh(angle, other)],
            free: [angle, other],
          };
        };
      };
    },
  };
}

/** Two points apart. */
function points(
  make: (scene: Scene, ends: { atA: V3; atB: V3 }, length: number) => unknown,
  lengthAt: (start: number, t: number) => number,
): JointCase {
  return {
    rows: 1,
    make(scene) {
      const [atA, atB] = [vectorFrom(scene.random), vectorFrom(scene.random)];
      const length = norm(minus(atB, atA));
      make(scene, { atA, atB }, length);
      return (start) => {
        const [a, b] = [attach(start, scene.a, atA), attach(start, scene.b, atB)];
        return (at, t) => {
          const { d, R } = relative(at, a, b);
          return {
            held: [norm(d) - lengthAt(length, t)],
            free: [...scaled(1 / norm(d), d), ...turning(R)],
          };
        };
      };
    },
  };
}

/** A wheel on a plane of A: slip of its material point at the contact, and its height. */
function wheel(isDisk: boolean): JointCase {
  return {
    rows: 3,
    make(scene) {
      const { m, a, b, random } = scene;
      const [centre, normal, axis] = [
        vectorFrom(random),
        unit(vectorFrom(random)),
        unit(vectorFrom(random)),
      ];
      const below = isDisk ? norm(cross(normal, axis)) : 1;
      const along = scaled(0.4, unit(cross(normal, vectorFrom(random))));
      const point = plus(minus(centre, scaled(RADIUS * below, normal)), along);
      const options = { body: b, radius: RADIUS, centre, plane: { body: a, point, normal } };
      if (isDisk) m.rollingDisk({ ...options, axis });
      else m.rollingSphere(options);
      return (start) => {
        const plane = attach(start, a, point, axesAlong(normal));
        const hub = attach(start, b, centre, axesAlong(axis));
        return (at) => {
          const [floor, disk] = [whereIs(at, plane), whereIs(at, hub)];
          const [n, c] = [column(floor.R, 2), column(disk.R, 2)];
          const up = isDisk ? unit(minus(n, scaled(dot(n, c), c))) : n;
          const contact = minus(disk.p, scaled(RADIUS, up));
          const slip = minus(velocityAt(at, b, contact), velocityAt(at, a, contact));
          const { d, R } = relative(at, plane, hub);
          return {
            held: [
              dot(n, minus(contact, floor.p)),
              dot(slip, column(floor.R, 0)),
              dot(slip, column(floor.R, 1)),
            ],
            free: [d[0], d[1], ...turning(R)],
          };
        };
      };
    },
  };
}

/** Of the material point of a body that is at a place. */
function velocityAt(at: Moving, body: Body, place: V3): V3 {
  const { r, v, omega } = stateOf(at, body);
  return plus(v, cross(omega, minus(place, r)));
}

const knifeEdge: JointCase = {
  rows: 1,
  alone: true,
  make(scene) {
    const { m, b, random } = scene;
    const at = vectorFrom(random);
    const up = unit(vectorFrom(random));
    const direction = unit(cross(up, vectorFrom(random)));
    m.knifeEdge({ body: b, at, direction, up });
    return (start) => {
      const blade = attach(start, b, at, axesAlong(cross(up, direction)));
      const before = whereIs(start, blade).p;
      return (now) => {
        const { p, R, u } = whereIs(now, blade);
        return {
          held: [dot(u, column(R, 2))],
          free: [...minus(p, before), R[0][0], R[1][1], R[2][2]],
        };
      };
    };
  },
};

/** A ball and socket, written by the user. */
const constraint: JointCase = {
  rows: 3,
  make(scene) {
    const { m, a, b } = scene;
    const frame = frameFrom(scene);
    const bodies = a.index < 0 ? [b] : [a, b];
    const places = bodies.map((body) => {
      const { position, orientation } = m.data().bodies[body.index];
      return localOf(
        position as V3,
        orientation as unknown as [number, number, number, number],
        frame.at,
      );
    });
    m.constraint({
      bodies,
      rows: ["x", "y", "z"],
      value: (poses, out) => {
        out.set(bodies.length === 1 ? frame.at.map((x) => -x) : pointOf(poses[0], places[0], -1));
        const last = poses.length - 1;
        const point = pointOf(poses[last], places[last], 1);
        for (let i = 0; i < 3; i++) out[i] += point[i];
      },
    });
    return (start) => {
      const ends = both(start, a, b, frame);
      return (at) => {
        const { d, R } = relative(at, ...ends);
        return { held: d, free: turning(R) };
      };
    };
  },
};

/** sign (p + R x) */
function pointOf({ position: p, rotation: r }: BodyPose, x: V3, sign: number): V3 {
  const at = (i: number) => sign * (p[i] + r[i] * x[0] + r[3 + i] * x[1] + r[6 + i] * x[2]);
  return [at(0), at(1), at(2)];
}

function localOf(position: V3, e: [number, number, number, number], point: V3): V3 {
  const at = { q: Float64Array.of(...position, ...e), v: new Float64Array(6) };
  return attach(at, 0, point).arm;
}

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
    (d, R) => ({ held: [d[0], d[1], ...noTurn(R)], free: [d[2]] }),
  ),
  works: true,
};

/** What a drive makes of the motion it leaves to the joint is held too. */
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
    (d, R) => ({ held: [...d, ...noTurn(R)], free: [] }),
  ),
  revolute: between(
    5,
    ({ m, a, b }, { at, axis }) => m.revolute({ between: [a, b], at, axis }),
    (d, R, angle) => ({ held: [...d, ...tilt(R)], free: [angle] }),
  ),
  prismatic: between(
    5,
    ({ m, a, b }, { at, axis }) => m.prismatic({ between: [a, b], at, axis }),
    (d, R) => ({ held: [d[0], d[1], ...noTurn(R)], free: [d[2]] }),
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
