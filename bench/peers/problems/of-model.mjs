// Models of nodrift as problems: hinges and balls between bodies whose axes are principal and lie along the
// world's at the start.

import { UPRIGHT } from "./problem.mjs";

const KINDS = { revolute: "hinge", spherical: "spherical" };

/**
 * @param {object} model of nodrift/bodies
 * @param {{ name: string, until: number, steps: readonly number[] }} run
 * @returns {import("./problem.mjs").Problem}
 */
export function problemOf(model, { name, until, steps }) {
  const { bodies, joints, markers, gravity } = model.data();
  return {
    name,
    title: model.name ?? name,
    gravity,
    planar: false,
    bodies: bodies.map(bodyOf),
    joints: joints.map(({ type, markers: [a, b] }) => {
      if (!(type in KINDS)) throw new Error(`no engine here supports a ${type} joint`);
      const { body, point, axes } = markers[b];
      return {
        kind: KINDS[type],
        bodies: [markers[a].body, body],
        at: point.map((value, k) => value + bodies[body].position[k]),
        axis: axes.slice(6),
      };
    }),
    until,
    steps,
    tolerances: [],
    energyScale: bodies.reduce((sum, { mass }) => sum + 9.81 * mass, 0),
    error: undefined,
    errorText: undefined,
  };
}

function bodyOf({ name, mass, inertia, centre, position, orientation, ...motion }) {
  const isUpright = orientation.every((value, k) => value === UPRIGHT[k]);
  const isPrincipal = inertia.every((value, k) => k % 4 === 0 || value === 0);
  if (!isUpright || !isPrincipal || centre.some((value) => value !== 0)) {
    throw new Error(`the axes of ${name} are not principal and the world's`);
  }
  const { velocity = [0, 0, 0], angularVelocity = [0, 0, 0] } = motion;
  const moments = [inertia[0], inertia[4], inertia[8]];
  return { name, mass, moments, position, orientation, velocity, angularVelocity };
}
