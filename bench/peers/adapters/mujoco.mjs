// Tree of joints in reduced coordinates; joints that close loops are `connect` constraints, which only need the
// point, since the tree keeps planar mechanisms planar.

import loadMujoco from "@mujoco/mujoco";
import { anchorOf, inBody, rotate, STATE_SIZE, spanningTree } from "../problems/problem.mjs";
import { steppedRun } from "./contestant.mjs";

const mujoco = await loadMujoco();
const BODY = mujoco.mjtObj.mjOBJ_BODY.value;

/** @typedef {import("../problems/problem.mjs").Problem} Problem */

function jointElement(problem, body, joint, orientation) {
  const type = joint.kind === "spherical" ? "ball" : joint.kind;
  const axis = type === "ball" ? "" : `axis="${turnedBack(orientation, joint.axis).join(" ")}"`;
  const side = joint.bodies[1] === body ? 1 : 0;
  return `<joint type="${type}" pos="${anchorOf(problem, joint, side).join(" ")}" ${axis}/>`;
}

/**
 * @param {Problem} problem
 * @param {number} step
 * @param {string} integrator
 */
function xmlOf(problem, step, integrator) {
  const { links, closures } = spanningTree(problem);
  const element = ({ body, parent, joint }) => {
    const { mass, moments, position, orientation } = problem.bodies[body];
    const place = parent < 0 ? position : inBody(problem.bodies[parent], position);
    const inner = links.filter((link) => link.parent === body).map(element);
    return `<body name="b${body}" pos="${place.join(" ")}">
      <inertial pos="0 0 0" mass="${mass}" diaginertia="${moments.join(" ")}"/>
      ${joint === undefined ? "<freejoint/>" : jointElement(problem, body, joint, orientation)}
      ${inner.join("")}</body>`;
  };
  // The stiffest the manual allows: a time constant of two steps, an impedance of 0.9999.
  const connect = (joint) => `<connect body1="b${joint.bodies[0]}" body2="b${joint.bodies[1]}"
    anchor="${anchorOf(problem, joint, 0).join(" ")}"
    solref="${2 * step} 1" solimp="0.9999 0.9999 0.001 0.5 2"/>`;
  const roots = links.filter(({ parent }) => parent < 0).map(element);
  return `<mujoco><compiler autolimits="true" boundmass="0" boundinertia="0"/>
    <option timestep="${step}" gravity="${problem.gravity.join(" ")}" integrator="${integrator}"
      solver="Newton" iterations="100" tolerance="1e-12">
      <flag contact="disable" sensor="disable" spring="disable" damper="disable"
        actuation="disable" limit="disable" frictionloss="disable"/></option>
    <worldbody>${roots.join("")}</worldbody>
    <equality>${closures.map(connect).join("")}</equality></mujoco>`;
}

const turnedBack = ([w, x, y, z], vector) => rotate([w, -x, -y, -z], vector);

/** Initial joint velocities: those of the bodies are consistent, so the angular ones suffice. */
function writeVelocities(problem, data) {
  let at = 0;
  const { qvel } = data;
  const visit = ({ body, parent, joint }, links) => {
    const { velocity, angularVelocity, orientation } = problem.bodies[body];
    const base = parent < 0 ? [0, 0, 0] : problem.bodies[parent].angularVelocity;
    const relative = angularVelocity.map((value, k) => value - base[k]);
    // Problems with sliders start at rest.
    const turning =
      joint !== undefined && joint.kind !== "spherical"
        ? [relative.reduce((sum, value, k) => sum + value * joint.axis[k], 0)]
        : turnedBack(orientation, relative);
    const own = joint === undefined ? [...velocity, ...turning] : turning;
    for (const value of own) qvel[at++] = value;
    for (const link of links) if (link.parent === body) visit(link, links);
  };
  const { links } = spanningTree(problem);
  for (const link of links) if (link.parent < 0) visit(link, links);
}

/**
 * The parser is recursive for nested bodies: it accepts 150 levels, and aborts or hangs with 200.
 *
 * @type {import("./contestant.mjs").Contestant["refuses"]}
 */
const tooDeep = ({ bodies }) =>
  bodies.length > 150 ? "its module runs out of stack when it reads so deep a tree" : undefined;

/**
 * @param {string} name
 * @param {string} integrator
 * @returns {import("./contestant.mjs").Contestant}
 */
const contestant = (name, integrator) => ({
  name,
  peer: "@mujoco/mujoco",
  maximal: false,
  setting: "step",
  refuses: tooDeep,
  async start(problem, step) {
    const model = mujoco.MjModel.from_xml_string(xmlOf(problem, step, integrator));
    const data = new mujoco.MjData(model);
    writeVelocities(problem, data);
    const index = problem.bodies.map((_, i) => mujoco.mj_name2id(model, BODY, `b${i}`));
    const motion = new mujoco.DoubleBuffer(6);
    return steppedRun(problem, step, {
      advance(count) {
        for (let i = 0; i < count; i++) mujoco.mj_step(model, data);
      },
      read: (state) => readState(model, data, index, motion, state),
      free() {
        motion.delete();
        data.delete();
        model.delete();
      },
    });
  },
});

/** After a step only joint coordinates are updated: bodies follow by kinematics, without the solver. */
function readState(model, data, index, motion, state) {
  mujoco.mj_kinematics(model, data);
  mujoco.mj_comPos(model, data);
  mujoco.mj_comVel(model, data);
  const { xipos, xquat } = data;
  for (let i = 0; i < index.length; i++) {
    const body = index[i];
    mujoco.mj_objectVelocity(model, data, BODY, body, motion, 0);
    const [wx, wy, wz, vx, vy, vz] = motion.GetView();
    state.set(xipos.subarray(3 * body, 3 * body + 3), STATE_SIZE * i);
    state.set(xquat.subarray(4 * body, 4 * body + 4), STATE_SIZE * i + 3);
    state.set([vx, vy, vz, wx, wy, wz], STATE_SIZE * i + 7);
  }
}

// Without damping implicitfast takes the same steps as Euler, and factors a matrix more.
export const contestants = [contestant("MuJoCo Euler", "Euler"), contestant("MuJoCo RK4", "RK4")];
