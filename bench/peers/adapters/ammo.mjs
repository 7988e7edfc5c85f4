// Bullet's sequential impulses, single precision. Bodies share one small shape and no collision group.

import loadAmmo from "ammojs-typed/wasm";
import { anchorOf, GROUND, rotate, STATE_SIZE } from "../problems/problem.mjs";
import { steppedRun, takesAll } from "./contestant.mjs";

const Ammo = await loadAmmo();
const DISABLE_DEACTIVATION = 4;

const vector = (values) => new Ammo.btVector3(...values);

function using(object, use) {
  const result = use(object);
  Ammo.destroy(object);
  return result;
}

/** A world, and the objects to free after it. */
function makeWorld(gravity, iterations) {
  const configuration = new Ammo.btDefaultCollisionConfiguration();
  const dispatcher = new Ammo.btCollisionDispatcher(configuration);
  const broadphase = new Ammo.btDbvtBroadphase();
  const solver = new Ammo.btSequentialImpulseConstraintSolver();
  const world = new Ammo.btDiscreteDynamicsWorld(dispatcher, broadphase, solver, configuration);
  using(vector(gravity), (given) => world.setGravity(given));
  world.getSolverInfo().set_m_numIterations(iterations);
  return { world, parts: [solver, broadphase, dispatcher, configuration] };
}

function addBody(world, shape, { mass, moments, position, orientation: [w, x, y, z], ...motion }) {
  const place = new Ammo.btTransform();
  place.setIdentity();
  using(vector(position), (given) => place.setOrigin(given));
  using(new Ammo.btQuaternion(x, y, z, w), (given) => place.setRotation(given));
  const state = using(place, (given) => new Ammo.btDefaultMotionState(given));
  const body = using(vector(moments), (inertia) =>
    using(
      new Ammo.btRigidBodyConstructionInfo(mass, state, shape, inertia),
      (info) => new Ammo.btRigidBody(info),
    ),
  );
  body.setDamping(0, 0);
  body.setActivationState(DISABLE_DEACTIVATION);
  using(vector(motion.velocity), (given) => body.setLinearVelocity(given));
  using(vector(motion.angularVelocity), (given) => body.setAngularVelocity(given));
  world.addRigidBody(body, 0, 0);
  return body;
}

const REST = {
  mass: 0,
  moments: [0, 0, 0],
  position: [0, 0, 0],
  orientation: [1, 0, 0, 0],
  velocity: [0, 0, 0],
  angularVelocity: [0, 0, 0],
};

function addJoint(world, problem, joint, bodies, ground) {
  const [a, b] = joint.bodies.map((body) => (body === GROUND ? ground : bodies[body]));
  const pivots = [0, 1].map((side) => vector(anchorOf(problem, joint, side)));
  const axes = joint.bodies.map((body) => {
    if (body === GROUND) return vector(joint.axis);
    const [w, x, y, z] = problem.bodies[body].orientation;
    return vector(rotate([w, -x, -y, -z], joint.axis));
  });
  const constraint =
    joint.kind === "hinge"
      ? new Ammo.btHingeConstraint(a, b, ...pivots, ...axes, false)
      : new Ammo.btPoint2PointConstraint(a, b, ...pivots);
  constraint.setParam(Ammo.BT_CONSTRAINT_ERP, ERP, -1);
  for (const object of [...pivots, ...axes]) Ammo.destroy(object);
  world.addConstraint(constraint, true);
  return constraint;
}

/** Fraction of the position error removed per step; Bullet's default 0.2 leaves several times as much. */
const ERP = 0.8;

function readState(bodies, state) {
  for (const [i, body] of bodies.entries()) {
    const place = body.getCenterOfMassTransform();
    const p = place.getOrigin();
    state.set([p.x(), p.y(), p.z()], STATE_SIZE * i);
    const r = place.getRotation();
    state.set([r.w(), r.x(), r.y(), r.z()], STATE_SIZE * i + 3);
    const v = body.getLinearVelocity();
    state.set([v.x(), v.y(), v.z()], STATE_SIZE * i + 7);
    const u = body.getAngularVelocity();
    state.set([u.x(), u.y(), u.z()], STATE_SIZE * i + 10);
  }
}

/**
 * @param {string} name
 * @param {number} iterations
 * @returns {import("./contestant.mjs").Contestant}
 */
const contestant = (name, iterations) => ({
  name,
  peer: "ammojs-typed",
  maximal: true,
  setting: "step",
  refuses: takesAll,
  async start(problem, step) {
    const { world, parts } = makeWorld(problem.gravity, iterations);
    const shape = new Ammo.btSphereShape(0.01);
    const ground = addBody(world, shape, REST);
    const bodies = problem.bodies.map((body) => addBody(world, shape, body));
    const joints = problem.joints.map((joint) => addJoint(world, problem, joint, bodies, ground));
    return steppedRun(problem, step, {
      advance(count) {
        for (let i = 0; i < count; i++) world.stepSimulation(step, 0);
      },
      read: (state) => readState(bodies, state),
      free() {
        for (const joint of joints) world.removeConstraint(joint);
        const states = [ground, ...bodies].map((body) => body.getMotionState());
        for (const body of [ground, ...bodies]) world.removeRigidBody(body);
        const all = [...joints, ground, ...bodies, ...states, shape, world, ...parts];
        for (const object of all) Ammo.destroy(object);
      },
    });
  },
});

export const contestants = [
  contestant("Bullet (ammo.js)", 10),
  contestant("Bullet (ammo.js), 50 iterations", 50),
];
