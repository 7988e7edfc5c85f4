// Linkages of many kinds. One family hides the others: in the N-four-bar, whose loops close linearly in joint coordinates,
// no stage has to be corrected. Links have the same moment of inertia about all axes, so that their frames can stand upright.

import { GROUND, UPRIGHT } from "./problem.mjs";

/** @typedef {import("./problem.mjs").Vector} Vector */

const Z = /** @type {Vector} */ ([0, 0, 1]);
const REST = /** @type {Vector} */ ([0, 0, 0]);

const between = (p, q, part = 0.5) => p.map((x, k) => x + part * (q[k] - x));
const distance = (p, q) => Math.hypot(...p.map((x, k) => x - q[k]));

class Linkage {
  bodies = [];
  joints = [];

  /** A link of 1 kg a metre between two points. */
  link(p, q) {
    const mass = distance(p, q);
    return this.body(between(p, q), mass, mass ** 3 / 12);
  }

  body(position, mass, moment) {
    const [velocity, angularVelocity] = [REST, REST];
    const moments = [moment, moment, moment];
    const name = `body ${this.bodies.length}`;
    this.bodies.push({
      name,
      mass,
      moments,
      position,
      orientation: UPRIGHT,
      velocity,
      angularVelocity,
    });
    return this.bodies.length - 1;
  }

  join(kind, a, b, at, axis = Z) {
    this.joints.push({ kind, bodies: [a, b], at, axis });
  }

  /** @returns {import("./problem.mjs").Problem} */
  problem(name, { gravity = [0, -9.81, 0], planar = true } = {}) {
    const { bodies, joints } = this;
    return {
      name,
      title: name,
      gravity,
      planar,
      bodies,
      joints,
      until: 0.5,
      steps: [1e-3],
      tolerances: [],
      energyScale: bodies.reduce((sum, { mass }) => sum + 9.81 * mass, 0),
      error: undefined,
      errorText: undefined,
    };
  }
}

/** The point at these distances from two others in the plane, to the left of the way from p to q. */
function meeting(p, q, toP, toQ) {
  const base = distance(p, q);
  const along = (toP ** 2 - toQ ** 2 + base ** 2) / (2 * base);
  const across = Math.sqrt(Math.max(0, toP ** 2 - along ** 2));
  const [x, y] = [(q[0] - p[0]) / base, (q[1] - p[1]) / base];
  return [p[0] + along * x - across * y, p[1] + along * y + across * x, 0];
}

/** Hinges at the ends of three links on a base. */
function fourBar(name, [crank, coupler, rocker, base], angle) {
  const linkage = new Linkage();
  const [a, d] = [REST, [base, 0, 0]];
  const b = [crank * Math.cos(angle), crank * Math.sin(angle), 0];
  const c = meeting(b, d, coupler, rocker);
  const links = [linkage.link(a, b), linkage.link(b, c), linkage.link(d, c)];
  linkage.join("hinge", GROUND, links[0], a);
  linkage.join("hinge", links[0], links[1], b);
  linkage.join("hinge", links[1], links[2], c);
  linkage.join("hinge", GROUND, links[2], d);
  return linkage.problem(name);
}

/** Four hinges, of which no two axes meet: sin(twist) / length is the same for all links (Bennett 1903). */
function bennett() {
  const linkage = new Linkage();
  const [short, long] = [1, 1.5];
  const [small, large] = [0.5, Math.asin(1.5 * Math.sin(0.5))];
  // From hinge to hinge: turn about z, move along x, twist about x. Opposite angles differ in sign, and
  // tan(angle / 2) tan(next / 2) = sin((small + large) / 2) / sin((small - large) / 2).
  const ratio = Math.sin((small + large) / 2) / Math.sin((small - large) / 2);
  const angle = 1;
  const next = 2 * Math.atan(ratio / Math.tan(angle / 2));
  let point = [0, 0, 0];
  let axes = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  const hinges = [];
  const combine = (p, s, q, t) => p.map((x, k) => s * x + t * q[k]);
  for (const [length, twist, turn] of [
    [long, large, angle],
    [short, small, next],
    [long, large, -angle],
    [short, small, -next],
  ]) {
    hinges.push([point, axes[2]]);
    const [x, y, z] = axes;
    const along = combine(x, Math.cos(turn), y, Math.sin(turn));
    const side = combine(y, Math.cos(turn), x, -Math.sin(turn));
    point = combine(point, 1, along, length);
    axes = [
      along,
      combine(side, Math.cos(twist), z, Math.sin(twist)),
      combine(z, Math.cos(twist), side, -Math.sin(twist)),
    ];
  }
  if (distance(point, hinges[0][0]) > 1e-12) throw new Error("the Bennett linkage does not close");
  const links = [0, 1, 2].map((i) => linkage.link(hinges[i][0], hinges[i + 1][0]));
  linkage.join("hinge", GROUND, links[0], ...hinges[0]);
  linkage.join("hinge", links[0], links[1], ...hinges[1]);
  linkage.join("hinge", links[1], links[2], ...hinges[2]);
  linkage.join("hinge", GROUND, links[2], ...hinges[3]);
  return linkage.problem("Bennett", { planar: false, gravity: [0, -9.81, -3] });
}

/** A crank with rods and pistons: one is the slider-crank, four an engine. */
function engine(name, angles) {
  const linkage = new Linkage();
  const pins = angles.map((angle, i) => [0.3 * Math.cos(angle), 0.3 * Math.sin(angle), i]);
  const crank = linkage.body([0, 0, (angles.length - 1) / 2], 2, 0.5);
  linkage.join("hinge", GROUND, crank, REST);
  for (const pin of pins) {
    const wrist = [pin[0] + Math.sqrt(1 - pin[1] ** 2), 0, pin[2]];
    const piston = linkage.body(wrist, 0.5, 0.01);
    linkage.join("slide", GROUND, piston, wrist, [1, 0, 0]);
    const rod = linkage.link(pin, wrist);
    linkage.join("hinge", crank, rod, pin);
    linkage.join("hinge", rod, piston, wrist);
  }
  return linkage.problem(name);
}

/** A plate on six legs, each of two parts with a ball joint at both ends. */
function stewart() {
  const linkage = new Linkage();
  const at = (radius, angle, height) => [
    radius * Math.cos(angle),
    radius * Math.sin(angle),
    height,
  ];
  const struts = [0, 1, 2, 3, 4, 5].map((i) => {
    const middle = (2 * Math.PI * Math.floor(i / 2)) / 3;
    const side = i % 2 === 0 ? -1 : 1;
    return [at(1, middle + 0.9 * side, 0), at(0.6, middle + 0.2 * side, 1.2)];
  });
  const plate = linkage.body([0, 0, 1.2], 10, 0.8);
  for (const [foot, head] of struts) {
    const axis = foot.map((x, k) => (head[k] - x) / distance(foot, head));
    const lower = linkage.body(between(foot, head, 0.3), 1, 0.02);
    const upper = linkage.body(between(foot, head, 0.7), 1, 0.02);
    linkage.join("spherical", GROUND, lower, foot);
    linkage.join("slide", lower, upper, head, axis);
    linkage.join("spherical", upper, plate, head);
  }
  return linkage.problem("Stewart platform", { planar: false, gravity: [0, 0, -9.81] });
}

/** Three arms on hinges, and a plate on two rods from each: the delta robot. */
function delta() {
  const linkage = new Linkage();
  const plate = linkage.body([0, 0, -0.9], 1, 0.05);
  for (const angle of [0, (2 * Math.PI) / 3, (4 * Math.PI) / 3]) {
    const out = [Math.cos(angle), Math.sin(angle), 0];
    const side = [-Math.sin(angle), Math.cos(angle), 0];
    const base = out.map((x) => 0.3 * x);
    const elbow = [0.6 * out[0], 0.6 * out[1], -0.15];
    const arm = linkage.link(base, elbow);
    linkage.join("hinge", GROUND, arm, base, side);
    for (const sign of [-1, 1]) {
      const top = elbow.map((x, k) => x + 0.1 * sign * side[k]);
      const foot = [0.15 * out[0], 0.15 * out[1], -0.9].map((x, k) => x + 0.1 * sign * side[k]);
      const rod = linkage.link(top, foot);
      linkage.join("spherical", arm, rod, top);
      linkage.join("spherical", rod, plate, foot);
    }
  }
  return linkage.problem("delta robot", { planar: false, gravity: [0, 0, -9.81] });
}

/** @type {readonly import("./problem.mjs").Problem[]} */
export const linkages = [
  fourBar("four-bar", [1, 3, 2.5, 2.2], 0.3),
  fourBar("four-bar in line once a revolution", [1, 3, 2.5, 1.5], 0.8),
  fourBar("change-point four-bar", [1, 2, 1.2, 1.8], 1),
  bennett(),
  engine("slider-crank", [0.7]),
  engine("engine with four cylinders", [0.7, 0.7 + Math.PI, 0.7 + Math.PI, 0.7]),
  stewart(),
  delta(),
];
