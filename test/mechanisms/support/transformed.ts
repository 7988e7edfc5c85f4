// A mechanism with loops, springs and many kinds of joints, which can be described in another frame, in
// other units and in another order.

import { type Body, type Model, model } from "nodrift/bodies";
import { seeded } from "../../support/random.js";
import { randomBody, vectorFrom } from "./scene.js";
import {
  after,
  type M3,
  plus,
  type Quaternion,
  rotation,
  scaled,
  times,
  turnAbout,
  unit,
  type V3,
} from "./vectors.js";

export interface Description {
  /** Rotation of the whole model, followed by a shift. */
  readonly turn: Quaternion;
  readonly shift: V3;
  /** New units contained in a metre, a kilogram and a second. */
  readonly metre: number;
  readonly kilogram: number;
  readonly second: number;
  /** Order of bodies, and of joints and forces. */
  readonly bodies: readonly number[];
  readonly joints: readonly number[];
}

export const ORIGINAL: Description = {
  turn: [1, 0, 0, 0],
  shift: [0, 0, 0],
  metre: 1,
  kilogram: 1,
  second: 1,
  bodies: [0, 1, 2, 3, 4],
  joints: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
};

/** Returns the mechanism, and its bodies in the original order. */
export function linkage(description: Description): { m: Model; bodies: Body[] } {
  const { turn, shift, metre, kilogram, second } = description;
  const R = rotation(turn);
  const newton = (kilogram * metre) / second ** 2;
  const direction = (x: V3) => times(R, x);
  const length = (x: V3) => scaled(metre, times(R, x));
  const point = (x: V3) => plus(scaled(metre, times(R, x)), shift);
  const m = model({ gravity: scaled(1 / second ** 2, length([0.2, 0.1, -9.7])) });
  const random = seeded(77);
  const made = ORIGINAL.bodies.map(() => {
    const body = randomBody(random);
    const { axis, angle } = body.orientation as { axis: V3; angle: number };
    return () =>
      m.body({
        mass: body.mass * kilogram,
        inertia: (body.inertia as M3).map((row) => scaled(kilogram * metre ** 2, row)) as M3,
        centre: scaled(metre, body.centre as V3),
        position: point(body.position as V3),
        orientation: after(turn, turnAbout(axis, angle)),
        velocity: scaled(1 / second, length(body.velocity as V3)),
        angularVelocity: scaled(1 / second, direction(body.angularVelocity as V3)),
      });
  });
  const bodies: Body[] = [];
  for (const index of description.bodies) bodies[index] = made[index]();
  const [a, b, c, d, e] = bodies;
  const positions = ORIGINAL.joints.map(() => ({
    at: point(vectorFrom(random)),
    other: point(vectorFrom(random)),
    axis: direction(unit(vectorFrom(random))),
  }));
  const torque = newton * metre;
  const parts: ((place: (typeof positions)[number]) => unknown)[] = [
    ({ at, axis }) => m.revolute({ between: [m.ground, a], at, axis }),
    ({ at }) => m.spherical({ between: [a, b], at }),
    ({ at, axis }) => m.cylindrical({ between: [b, c], at, axis }),
    ({ at, other }) => m.distance({ between: [c, m.ground], atA: at, atB: other }),
    ({ at, axis }) => m.prismatic({ between: [c, d], at, axis }),
    ({ at, axis }) => m.screw({ between: [d, e], at, axis, pitch: 0.7 * metre }),
    ({ at, axis }) => m.pointOnPlane({ between: [m.ground, e], at, axis }),
    ({ at, other }) =>
      m.spring({
        between: [a, e],
        atA: at,
        atB: other,
        stiffness: (30 * newton) / metre,
        damping: (newton * second) / metre,
      }),
    ({ at }) =>
      m.bushing({
        between: [b, d],
        at,
        stiffness: { translation: (20 * newton) / metre, rotation: 3 * torque },
        damping: { translation: (newton * second) / metre },
      }),
    ({ at }) => m.pointForce({ on: c, at, force: scaled(newton, direction([3, 2, 9])) }),
  ];
  for (const index of description.joints) parts[index](positions[index]);
  return { m, bodies };
}
