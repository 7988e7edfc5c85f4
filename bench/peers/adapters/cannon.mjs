// Gauss-Seidel with the SPOOK stabiliser, double precision. There are no shapes, so the broad phase has
// nothing to do and is empty.

import * as CANNON from "cannon-es";
import { anchorOf, GROUND, rotate, STATE_SIZE } from "../problems/problem.mjs";
import { steppedRun, takesAll } from "./contestant.mjs";

const vector = ([x, y, z]) => new CANNON.Vec3(x, y, z);

class NoBroadphase extends CANNON.Broadphase {
  collisionPairs() {}
}

function bodyOf({ mass, moments, position, orientation: [w, x, y, z], ...motion }) {
  const body = new CANNON.Body({
    mass,
    position: vector(position),
    quaternion: new CANNON.Quaternion(x, y, z, w),
    velocity: vector(motion.velocity),
    angularVelocity: vector(motion.angularVelocity),
    linearDamping: 0,
    angularDamping: 0,
    allowSleep: false,
  });
  body.inertia.copy(vector(moments));
  body.invInertia.copy(vector(moments.map((moment) => 1 / moment)));
  body.updateInertiaWorld(true);
  return body;
}

function jointOf(problem, joint, bodies, ground) {
  const [a, b] = joint.bodies.map((body) => (body === GROUND ? ground : bodies[body]));
  const [pivotA, pivotB] = [0, 1].map((side) => vector(anchorOf(problem, joint, side)));
  if (joint.kind === "spherical") {
    return new CANNON.PointToPointConstraint(a, pivotA, b, pivotB, Number.MAX_VALUE);
  }
  const [axisA, axisB] = joint.bodies.map((body) => {
    if (body === GROUND) return vector(joint.axis);
    const [w, x, y, z] = problem.bodies[body].orientation;
    return vector(rotate([w, -x, -y, -z], joint.axis));
  });
  const options = { pivotA, axisA, pivotB, axisB, maxForce: Number.MAX_VALUE };
  return new CANNON.HingeConstraint(a, b, options);
}

/**
 * SPOOK takes a relaxation in steps and a stiffness whose compliance 4 / (h^2 k (1 + 4 d)) must be small compared
 * with the inverse masses. Half a step is the shortest that stays stable on all problems here.
 */
function stiffen(constraint, step) {
  for (const equation of constraint.equations) {
    equation.setSpookParams(STIFFNESS / step ** 2, RELAXATION, step);
  }
}
const STIFFNESS = 1e4;
const RELAXATION = 0.5;

function readState(bodies, state) {
  for (const [i, body] of bodies.entries()) {
    const { position: p, quaternion: r, velocity: v, angularVelocity: u } = body;
    const values = [p.x, p.y, p.z, r.w, r.x, r.y, r.z, v.x, v.y, v.z, u.x, u.y, u.z];
    state.set(values, STATE_SIZE * i);
  }
}

/**
 * @param {string} name
 * @param {number} iterations
 * @returns {import("./contestant.mjs").Contestant}
 */
const contestant = (name, iterations) => ({
  name,
  peer: "cannon-es",
  maximal: true,
  setting: "step",
  refuses: takesAll,
  async start(problem, step) {
    const world = new CANNON.World({
      gravity: vector(problem.gravity),
      broadphase: new NoBroadphase(),
      allowSleep: false,
      quatNormalizeFast: false,
    });
    world.solver.iterations = iterations;
    world.solver.tolerance = 0;
    const ground = new CANNON.Body({ mass: 0 });
    const bodies = problem.bodies.map(bodyOf);
    for (const body of [ground, ...bodies]) world.addBody(body);
    for (const joint of problem.joints) {
      const constraint = jointOf(problem, joint, bodies, ground);
      stiffen(constraint, step);
      world.addConstraint(constraint);
    }
    return steppedRun(problem, step, {
      advance(count) {
        for (let i = 0; i < count; i++) world.step(step);
      },
      read: (state) => readState(bodies, state),
      free: () => {},
    });
  },
});

export const contestants = [
  contestant("cannon-es", 10),
  contestant("cannon-es, 50 iterations", 50),
];
