// Random mechanisms: three bodies and the ground, two markers on each.

import { isDebug } from "../../support/debug.js";
import { type Random, randomVector, seeded, symmetricMatrix } from "../../support/random.js";
import { type ForceSpec, type MarkerSpec, Mechanism, Sensor, type Spec } from "./mechanism.js";
import {
  add,
  cross,
  dot,
  exponential,
  product,
  scale,
  subtract,
  turn,
  turnBack,
  type Vector,
} from "./vectors.js";

/** Seeds of the tested states; the debug module, which has assertions, runs the first ones. */
export const SEEDS = Array.from({ length: isDebug ? 40 : 120 }, (_, i) => i + 1);

const BODIES = 3;
/** Markers on each body and on the ground: A is the first of one, B that of another. */
const MARKERS = 2;

/** The first marker of a body, -1 for the ground. */
export const markerOn = (body: number) => MARKERS * (body + 1);

export interface Given {
  readonly random: Random;
  /** Random numbers in [low, high). */
  readonly numbers: (count: number, low?: number, high?: number) => number[];
}

/** A random mechanism with the given kinds of forces. */
export function mechanism(
  seed: number,
  forces: (given: Given) => readonly ForceSpec[],
  gravity: Vector = [0, 0, 0],
  sensors: Spec["sensors"] = [],
): Mechanism {
  const random = seeded(seed);
  const vector = (count: number, size = 1) => [...randomVector(random, count)].map((x) => size * x);
  const numbers = (count: number, low = 0, high = 1) =>
    vector(count).map((x) => low + ((high - low) * (x + 1)) / 2);
  // Far enough from each other that no two points of different bodies coincide.
  const bodies = Array.from({ length: BODIES }, (_, i) => ({
    mass: 1.5 + random(),
    inertia: [...symmetricMatrix(random, 3, 8)],
    position: [...add(vector(3, 0.3), [2 * i + 2, 0, 0]), ...vector(4, 2)],
    velocity: vector(6, 2),
  }));
  const markers: MarkerSpec[] = [-1, 0, 1, 2].flatMap((body) =>
    Array.from({ length: MARKERS }, () => ({ body, arm: vector(3, 0.3), axes: vector(4) })),
  );
  const spec = { gravity, bodies, markers, sensors, forces: forces({ random, numbers }) };
  return new Mechanism(spec);
}

/** Moves coordinate i of v by an amount: along the world, or about an axis of the body. */
export function displace(made: Mechanism, i: number, amount: number): void {
  const direction = Array.from(made.v, (_, j) => (i === j ? 1 : 0));
  follow(made, direction, amount);
}

/** q after a time with constant velocities. */
export function follow(made: Mechanism, velocity: Vector, time: number): void {
  made.reset();
  for (let body = 0; body < made.spec.bodies.length; body++) {
    const v = velocity.slice(6 * body, 6 * body + 6);
    if (v.every((x) => x === 0)) continue;
    const [start, e] = [7 * body, 7 * body + 3];
    made.q.set(add([...made.q.subarray(start, e)], scale(time, v.slice(0, 3))), start);
    const turned = exponential(scale(time, v.slice(3)));
    made.q.set(product([...made.q.subarray(e, e + 4)], turned), e);
  }
}

/** Evaluates every sensor as DISPLACEMENT, z of A . d, by the definition in the layout. */
export function measureDisplacements(made: Mechanism): void {
  made.onKinematics = () => {
    for (const [i, [first, second]] of made.spec.sensors.entries()) {
      const [a, b] = [made.place(first), made.place(second)];
      const z = turn(a.e, [0, 0, 1]);
      const d = subtract(b.point, a.point);
      const rate = dot(z, subtract(subtract(b.velocity, a.velocity), cross(a.omega, d)));
      made.sensors.set([dot(z, d), rate, Number.NaN], Sensor.LENGTH * i);
      const row = (body: number, sign: number) => {
        const { point, e } = made.pose(body);
        return scale(sign, [...z, ...turnBack(e, cross(subtract(b.point, point), z))]);
      };
      made.sensors.set(row(a.body, -1), Sensor.LENGTH * i + Sensor.JACOBIAN_A);
      made.sensors.set(row(b.body, 1), Sensor.LENGTH * i + Sensor.JACOBIAN_B);
    }
  };
}
