// Rows of every joint against differences, at random states that satisfy nothing. Along a motion with
// constant velocities (r' in the world, w in the body) accelerations are zero, so that
//
//   d Phi / dt = Phi'(q, v)    and    d Phi' / dt = J 0 - gamma.
//
// The accelerations of a simulation satisfy J a = gamma, and J a is Phi' with a in the place of the
// velocities; for constraints without time this tests J and gamma by what users can read.

import type { BodySimulation, Model } from "nodrift/bodies";
import { model } from "nodrift/bodies";
import { start } from "./mechanisms.js";
import { type Random, randomVector, seeded } from "./random.js";

const DIFFERENCE = 1e-4;

type Between = readonly [ReturnType<Model["body"]>, ReturnType<Model["body"]>];

/** One joint, drive or wheel each; bodies at poses they fit. */
const joints: Readonly<Record<string, (m: Model, between: Between) => unknown>> = {
  fixed: (m, between) => m.fixed({ between }),
  revolute: (m, between) => m.revolute({ between, at, axis }),
  prismatic: (m, between) => m.prismatic({ between, at, axis }),
  cylindrical: (m, between) => m.cylindrical({ between, at, axis }),
  spherical: (m, between) => m.spherical({ between, at }),
  universal: (m, between) => m.universal({ between, at, axisA: [1, 2, 0], axisB: [-2, 1, 1] }),
  planar: (m, between) => m.planar({ between, at, axis }),
  screw: (m, between) => m.screw({ between, at, axis, pitch: 0.3 }),
  distance: (m, between) => m.distance({ between }),
  pointOnLine: (m, between) => m.pointOnLine({ between, at, axis }),
  pointOnPlane: (m, between) => m.pointOnPlane({ between, at, axis }),
  rollingSphere: (m, [body]) => m.rollingSphere({ body, radius: 0.7 }),
  rollingDisk: (m, [body]) => m.rollingDisk({ body, radius: 0.7, axis }),
  knifeEdge: (m, [body]) => m.knifeEdge({ body, direction: [1, 0.5, 0] }),
};
const at = [0.4, -0.3, 0.5] as const;
const axis = [0.3, 1, -0.4] as const;

export const primitiveNames = Object.keys(joints);

/** Worst relative errors of d Phi / dt and of gamma, over random states. */
export async function primitiveErrors(
  name: string,
  states: number,
): Promise<{ rate: number; gamma: number }> {
  const m = model({ name, gravity: [0, 0, 0] });
  const body = (position: readonly [number, number, number]) =>
    m.body({ mass: 1.5, inertia: [0.4, 0.5, 0.7], position });
  const between = [body([0, 0, 0.65]), body([1, 0.6, 1.1])] as const;
  joints[name](m, between);
  const simulation = await start(m, 1e-3);
  const random = seeded(states);
  let [rate, gamma] = [0, 0];
  for (let k = 0; k < states; k++) {
    const errors = errorsAt(simulation, random);
    rate = Math.max(rate, errors.rate);
    gamma = Math.max(gamma, errors.gamma);
  }
  return { rate, gamma };
}

/** Velocity rows have no Phi: only gamma is compared. */
function errorsAt(simulation: BodySimulation, random: Random): { rate: number; gamma: number } {
  const q = randomPoses(random, simulation.q.length / 7);
  const v = randomVector(random, simulation.v.length);
  const read = (time: number) => {
    simulation.setState(moved(q, v, time), v, "asGiven");
    return { phi: simulation.phi(), phiDot: simulation.phiDot() };
  };
  const here = read(0);
  const around = [-2, -1, 1, 2].map((k) => read(k * DIFFERENCE));
  simulation.setState(q, v, "asGiven");
  const a = simulation.accelerations();
  simulation.setState(q, a, "asGiven");
  const expected = simulation.phiDot();
  let [rate, gamma] = [0, 0];
  const size = Math.max(1, ...here.phiDot.map(Math.abs), ...expected.map(Math.abs));
  for (let i = 0; i < here.phi.length; i++) {
    const values = around.map(({ phi }) => phi[i]);
    const isVelocityRow = values.every((value) => value === 0);
    if (!isVelocityRow) rate = Math.max(rate, Math.abs(slope(values) - here.phiDot[i]) / size);
    const bend = slope(around.map(({ phiDot }) => phiDot[i]));
    gamma = Math.max(gamma, Math.abs(bend + expected[i]) / size);
  }
  return { rate, gamma };
}

/** The derivative from values at -2, -1, 1 and 2 differences, of fourth order: angles bend sharply. */
function slope([a, b, c, d]: readonly number[]): number {
  return (8 * (c - b) - (d - a)) / (12 * DIFFERENCE);
}

function randomPoses(random: Random, bodies: number): Float64Array {
  const q = new Float64Array(7 * bodies);
  for (let at = 0; at < q.length; at += 7) {
    const e = randomVector(random, 4);
    const length = Math.hypot(...e);
    q.set(randomVector(random, 3), at);
    q.set(
      e.map((value) => value / length),
      at + 3,
    );
  }
  return q;
}

/** q after a time at constant velocities: e exp(w t / 2). */
function moved(q: Float64Array, v: Float64Array, time: number): Float64Array {
  const out = q.slice();
  for (let body = 0; 7 * body < q.length; body++) {
    const [at, from] = [7 * body, 6 * body];
    for (let i = 0; i < 3; i++) out[at + i] += time * v[from + i];
    const w = v.subarray(from + 3, from + 6);
    const speed = Math.hypot(...w);
    const factor = Math.sin((speed * time) / 2) / speed;
    const [b0, b1, b2, b3] = [
      Math.cos((speed * time) / 2),
      factor * w[0],
      factor * w[1],
      factor * w[2],
    ];
    const [a0, a1, a2, a3] = q.subarray(at + 3, at + 7);
    out[at + 3] = a0 * b0 - a1 * b1 - a2 * b2 - a3 * b3;
    out[at + 4] = a0 * b1 + a1 * b0 + a2 * b3 - a3 * b2;
    out[at + 5] = a0 * b2 - a1 * b3 + a2 * b0 + a3 * b1;
    out[at + 6] = a0 * b3 + a1 * b2 - a2 * b1 + a3 * b0;
  }
  return out;
}
