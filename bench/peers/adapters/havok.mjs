// Havok in the version of Babylon.js, single precision. Its solver has no settings; bodies have no shapes.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import loadHavok from "@babylonjs/havok";
import { anchorOf, GROUND, rotate, STATE_SIZE } from "../problems/problem.mjs";
import { steppedRun, takesAll } from "./contestant.mjs";

const require = createRequire(import.meta.url);
const wasmBinary = readFileSync(require.resolve("@babylonjs/havok/lib/esm/HavokPhysics.wasm"));
const havok = await loadHavok({ wasmBinary });

/** The result of a call that also returns a status. */
function answer([status, value]) {
  if (status !== havok.Result.RESULT_OK) throw new Error("Havok refused a call");
  return value;
}

function addBody(world, { mass, moments, position, orientation: [w, x, y, z], ...motion }) {
  const body = answer(havok.HP_Body_Create());
  havok.HP_Body_SetMotionType(body, havok.MotionType.DYNAMIC);
  havok.HP_Body_SetQTransform(body, [position, [x, y, z, w]]);
  // Inertia is given for a mass of 1.
  const inertia = moments.map((moment) => moment / mass);
  havok.HP_Body_SetMassProperties(body, [[0, 0, 0], mass, inertia, [0, 0, 0, 1]]);
  havok.HP_Body_SetLinearDamping(body, 0);
  havok.HP_Body_SetAngularDamping(body, 0);
  havok.HP_Body_SetActivationControl(body, havok.ActivationControl.ALWAYS_ACTIVE);
  havok.HP_World_AddBody(world, body, false);
  havok.HP_Body_SetLinearVelocity(body, motion.velocity);
  havok.HP_Body_SetAngularVelocity(body, motion.angularVelocity);
  return body;
}

function addGround(world) {
  const body = answer(havok.HP_Body_Create());
  havok.HP_Body_SetMotionType(body, havok.MotionType.STATIC);
  havok.HP_Body_SetQTransform(body, [
    [0, 0, 0],
    [0, 0, 0, 1],
  ]);
  havok.HP_World_AddBody(world, body, false);
  return body;
}

/** The x axis of the joint is that of the hinge. */
function addJoint(problem, joint, bodies, ground) {
  const [parent, child] = joint.bodies.map((body) => (body === GROUND ? ground : bodies[body]));
  const constraint = answer(havok.HP_Constraint_Create());
  havok.HP_Constraint_SetParentBody(constraint, parent);
  havok.HP_Constraint_SetChildBody(constraint, child);
  const [inParent, inChild] = [0, 1].map((side) => [
    anchorOf(problem, joint, side),
    axisIn(problem, joint.bodies[side], joint.axis),
    axisIn(problem, joint.bodies[side], normalTo(joint.axis)),
  ]);
  havok.HP_Constraint_SetAnchorInParent(constraint, ...inParent);
  havok.HP_Constraint_SetAnchorInChild(constraint, ...inChild);
  const { ConstraintAxis: axes, ConstraintAxisLimitMode: mode } = havok;
  const locked = [axes.LINEAR_X, axes.LINEAR_Y, axes.LINEAR_Z];
  if (joint.kind === "hinge") locked.push(axes.ANGULAR_Y, axes.ANGULAR_Z);
  for (const axis of locked) havok.HP_Constraint_SetAxisMode(constraint, axis, mode.LOCKED);
  havok.HP_Constraint_SetCollisionsEnabled(constraint, 0);
  havok.HP_Constraint_SetEnabled(constraint, 1);
  return constraint;
}

function axisIn({ bodies }, body, axis) {
  if (body === GROUND) return axis;
  const [w, x, y, z] = bodies[body].orientation;
  return rotate([w, -x, -y, -z], axis);
}

const normalTo = ([x, y, z]) => (Math.abs(z) > 0.5 ? [z, 0, -x] : [-y, x, 0]);

function readState(bodies, state) {
  for (const [i, body] of bodies.entries()) {
    const [position, [x, y, z, w]] = answer(havok.HP_Body_GetQTransform(body));
    const velocity = answer(havok.HP_Body_GetLinearVelocity(body));
    const spin = answer(havok.HP_Body_GetAngularVelocity(body));
    state.set([...position, w, x, y, z, ...velocity, ...spin], STATE_SIZE * i);
  }
}

/** @type {import("./contestant.mjs").Contestant} */
const contestant = {
  name: "Havok",
  peer: "@babylonjs/havok",
  maximal: true,
  setting: "step",
  refuses: takesAll,
  async start(problem, step) {
    const world = answer(havok.HP_World_Create());
    havok.HP_World_SetGravity(world, problem.gravity);
    havok.HP_World_SetIdealStepTime(world, step);
    havok.HP_World_SetSpeedLimit(world, 1e6, 1e6);
    const ground = addGround(world);
    const bodies = problem.bodies.map((body) => addBody(world, body));
    const joints = problem.joints.map((joint) => addJoint(problem, joint, bodies, ground));
    return steppedRun(problem, step, {
      advance(count) {
        for (let i = 0; i < count; i++) havok.HP_World_Step(world, step);
      },
      read: (state) => readState(bodies, state),
      free() {
        for (const joint of joints) havok.HP_Constraint_Release(joint);
        for (const body of [ground, ...bodies]) {
          havok.HP_World_RemoveBody(world, body);
          havok.HP_Body_Release(body);
        }
        havok.HP_World_Release(world);
      },
    });
  },
};

export const contestants = [contestant];
