// Box2D in JavaScript, double precision: for planar problems.

import { RevoluteJoint, Settings, Vec2, World } from "planck";
import { anchorOf, GROUND, STATE_SIZE } from "../problems/problem.mjs";
import { planarOnly, steppedRun } from "./contestant.mjs";

// By default the engine ignores errors below its slop and limits the motion of a body per step; both are disabled here.
Settings.linearSlop = 1e-12;
Settings.angularSlop = 1e-12;
Settings.maxTranslation = 1e6;
Settings.maxRotation = 1e6;

function bodyOf(world, { mass, moments, position: [x, y], orientation, ...motion }) {
  const body = world.createBody({
    type: "dynamic",
    position: Vec2(x, y),
    angle: 2 * Math.atan2(orientation[3], orientation[0]),
    linearVelocity: Vec2(motion.velocity[0], motion.velocity[1]),
    angularVelocity: motion.angularVelocity[2],
    linearDamping: 0,
    angularDamping: 0,
    allowSleep: false,
  });
  body.setMassData({ mass, center: Vec2(0, 0), I: moments[2] });
  return body;
}

function jointOf(problem, joint, bodies, ground) {
  const [bodyA, bodyB] = joint.bodies.map((body) => (body === GROUND ? ground : bodies[body]));
  const [localAnchorA, localAnchorB] = [0, 1].map((side) => {
    const [x, y] = anchorOf(problem, joint, side);
    return Vec2(x, y);
  });
  return new RevoluteJoint({ bodyA, bodyB, localAnchorA, localAnchorB, referenceAngle: 0 });
}

function readState(bodies, state) {
  for (const [i, body] of bodies.entries()) {
    const [p, v] = [body.getWorldCenter(), body.getLinearVelocity()];
    const half = body.getAngle() / 2;
    const values = [p.x, p.y, 0, Math.cos(half), 0, 0, Math.sin(half), v.x, v.y, 0, 0, 0];
    state.set([...values, body.getAngularVelocity()], STATE_SIZE * i);
  }
}

/**
 * @param {string} name
 * @param {number} velocityIterations
 * @param {number} positionIterations
 * @returns {import("./contestant.mjs").Contestant}
 */
const contestant = (name, velocityIterations, positionIterations) => ({
  name,
  peer: "planck",
  maximal: true,
  setting: "step",
  refuses: planarOnly,
  async start(problem, step) {
    const world = new World({
      gravity: Vec2(problem.gravity[0], problem.gravity[1]),
      allowSleep: false,
      warmStarting: true,
      continuousPhysics: false,
    });
    const ground = world.createBody();
    const bodies = problem.bodies.map((body) => bodyOf(world, body));
    for (const joint of problem.joints) world.createJoint(jointOf(problem, joint, bodies, ground));
    return steppedRun(problem, step, {
      advance(count) {
        for (let i = 0; i < count; i++) world.step(step, velocityIterations, positionIterations);
      },
      read: (state) => readState(bodies, state),
      free: () => {},
    });
  },
});

export const contestants = [
  contestant("planck (2D)", 8, 3),
  contestant("planck (2D), 50 iterations", 50, 10),
];
