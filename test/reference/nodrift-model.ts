// Converts a mechanism of the reference to a model of the package, and states between both.

import { type BodyOptions, type Model, model } from "nodrift/bodies";
import { seeded } from "../support/random.js";
import { GROUND, type Mechanism } from "./mechanism.js";
import { BODY_STATE } from "./motion.js";
import {
  cross,
  normalised,
  rotation,
  subtract,
  three,
  times,
  transposed,
  type Vector,
} from "./vectors.js";

/**
 * Frames of bodies away from their centres of mass, as in most models. Velocities are those of the mechanism, or of
 * the given origins of bodies.
 */
export function modelOf(
  { name, gravity, bodies, joints }: Mechanism,
  given?: (body: number) => Pick<BodyOptions, "velocity" | "angularVelocity">,
): Model {
  const m = model({ name, gravity });
  const random = seeded(bodies.length);
  const made = bodies.map((body, index) => {
    const centre: Vector = [0.3 * random(), 0.3 * random(), 0.3 * random()];
    const arm = times(rotation(body.orientation), centre);
    return m.body({
      name: body.name,
      mass: body.mass,
      inertia: body.inertia,
      centre,
      position: subtract(body.position, arm),
      orientation: body.orientation,
      ...(given?.(index) ?? {
        velocity: subtract(body.velocity, cross(body.angularVelocity, arm)),
        angularVelocity: body.angularVelocity,
      }),
    });
  });
  const side = (body: number) => (body === GROUND ? m.ground : made[body]);
  for (const { type, name: joint, a, b, at, atB, axis, axisB } of joints) {
    const options = { name: joint, between: [side(a), side(b)] as const };
    switch (type) {
      case "distance":
        m.distance({ ...options, atA: at, atB });
        break;
      case "universal":
        m.universal({ ...options, at, axisA: axis, axisB });
        break;
      case "spherical":
        m.spherical({ ...options, at });
        break;
      default:
        m[type]({ ...options, at, axis });
    }
  }
  return m;
}

/** q and v in the conventions of the package: angular velocities in the body's axes. */
export function stateOf(y: Float64Array): { q: number[]; v: number[] } {
  const [q, v]: [number[], number[]] = [[], []];
  for (let at = 0; at < y.length; at += BODY_STATE) {
    const e = normalised([y[at + 3], y[at + 4], y[at + 5], y[at + 6]]);
    q.push(...three(y, at), ...e);
    v.push(...three(y, at + 7), ...times(transposed(rotation(e)), three(y, at + 10)));
  }
  return { q, v };
}

/** Largest difference of two states, in units of 1 + |value|; Euler parameters up to their sign. */
export function stateDistance(
  found: { readonly q: ArrayLike<number>; readonly v: ArrayLike<number> },
  known: { readonly q: readonly number[]; readonly v: readonly number[] },
): number {
  let worst = 0;
  const compare = (x: number, y: number) => {
    // Not Math.max alone: NaN must count as an error.
    const error = Math.abs(x - y) / (1 + Math.abs(y));
    worst = error <= worst ? worst : error;
  };
  for (let at = 0; at < known.q.length; at += 7) {
    let product = 0;
    for (let i = 3; i < 7; i++) product += found.q[at + i] * known.q[at + i];
    for (let i = 0; i < 7; i++) {
      compare((i > 2 && product < 0 ? -1 : 1) * found.q[at + i], known.q[at + i]);
    }
  }
  known.v.forEach((value, i) => {
    compare(found.v[i], value);
  });
  return worst;
}
