import { nFourBarReference } from "../nodrift.mjs";
import { GROUND, rotate, STATE_SIZE, UPRIGHT } from "./problem.mjs";

const ACROSS = 1 / 12;
/** About the rods themselves. The motion is planar, so it changes nothing, but engines require one. */
const ALONG = ACROSS / 100;
const AXIS = [0, 0, 1];
const RATE = -1;

/** Duration in seconds, shorter for the larger mechanism. */
const UNTIL = { 2: 10, 10: 10, 40: 2 };

/**
 * The N-four-bar of IFToMM's library: n + 1 uprights joined at their tops by n links, all rods of 1 m and
 * 1 kg, with three-dimensional hinges. Redundantly constrained, and singular when all links are in line.
 *
 * @param {2 | 10 | 40} n
 * @returns {import("./problem.mjs").Problem}
 */
export function nFourBar(n) {
  const until = UNTIL[n];
  const bodies = [];
  const joints = [];
  const hinge = (pair, at) => joints.push({ kind: "hinge", bodies: pair, at, axis: AXIS });
  for (let i = 0; i <= n; i++) {
    const upright = bodies.push(uprightAt(i)) - 1;
    hinge([GROUND, upright], [i, 0, 0]);
    if (i > 0) hinge([upright - 1, upright], [i, 1, 0]);
    if (i < n) hinge([upright, bodies.push(linkAt(i)) - 1], [i, 1, 0]);
  }
  // There is none for n = 10.
  const known = nFourBarReference[n]?.find(([time]) => time === until);
  return {
    name: `four-bar-${n}`,
    title: `N-four-bar, n = ${n}, ${until} s`,
    gravity: [0, -9.81, 0],
    planar: true,
    bodies,
    joints,
    until,
    steps: n > 2 ? [2e-3, 1e-3, 5e-4] : [1e-2, 5e-3, 2e-3, 1e-3, 5e-4],
    tolerances: n > 2 ? [1e-4, 1e-6, 1e-8] : [1e-4, 1e-6, 1e-8, 1e-10],
    energyScale: 9.81 * ((n + 1) / 2 + n),
    error: known && ((state) => farFrom(topOfFirst(state), known)),
    errorText: known && `distance of the first upright's top from its place at ${until} s, m`,
  };
}

function uprightAt(i) {
  return {
    name: `upright ${i}`,
    mass: 1,
    moments: [ACROSS, ALONG, ACROSS],
    position: [i, 0.5, 0],
    orientation: UPRIGHT,
    velocity: [-RATE / 2, 0, 0],
    angularVelocity: [0, 0, RATE],
  };
}

function linkAt(i) {
  return {
    name: `top ${i}`,
    mass: 1,
    moments: [ALONG, ACROSS, ACROSS],
    position: [i + 0.5, 1, 0],
    orientation: UPRIGHT,
    velocity: [-RATE, 0, 0],
    angularVelocity: [0, 0, 0],
  };
}

const farFrom = ([top, side], [, x, y]) => Math.hypot(top - x, side - y);

/** @param {Float64Array} state */
function topOfFirst(state) {
  const [x, y, z, ...quaternion] = state.subarray(0, STATE_SIZE);
  const arm = rotate(quaternion.slice(0, 4), [0, 0.5, 0]);
  return [x + arm[0], y + arm[1], z + arm[2]];
}
