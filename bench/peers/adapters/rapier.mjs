// Joints as impulses between free bodies, or as multibodies in reduced coordinates (loops closed by
// impulses). Single precision. Every solver iteration is a separate substep of dt.

import RAPIER from "@dimforge/rapier3d-compat";
import { anchorOf, rotate, STATE_SIZE, spanningTree } from "../problems/problem.mjs";
import { steppedRun, takesAll } from "./contestant.mjs";

await RAPIER.init();

/** @typedef {import("../problems/problem.mjs").Problem} Problem */

const vector = ([x, y, z]) => ({ x, y, z });
const quaternion = ([w, x, y, z]) => ({ w, x, y, z });
const IDENTITY = { w: 1, x: 0, y: 0, z: 0 };

/** Length of the step that sets the initial velocity of a multibody. */
const PUSH = 1e-6;

/** @param {Problem} problem */
function bodiesOf(world, { bodies }) {
  return bodies.map((body) =>
    world.createRigidBody(
      RAPIER.RigidBodyDesc.dynamic()
        .setTranslation(...body.position)
        .setRotation(quaternion(body.orientation))
        .setLinvel(...body.velocity)
        .setAngvel(vector(body.angularVelocity))
        .setAdditionalMassProperties(body.mass, vector([0, 0, 0]), vector(body.moments), IDENTITY)
        .setLinearDamping(0)
        .setAngularDamping(0)
        .setCanSleep(false),
    ),
  );
}

/** @param {Problem} problem */
function jointOf(problem, joint, reversed = false) {
  const [first, second] = reversed ? [1, 0] : [0, 1];
  const anchors = [first, second].map((side) => vector(anchorOf(problem, joint, side)));
  if (joint.kind === "spherical") return RAPIER.JointData.spherical(...anchors);
  const axes = [first, second].map((side) => vector(axisOf(problem, joint, side)));
  return RAPIER.JointData.revoluteWithAxes(...anchors, ...axes);
}

function axisOf({ bodies }, joint, side) {
  const body = bodies[joint.bodies[side]];
  if (body === undefined) return joint.axis;
  const [w, x, y, z] = body.orientation;
  return rotate([w, -x, -y, -z], joint.axis);
}

/** @param {Problem} problem */
function joinImpulses(world, problem, bodies, ground) {
  for (const joint of problem.joints) {
    const [a, b] = joint.bodies.map((body) => bodies[body] ?? ground);
    world.createImpulseJoint(jointOf(problem, joint), a, b, true);
  }
}

/** @param {Problem} problem */
function joinMultibody(world, problem, bodies, ground) {
  const { links, closures } = spanningTree(problem);
  for (const { body, parent, joint } of links) {
    const data = jointOf(problem, joint, joint.bodies[0] === body);
    world.createMultibodyJoint(data, bodies[parent] ?? ground, bodies[body], true);
  }
  for (const joint of closures) {
    const [a, b] = joint.bodies.map((body) => bodies[body] ?? ground);
    world.createImpulseJoint(jointOf(problem, joint), a, b, true);
  }
  push(world, problem, bodies);
}

/**
 * Joint velocities cannot be given, but forces act on multibodies: M v / dt in one very short step makes
 * the velocities v, which satisfy the joints. Inertias are those of the initial poses.
 *
 * @param {Problem} problem
 */
function push(world, problem, bodies) {
  const { velocity, angularVelocity } = problem.bodies[0];
  if ([...velocity, ...angularVelocity].every((value) => value === 0)) return;
  world.timestep = PUSH;
  for (const [i, { mass, moments, orientation, ...body }] of problem.bodies.entries()) {
    const [w, x, y, z] = orientation;
    const own = rotate([w, -x, -y, -z], body.angularVelocity);
    const momentum = rotate(
      orientation,
      [0, 1, 2].map((k) => moments[k] * own[k]),
    );
    bodies[i].addForce(vector(body.velocity.map((value) => (mass * value) / PUSH)), true);
    bodies[i].addTorque(vector(momentum.map((value) => value / PUSH)), true);
  }
  world.step();
  for (const body of bodies) {
    body.resetForces(true);
    body.resetTorques(true);
  }
}

function readState(bodies, state) {
  for (const [i, body] of bodies.entries()) {
    const [p, r, v, u] = [body.translation(), body.rotation(), body.linvel(), body.angvel()];
    const values = [p.x, p.y, p.z, r.w, r.x, r.y, r.z, v.x, v.y, v.z, u.x, u.y, u.z];
    state.set(values, STATE_SIZE * i);
  }
}

/**
 * Multibodies are dense: 100 rods take seconds per step.
 *
 * @type {import("./contestant.mjs").Contestant["refuses"]}
 */
const tooMany = ({ bodies }) =>
  bodies.length > 10 ? "the cost of a step grows with the cube of the bodies" : undefined;

/**
 * @param {string} name
 * @param {boolean} maximal
 * @param {number} iterations
 * @returns {import("./contestant.mjs").Contestant}
 */
const contestant = (name, maximal, iterations) => ({
  name,
  peer: "@dimforge/rapier3d-compat",
  maximal,
  setting: "step",
  refuses: takesAll,
  async start(problem, step) {
    const world = new RAPIER.World(vector(problem.gravity));
    world.numSolverIterations = iterations;
    const ground = world.createRigidBody(RAPIER.RigidBodyDesc.fixed());
    const bodies = bodiesOf(world, problem);
    (maximal ? joinImpulses : joinMultibody)(world, problem, bodies, ground);
    world.timestep = step;
    return steppedRun(problem, step, {
      advance(count) {
        for (let i = 0; i < count; i++) world.step();
      },
      read: (state) => readState(bodies, state),
      free: () => world.free(),
    });
  },
});

export const contestants = [
  contestant("Rapier impulse", true, 4),
  contestant("Rapier impulse, 16 iterations", true, 16),
  { ...contestant("Rapier multibody", false, 4), refuses: tooMany },
];
