// Sequential impulses with separate position steps, single precision, the single-threaded module.
// Shapes are empty and the one layer does not collide with itself.

import loadJolt from "jolt-physics";
import { GROUND, STATE_SIZE } from "../problems/problem.mjs";
import { steppedRun, takesAll } from "./contestant.mjs";

const Jolt = await loadJolt();

/** @typedef {import("../problems/problem.mjs").Problem} Problem */

/** Uses an object of the module and frees it. */
function using(object, use) {
  const result = use(object);
  Jolt.destroy(object);
  return result;
}

const withVector = (values, use) => using(new Jolt.Vec3(...values), use);
const withPoint = (values, use) => using(new Jolt.RVec3(...values), use);

/** Most of these values are pool sizes, which are not reached. */
function makeWorld({ gravity, bodies }, velocitySteps, positionSteps) {
  const filter = new Jolt.ObjectLayerPairFilterTable(1);
  const layers = new Jolt.BroadPhaseLayerInterfaceTable(1, 1);
  using(new Jolt.BroadPhaseLayer(0), (layer) => layers.MapObjectToBroadPhaseLayer(0, layer));
  const settings = new Jolt.JoltSettings();
  settings.mMaxBodies = bodies.length + 1;
  settings.mMaxBodyPairs = 1;
  settings.mMaxContactConstraints = 1;
  settings.mObjectLayerPairFilter = filter;
  settings.mBroadPhaseLayerInterface = layers;
  settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(
    layers,
    1,
    filter,
    1,
  );
  const world = using(settings, (given) => new Jolt.JoltInterface(given));
  const system = world.GetPhysicsSystem();
  withVector(gravity, (vector) => system.SetGravity(vector));
  const physics = system.GetPhysicsSettings();
  physics.mNumVelocitySteps = velocitySteps;
  physics.mNumPositionSteps = positionSteps;
  physics.mBaumgarte = 0.8;
  physics.mAllowSleeping = false;
  system.SetPhysicsSettings(physics);
  return { world, system };
}

function addBody(system, shape, { mass, moments, position, orientation: [w, x, y, z], ...motion }) {
  const settings = withPoint(position, (point) =>
    using(
      new Jolt.Quat(x, y, z, w),
      (turn) => new Jolt.BodyCreationSettings(shape, point, turn, Jolt.EMotionType_Dynamic, 0),
    ),
  );
  withVector(motion.velocity, (v) => settings.set_mLinearVelocity(v));
  withVector(motion.angularVelocity, (u) => settings.set_mAngularVelocity(u));
  settings.mLinearDamping = 0;
  settings.mAngularDamping = 0;
  settings.mAllowSleeping = false;
  settings.mApplyGyroscopicForce = true;
  settings.mMaxLinearVelocity = 1e6;
  settings.mMaxAngularVelocity = 1e6;
  settings.mOverrideMassProperties = Jolt.EOverrideMassProperties_MassAndInertiaProvided;
  settings.mMassPropertiesOverride.mMass = mass;
  withVector(moments, (diagonal) =>
    settings.mMassPropertiesOverride.set_mInertia(Jolt.Mat44.prototype.sScaleVec3(diagonal)),
  );
  const interfaceOfBodies = system.GetBodyInterface();
  const body = using(settings, (given) => interfaceOfBodies.CreateBody(given));
  interfaceOfBodies.AddBody(body.GetID(), Jolt.EActivation_Activate);
  return body;
}

function addJoint(system, { kind, bodies: pair, at, axis }, bodies) {
  const [a, b] = pair.map((body) =>
    body === GROUND ? Jolt.Body.prototype.sFixedToWorld : bodies[body],
  );
  const hinge = kind === "hinge";
  const settings = hinge ? new Jolt.HingeConstraintSettings() : new Jolt.PointConstraintSettings();
  settings.mSpace = Jolt.EConstraintSpace_WorldSpace;
  withPoint(at, (point) => {
    settings.set_mPoint1(point);
    settings.set_mPoint2(point);
  });
  if (hinge) {
    withVector(axis, (direction) => {
      settings.set_mHingeAxis1(direction);
      settings.set_mHingeAxis2(direction);
    });
    withVector(normalTo(axis), (normal) => {
      settings.set_mNormalAxis1(normal);
      settings.set_mNormalAxis2(normal);
    });
  }
  system.AddConstraint(using(settings, (given) => given.Create(a, b)));
}

const normalTo = ([x, y, z]) => (Math.abs(z) > 0.5 ? [z, 0, -x] : [-y, x, 0]);

function readState(bodies, state) {
  for (const [i, body] of bodies.entries()) {
    const [p, r] = [body.GetCenterOfMassPosition(), body.GetRotation()];
    const place = [p.GetX(), p.GetY(), p.GetZ(), r.GetW(), r.GetX(), r.GetY(), r.GetZ()];
    state.set(place, STATE_SIZE * i);
    const v = body.GetLinearVelocity();
    state.set([v.GetX(), v.GetY(), v.GetZ()], STATE_SIZE * i + 7);
    const u = body.GetAngularVelocity();
    state.set([u.GetX(), u.GetY(), u.GetZ()], STATE_SIZE * i + 10);
  }
}

/**
 * @param {string} name
 * @param {number} velocitySteps
 * @param {number} positionSteps
 * @returns {import("./contestant.mjs").Contestant}
 */
const contestant = (name, velocitySteps, positionSteps) => ({
  name,
  peer: "jolt-physics",
  maximal: true,
  setting: "step",
  refuses: takesAll,
  async start(problem, step) {
    const { world, system } = makeWorld(problem, velocitySteps, positionSteps);
    const shape = withVector([0, 0, 0], (centre) => new Jolt.EmptyShape(centre));
    const bodies = problem.bodies.map((body) => addBody(system, shape, body));
    for (const joint of problem.joints) addJoint(system, joint, bodies);
    return steppedRun(problem, step, {
      advance(count) {
        for (let i = 0; i < count; i++) world.Step(step, 1);
      },
      read: (state) => readState(bodies, state),
      free: () => Jolt.destroy(world),
    });
  },
});

export const contestants = [contestant("Jolt", 10, 2), contestant("Jolt, 50 iterations", 50, 10)];
