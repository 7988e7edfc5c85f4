// Rolling and gliding joints, and user constraints.

import type { Body, BodyPose } from "nodrift/bodies";
import { both, frameFrom, type JointCase, turning } from "./joint-measures.js";
import { attach, type Moving, relative, stateOf, whereIs } from "./reading.js";
import { vectorFrom } from "./scene.js";
import {
  axesAlong,
  column,
  cross,
  dot,
  minus,
  norm,
  plus,
  scaled,
  unit,
  type V3,
} from "./vectors.js";

const RADIUS = 0.2;

/** A wheel on a plane of A: slip of its material point at the contact, and its height. */
export function wheel(isDisk: boolean): JointCase {
  return {
    rows: 3,
    onB: true,
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

/** Velocity of the material point of a body at a position. */
function velocityAt(at: Moving, body: Body, place: V3): V3 {
  const { r, v, omega } = stateOf(at, body);
  return plus(v, cross(omega, minus(place, r)));
}

export const knifeEdge: JointCase = {
  rows: 1,
  alone: true,
  onB: true,
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

/** A spherical joint as a user constraint. */
export const constraint: JointCase = {
  rows: 3,
  onB: true,
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
