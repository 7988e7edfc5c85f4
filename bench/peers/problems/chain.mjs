import { chain3dReference3, chain3dReference10 } from "../nodrift.mjs";
import { GROUND, STATE_SIZE, UPRIGHT } from "./problem.mjs";

const ACROSS = (1 + 0.1 ** 2) / 12;
const ALONG = 0.1 ** 2 / 6;
const TURNING = [0.5, 0, 1];

/** Duration in seconds, and the final state if it is known. */
const REFERENCES = { 3: chain3dReference3, 10: chain3dReference10 };
const UNTIL = 1;

/**
 * n square rods of 1 m and 1 kg, 0.1 m thick, on spherical joints: straight along x at the start, rotating as one
 * body with (0.5, 0, 1) rad/s.
 *
 * @param {number} n
 * @returns {import("./problem.mjs").Problem}
 */
export function chain(n) {
  const bodies = Array.from({ length: n }, (_, i) => ({
    name: `rod ${i + 1}`,
    mass: 1,
    moments: [ALONG, ACROSS, ACROSS],
    position: [i + 0.5, 0, 0],
    orientation: UPRIGHT,
    velocity: [0, TURNING[2] * (i + 0.5), 0],
    angularVelocity: TURNING,
  }));
  const joints = bodies.map((_, i) => ({
    kind: "spherical",
    bodies: [i === 0 ? GROUND : i - 1, i],
    at: [i, 0, 0],
    axis: [0, 0, 1],
  }));
  const known = REFERENCES[n]?.find(({ time }) => time === UNTIL);
  return {
    name: `chain-${n}`,
    title: `Chain of ${n} rods on spherical joints, ${UNTIL} s`,
    gravity: [0, 0, -9.81],
    planar: false,
    bodies,
    joints,
    until: UNTIL,
    steps: n > 10 ? [4e-3, 2e-3, 1e-3, 5e-4] : [1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4],
    tolerances: n > 10 ? [1e-4, 1e-6] : [1e-4, 1e-6, 1e-8, 1e-10],
    energyScale: (9.81 * n ** 2) / 2,
    error: known && ((state) => farthest(state, known.q)),
    errorText: known && `largest distance of a centre of mass from its place at ${UNTIL} s, m`,
  };
}

/**
 * @param {Float64Array} state
 * @param {readonly number[]} q of the reference: seven values per body
 */
function farthest(state, q) {
  let largest = 0;
  for (let i = 0; i < q.length / 7; i++) {
    const offset = [0, 1, 2].map((k) => state[STATE_SIZE * i + k] - q[7 * i + k]);
    largest = Math.max(largest, Math.hypot(...offset));
  }
  return largest;
}
