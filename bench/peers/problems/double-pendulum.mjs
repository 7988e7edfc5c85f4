import { GROUND, STATE_SIZE, UPRIGHT } from "./problem.mjs";

const LENGTH = 5;
const GRAVITY = 10;
const ACROSS = LENGTH ** 2 / 12;
/** About the rod itself. The motion is planar, so it changes nothing, but engines require one. */
const ALONG = ACROSS / 100;

/**
 * Centres of mass at t = 10 s: x1, y1, x2, y2. Found in minimal coordinates (DOP853) and again in absolute
 * ones (extrapolation in extended precision, projected); the two agree to 4.6e-12.
 */
const REFERENCE = [2.4427319998674593, -0.5320341876454208, 6.714021238723096, -2.7688787529410748];

/**
 * Two uniform rods of 5 m and 1 kg, released from rest horizontally along +y; gravity of 10 m/s^2 acts along +x
 * (Welch et al. 2007, table 1).
 *
 * @returns {import("./problem.mjs").Problem}
 */
export function doublePendulum() {
  const rod = (name, y) => ({
    name,
    mass: 1,
    moments: [ACROSS, ALONG, ACROSS],
    position: [0, y, 0],
    orientation: UPRIGHT,
    velocity: [0, 0, 0],
    angularVelocity: [0, 0, 0],
  });
  const hinge = (bodies, y) => ({ kind: "hinge", bodies, at: [0, y, 0], axis: [0, 0, 1] });
  return {
    name: "double-pendulum",
    title: "Planar double pendulum, 10 s",
    gravity: [GRAVITY, 0, 0],
    planar: true,
    bodies: [rod("upper", LENGTH / 2), rod("lower", (3 * LENGTH) / 2)],
    joints: [hinge([GROUND, 0], 0), hinge([0, 1], LENGTH)],
    until: 10,
    steps: [1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4],
    tolerances: [1e-4, 1e-6, 1e-8, 1e-10, 1e-12],
    energyScale: GRAVITY * 2 * LENGTH,
    error: (state) =>
      Math.max(
        ...REFERENCE.map((value, k) =>
          Math.abs(state[STATE_SIZE * Math.floor(k / 2) + (k % 2)] - value),
        ),
      ),
    errorText: "largest error of x and y of the centres of mass at 10 s, m",
  };
}
