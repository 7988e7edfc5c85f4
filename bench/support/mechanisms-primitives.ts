// Rows of every joint compared with finite differences, at random inconsistent states. Along a motion with
// constant velocities (r' in the world, w in the body) accelerations are zero, so that
//
//   d Phi / dt = Phi'(q, v)    and    d Phi' / dt = J 0 - gamma.
//
// The accelerations of a simulation satisfy J a = gamma, and J a is Phi' with a in the place of the
// velocities; for time-independent constraints this tests J and gamma through public readings.

import { type BodySimulation, joints } from "nodrift/bodies";
import { addExample, freePair } from "../../test/support/joint-cases.js";
import { start } from "../../test/support/mechanisms.js";
import { type Random, randomVector, seeded } from "../../test/support/random.js";
import { MAXIMAL } from "../../test/support/relative-options.js";

const DIFFERENCE = 1e-4;

/**
 * All joints of the registry but the user's own rows and drives, which depend on time; a drive leaves no degree of
 * freedom, so that J is nearly singular at some random states and J a = gamma is not solved to 1e-6 there.
 */
export const primitiveNames = (Object.keys(joints) as (keyof typeof joints)[]).filter((name) => {
  const pair = freePair();
  addExample(name, pair);
  const { isDrive, blocks } = pair.m.data().joints.at(-1)!;
  return !isDrive && blocks.every(({ user }) => user === undefined);
});

/** Worst relative errors of d Phi / dt and of gamma, over random states. */
export async function primitiveErrors(
  name: (typeof primitiveNames)[number],
  states: number,
): Promise<{ rate: number; gamma: number }> {
  const pair = freePair(name);
  addExample(name, pair);
  // Poses that violate the joint, which relative coordinates cannot represent.
  const simulation = await start(pair.m, 1e-3, undefined, MAXIMAL);
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

/** The derivative from values at -2, -1, 1 and 2 differences, of fourth order: angles have large higher derivatives. */
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
