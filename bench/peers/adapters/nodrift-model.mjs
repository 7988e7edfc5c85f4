// nodrift's model of a problem, and its states in the format of this benchmark.

import { compile, model } from "../nodrift.mjs";
import { GROUND, rotate, STATE_SIZE } from "../problems/problem.mjs";

/** @type {WeakMap<import("../problems/problem.mjs").Problem, Map<object | undefined, Promise<object>>>} */
const compiled = new WeakMap();

/**
 * Compiled once per options object.
 *
 * @param {import("../problems/problem.mjs").Problem} problem
 * @param {object} [options] of `compile`
 */
export function compiledModel(problem, options) {
  if (!compiled.has(problem)) compiled.set(problem, new Map());
  const made = compiled.get(problem);
  if (!made.has(options)) made.set(options, compile(modelOf(problem), options));
  return made.get(options);
}

/** @param {import("../problems/problem.mjs").Problem} problem */
function modelOf({ name, gravity, bodies, joints }) {
  const m = model({ name, gravity });
  const handles = bodies.map(({ moments, ...body }) => m.body({ ...body, inertia: moments }));
  for (const { kind, bodies: pair, at, axis } of joints) {
    const between = pair.map((body) => (body === GROUND ? m.ground : handles[body]));
    if (kind === "hinge") m.revolute({ between, at, axis });
    else if (kind === "slide") m.prismatic({ between, at, axis });
    else m.spherical({ between, at });
  }
  return m;
}

/**
 * @param {ArrayLike<number>} q seven values per body
 * @param {ArrayLike<number>} v six, the angular velocity in the axes of the body
 * @param {Float64Array} state
 */
export function readBodies(q, v, state) {
  for (let i = 0; i < state.length / STATE_SIZE; i++) {
    const at = STATE_SIZE * i;
    for (let k = 0; k < 7; k++) state[at + k] = q[7 * i + k];
    for (let k = 0; k < 3; k++) state[at + 7 + k] = v[6 * i + k];
    const quaternion = [3, 4, 5, 6].map((k) => q[7 * i + k]);
    state.set(rotate(quaternion, [v[6 * i + 3], v[6 * i + 4], v[6 * i + 5]]), at + 10);
  }
}
