// Input of every adapter: rigid bodies and joints as plain values in SI units, independent of engine conventions.

/** @typedef {readonly [number, number, number]} Vector */
/** @typedef {readonly [number, number, number, number]} Quaternion scalar first */

/**
 * A rigid body. Its frame lies in its centre of mass, along its principal axes.
 *
 * @typedef {object} BodyData
 * @property {string} name
 * @property {number} mass
 * @property {Vector} moments principal moments of inertia, all positive
 * @property {Vector} position
 * @property {Quaternion} orientation
 * @property {Vector} velocity
 * @property {Vector} angularVelocity in the world
 */

/**
 * A joint between two bodies, numbered from 0; GROUND is the fixed body.
 *
 * @typedef {object} JointData
 * @property {"spherical" | "hinge" | "slide"} kind
 * @property {readonly [number, number]} bodies
 * @property {Vector} at in the world, at the start
 * @property {Vector} axis of a hinge or slide, in the world, at the start
 */

/**
 * @typedef {object} Problem
 * @property {string} name
 * @property {string} title
 * @property {Vector} gravity
 * @property {boolean} planar moves in the x-y plane only
 * @property {readonly BodyData[]} bodies
 * @property {readonly JointData[]} joints
 * @property {number} until end of the run in seconds
 * @property {readonly number[]} steps for engines with a fixed step
 * @property {readonly number[]} tolerances for adaptive engines
 * @property {number} energyScale drift of energy is relative to it
 * @property {((state: Float64Array) => number) | undefined} error of the state at the end, in metres
 * @property {string | undefined} errorText what the error measures
 */

export const GROUND = -1;

/** Number of values per body in a state: position, orientation, velocity and angular velocity (in the world). */
export const STATE_SIZE = 13;

/** @type {Quaternion} */
export const UPRIGHT = [1, 0, 0, 0];

/**
 * A point of the world in the frame of a body that lies as at the start.
 *
 * @param {BodyData} body
 * @param {Vector} point
 * @returns {Vector}
 */
export function inBody({ position, orientation: [w, x, y, z] }, point) {
  const shifted = point.map((value, k) => value - position[k]);
  return /** @type {Vector} */ (rotate([w, -x, -y, -z], /** @type {Vector} */ (shifted)));
}

/**
 * A vector rotated by a unit quaternion: v + 2 w (u x v) + 2 u x (u x v).
 *
 * @param {Quaternion} quaternion
 * @param {Vector} vector
 * @returns {Vector}
 */
export function rotate([w, x, y, z], [a, b, c]) {
  const [p, q, r] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
  return [a + w * p + y * r - z * q, b + w * q + z * p - x * r, c + w * r + x * q - y * p];
}

/**
 * The anchor of a joint in the frame of one of its bodies; of the ground, in the world.
 *
 * @param {Problem} problem
 * @param {JointData} joint
 * @param {0 | 1} side
 * @returns {Vector}
 */
export function anchorOf(problem, joint, side) {
  const body = joint.bodies[side];
  return body === GROUND ? joint.at : inBody(problem.bodies[body], joint.at);
}

/**
 * Spanning tree of the bodies from the ground, breadth first: the joint and parent of each body, and the remaining
 * joints, which close loops. Of bodies not connected to the ground one is free: its joint is undefined. For engines
 * with reduced coordinates.
 *
 * @param {Problem} problem
 */
export function spanningTree({ bodies, joints }) {
  const reached = new Set([GROUND]);
  const open = new Set(joints);
  /** @type {{ body: number, parent: number, joint: JointData | undefined }[]} */
  const links = [];
  const queue = [GROUND];
  const hang = (parent) => {
    for (const joint of open) {
      const [a, b] = joint.bodies;
      const body = a === parent ? b : b === parent ? a : undefined;
      if (body === undefined || reached.has(body)) continue;
      open.delete(joint);
      reached.add(body);
      links.push({ body, parent, joint });
      queue.push(body);
    }
  };
  for (let first = -1; first < bodies.length; first++) {
    if (first >= 0 && !reached.has(first)) {
      reached.add(first);
      links.push({ body: first, parent: GROUND, joint: undefined });
      queue.push(first);
    }
    while (queue.length > 0) hang(queue.shift());
  }
  return { links, closures: [...open] };
}
