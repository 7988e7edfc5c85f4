// Newton's and Euler's equations of every body, from readings of a simulation.

import type { BodySimulation, Model, Vector } from "nodrift/bodies";

export const plus = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const times = (k: number, a: Vector): Vector => [k * a[0], k * a[1], k * a[2]];
export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export const size = (a: Vector): number => Math.hypot(...a);

/** R a for a column-major matrix. */
export function turn(r: readonly number[], a: Vector): Vector {
  const part = (i: number) => r[i]! * a[0] + r[i + 3]! * a[1] + r[i + 6]! * a[2];
  return [part(0), part(1), part(2)];
}

/** R^T a. */
export function unturn(r: readonly number[], a: Vector): Vector {
  const part = (j: number) => r[3 * j]! * a[0] + r[3 * j + 1]! * a[1] + r[3 * j + 2]! * a[2];
  return [part(0), part(1), part(2)];
}

interface Load {
  readonly force: Vector;
  readonly torque: Vector;
}

/**
 * Largest error of m c'' = F and (R I R^T w)' = T over all bodies, relative to the largest force and torque.
 * Weight and joints act; `applied` returns all other loads, about the centre of mass.
 */
export function imbalance(
  simulation: BodySimulation,
  model: Model,
  applied: (body: string) => Load | undefined = () => undefined,
): number {
  const data = model.data();
  let [worst, largest] = [0, 1e-12];
  data.bodies.forEach((body, index) => {
    const { name, mass, inertia } = body;
    const read = simulation.body(name);
    let force = times(mass, data.gravity);
    let torque: Vector = [0, 0, 0];
    const extra = applied(name);
    if (extra) [force, torque] = [plus(force, extra.force), plus(torque, extra.torque)];
    for (const joint of data.joints) {
      if (!simulation.joint(joint.name).bodies.includes(name)) continue;
      const marker = joint.markers?.find((each) => data.markers[each]!.body === index);
      const point = read.point(marker === undefined ? [0, 0, 0] : data.markers[marker]!.point);
      const own = simulation.joint(joint.name);
      const f = own.force({ on: name });
      const t = own.torque({ on: name });
      const arm = minus(point, read.centreOfMass);
      force = plus(force, f);
      torque = plus(torque, plus(t, cross(arm, f)));
      largest = Math.max(largest, size(f), size(t), size(cross(arm, f)));
    }
    const { rotation, centreAcceleration, angularAcceleration, angularVelocity } = read;
    const own = (w: Vector) => turn(rotation, turn(inertia, unturn(rotation, w)));
    const rate = plus(own(angularAcceleration), cross(angularVelocity, own(angularVelocity)));
    worst = Math.max(
      worst,
      size(minus(times(mass, centreAcceleration), force)),
      size(minus(rate, torque)),
    );
    largest = Math.max(largest, mass * size(data.gravity), size(rate));
  });
  return worst / largest;
}
