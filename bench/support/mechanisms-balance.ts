// Newton's and Euler's equations of every body, from readings of a simulation: only weight and joints act.

import type { BodySimulation, ModelData, Vector } from "nodrift/bodies";
import { cross } from "../../test/support/mechanisms.js";

const plus = (a: readonly number[], b: readonly number[]) => a.map((value, i) => value + b[i]);
const minus = (a: readonly number[], b: readonly number[]) => a.map((value, i) => value - b[i]);

/** m a for a 3 x 3 matrix by columns. */
function times(m: ArrayLike<number>, a: readonly number[]): number[] {
  return [0, 1, 2].map((i) => m[i] * a[0] + m[i + 3] * a[1] + m[i + 6] * a[2]);
}

/** m^T a. */
function transposeTimes(m: ArrayLike<number>, a: readonly number[]): number[] {
  return [0, 3, 6].map((j) => m[j] * a[0] + m[j + 1] * a[1] + m[j + 2] * a[2]);
}

/** Force, and torque about the centre of mass, of all joints on a body; and the largest of them. */
function jointLoads(simulation: BodySimulation, data: ModelData, index: number) {
  const read = simulation.body(data.bodies[index].name);
  let [force, torque, largest] = [[0, 0, 0], [0, 0, 0], 0];
  for (const { name, markers } of data.joints) {
    const marker = markers?.find((each) => data.markers[each].body === index);
    if (marker === undefined) continue;
    const joint = simulation.joint(name);
    const point: Vector = data.markers[marker].point;
    const f = [...joint.force({ on: read.name })];
    const t = plus(
      joint.torque({ on: read.name }),
      cross(minus(read.point(point), read.centreOfMass), f),
    );
    force = plus(force, f);
    torque = plus(torque, t);
    largest = Math.max(largest, Math.hypot(...f), Math.hypot(...t));
  }
  return { force, torque, largest };
}

/**
 * Largest error of m c'' = F and (R I R^T w)' = T over all bodies, relative to the largest load. In
 * metres, kilograms and seconds forces and torques of these models are comparable.
 */
export function imbalance(simulation: BodySimulation, data: ModelData): number {
  let [worst, scale] = [0, 0];
  data.bodies.forEach(({ name, mass, inertia }, index) => {
    const { rotation, centreAcceleration, angularAcceleration, angularVelocity } =
      simulation.body(name);
    const { force, torque, largest } = jointLoads(simulation, data, index);
    const weight = data.gravity.map((g) => mass * g);
    const turned = (w: readonly number[]) =>
      times(rotation, times(inertia, transposeTimes(rotation, w)));
    const rate = plus(turned(angularAcceleration), cross(angularVelocity, turned(angularVelocity)));
    const momentum = centreAcceleration.map((a) => mass * a);
    worst = Math.max(
      worst,
      Math.hypot(...minus(momentum, plus(weight, force))),
      Math.hypot(...minus(rate, torque)),
    );
    scale = Math.max(scale, largest, Math.hypot(...weight), Math.hypot(...rate));
  });
  return worst / scale;
}
