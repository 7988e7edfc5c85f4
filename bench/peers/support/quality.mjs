// Quality of a run: gaps of joints, energy drift, error at the end.

import { anchorOf, GROUND, STATE_SIZE } from "../problems/problem.mjs";

/** @typedef {import("../problems/problem.mjs").Problem} Problem */

/**
 * @typedef {object} Quality
 * @property {number} violation largest distance between the two points of a joint, m
 * @property {number} energy largest drift of energy, relative to the problem's scale
 * @property {number | undefined} error at the end, if it is known
 */

/**
 * @param {Problem} problem
 * @param {import("../adapters/contestant.mjs").Run} run
 * @returns {Quality}
 */
export function qualityOf(problem, run) {
  const gap = gapOf(problem);
  const start = energyOf(problem, initialState(problem));
  let violation = 0;
  let energy = 0;
  let last;
  run.watch((state) => {
    if (!state.every(Number.isFinite)) throw new Error("went NaN");
    violation = Math.max(violation, gap(state));
    energy = Math.max(energy, Math.abs(energyOf(problem, state) - start) / problem.energyScale);
    last = state;
  });
  return { violation, energy, error: problem.error?.(last) };
}

/** @param {Problem} problem */
export function initialState({ bodies }) {
  return Float64Array.from(
    bodies.flatMap(({ position, orientation, velocity, angularVelocity }) => [
      ...position,
      ...orientation,
      ...velocity,
      ...angularVelocity,
    ]),
  );
}

/** @param {Problem} problem */
function gapOf(problem) {
  // The points of a slide move apart.
  const joints = problem.joints.filter(({ kind }) => kind !== "slide");
  const anchors = joints.map((joint) => [0, 1].map((side) => anchorOf(problem, joint, side)));
  const points = [new Float64Array(3), new Float64Array(3)];
  return (state) => {
    let largest = 0;
    for (const [j, { bodies }] of joints.entries()) {
      for (const side of [0, 1]) place(state, bodies[side], anchors[j][side], points[side]);
      const [[a, b, c], [d, e, f]] = points;
      largest = Math.max(largest, Math.hypot(a - d, b - e, c - f));
    }
    return largest;
  };
}

/**
 * Position of a point of a body in the world. Quaternions of engines may not be normalised; only their rotation
 * counts.
 */
function place(state, body, [a, b, c], out) {
  if (body === GROUND) {
    out.set([a, b, c]);
    return;
  }
  const at = STATE_SIZE * body;
  const [w, x, y, z] = state.subarray(at + 3, at + 7);
  const scale = 2 / (w * w + x * x + y * y + z * z);
  const [p, q, r] = [y * c - z * b, z * a - x * c, x * b - y * a];
  out[0] = state[at] + a + scale * (w * p + y * r - z * q);
  out[1] = state[at + 1] + b + scale * (w * q + z * p - x * r);
  out[2] = state[at + 2] + c + scale * (w * r + x * q - y * p);
}

/**
 * @param {Problem} problem
 * @param {Float64Array} state
 */
function energyOf({ bodies, gravity }, state) {
  let energy = 0;
  const turned = new Float64Array(3);
  for (const [i, { mass, moments }] of bodies.entries()) {
    const at = STATE_SIZE * i;
    const [w, x, y, z] = state.subarray(at + 3, at + 7);
    const [a, b, c] = state.subarray(at + 10, at + 13);
    const inverse = Float64Array.of(0, 0, 0, w, -x, -y, -z);
    place(inverse, 0, [a, b, c], turned);
    for (let k = 0; k < 3; k++) {
      energy += (mass * state[at + 7 + k] ** 2 + moments[k] * turned[k] ** 2) / 2;
      energy -= mass * gravity[k] * state[at + k];
    }
  }
  return energy;
}
