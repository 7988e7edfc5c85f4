// A tree with every joint that has a tree form and every force law, and a loop.

import { type Body, type Model, model } from "nodrift/bodies";

const JOINTS = [
  "revolute",
  "universal",
  "cylindrical",
  "spherical",
  "screw",
  "prismatic",
  "planar",
  "fixed",
] as const;

/** A chain of bodies, each on a joint of another type; a body on springs, and the last held by a rod. */
export function treeOfAll(): Model {
  const m = model({ name: "tree of all joints", gravity: [0, 0, -9.81] });
  const bodies: Body[] = [m.ground];
  for (const [i, type] of JOINTS.entries()) {
    const body = m.body({
      name: type,
      mass: 2 + 0.1 * i,
      inertia: [0.3, 0.4, 0.5],
      centre: [0.1, 0.05, -0.08],
      position: [0.6 * (i + 1), 0.1 * (i % 3), 0.05 * i],
      orientation: { axis: [1, 0.5, i], angle: 0.3 },
    });
    const between = [bodies[i], body] as const;
    const at = [0.6 * i + 0.3, 0.05, 0.02 * i] as const;
    const axis = [0.2, 1, 0.3 * (i % 3)] as const;
    const name = `joint ${type}`;
    if (type === "universal") {
      m.universal({ name, between, at, axisA: [1, 2, 0], axisB: [-2, 1, 1] });
    } else if (type === "spherical") {
      m.spherical({ name, between, at });
    } else if (type === "screw") {
      m.screw({ name, between, at, axis, pitch: 0.3 });
    } else {
      const joint = m[type]({ name, between, at, axis });
      if (type === "revolute") m.torsionSpring({ joint, stiffness: 200, damping: 3, angle: 0.1 });
    }
    bodies.push(body);
  }
  addForces(m, bodies);
  m.distance({ name: "rod", between: [m.ground, bodies[8]], atA: [5, 1, 1], atB: [4.9, 0.2, 0.4] });
  return m;
}

function addForces(m: Model, bodies: readonly Body[]): void {
  const free = m.body({ name: "free", mass: 3, inertia: [1, 1.2, 1.4], position: [2, 0, -1] });
  m.spring({ between: [bodies[3], free], stiffness: 300, damping: 5, length: 0.8 });
  m.spring({ between: [m.ground, free], atA: [2, 1, 0], stiffness: 400, damping: 5, length: 1 });
  m.bushing({
    between: [bodies[2], bodies[5]],
    at: [2, 0, 0],
    stiffness: { translation: 100, rotation: 50 },
    damping: { translation: 4, rotation: 2 },
  });
  m.pointForce({ on: bodies[4], at: [2.4, 0, 0], force: [1, 2, 3], frame: "body" });
  m.torque({ on: bodies[6], torque: [1, 0, 2], frame: "world" });
  m.drag({ on: bodies[7], linear: 2, angular: 1 });
  m.tyre({
    wheel: free,
    radius: 1.2,
    stiffness: 500,
    damping: 10,
    at: [0, 0, -2],
    bilateral: true,
  });
}
