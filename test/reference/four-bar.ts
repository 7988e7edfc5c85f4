// The planar four-bar in one angle: closed-form kinematics, and Lagrange's equation with an inertia that depends on
// the angle,
//
//   T = I(theta) theta'^2 / 2,   I theta'' = -V' - I' theta'^2 / 2.
//
// It uses no constraints, so mass ratios do not affect its accuracy.

import { integrate } from "./extrapolation.js";
import { GROUND, type Mechanism, type ReferenceBody } from "./mechanism.js";
import type { Vector } from "./vectors.js";

/** A link, with its frame in its first hinge and x towards the second; the centre of mass may lie off that line. */
export interface Link {
  readonly length: number;
  readonly mass: number;
  /** About the centre of mass: about x, y and the normal of the plane. */
  readonly moments: Vector;
  readonly centre: readonly [number, number];
}

export interface FourBar {
  readonly crank: Link;
  readonly coupler: Link;
  /** From its hinge on the ground to the coupler. */
  readonly rocker: Link;
  /** Distance of the hinges on the ground. */
  readonly base: number;
  /** Angle of the crank at the start, and its rate. */
  readonly angle: number;
  readonly rate: number;
  /**
   * The coupler's far end lies to the left of the line from crank to ground hinge (1) or to the right (-1). In a
   * parallelogram that stays one (0) it changes sides in the singular poses, in which all links lie on one line.
   */
  readonly branch: 1 | -1 | 0;
  /** In the plane, along minus y. */
  readonly gravity: number;
}

type Pair = readonly [number, number];

const along = ([x, y]: Pair, [u, v]: Pair) => x * u + y * v;
const left = ([x, y]: Pair): Pair => [-y, x];
const sum = (...terms: readonly (readonly [number, Pair])[]): Pair => [
  terms.reduce((total, [k, [x]]) => total + k * x, 0),
  terms.reduce((total, [k, [, y]]) => total + k * y, 0),
];

/** A link as it moves: first hinge, direction, and their derivatives by theta. */
interface Moved {
  readonly hinge: readonly [Pair, Pair, Pair];
  readonly direction: Pair;
  readonly turn: Pair;
}

const ZERO: Pair = [0, 0];

/** Poses of the links at an angle of the crank, with first and second derivatives. */
function linksAt({ crank, coupler, rocker, base, branch }: FourBar, theta: number): Moved[] {
  const [a, b, c] = [crank.length, coupler.length, rocker.length];
  const e: Pair = [Math.cos(theta), Math.sin(theta)];
  const elbow = sum([a, e]);
  const far: Pair = [base, 0];
  const links = (f: Pair, g: Pair, phi: Pair, psi: Pair): Moved[] => [
    { hinge: [ZERO, ZERO, ZERO], direction: e, turn: [1, 0] },
    { hinge: [elbow, sum([a, left(e)]), sum([-a, e])], direction: f, turn: phi },
    { hinge: [far, ZERO, ZERO], direction: g, turn: psi },
  ];
  if (branch === 0) return links([1, 0], e, ZERO, [1, 0]);
  const gap = sum([1, far], [-1, elbow]);
  const distance = Math.sqrt(along(gap, gap));
  const part = (distance * distance + b * b - c * c) / (2 * distance);
  const height = branch * Math.sqrt(b * b - part * part);
  const f = sum([part / (distance * b), gap], [height / (distance * b), left(gap)]);
  const g = sum([1 / c, elbow], [b / c, f], [-1 / c, far]);
  // a e + b f = base + c g, derived once and twice; products with g and f leave one unknown each.
  const first = (k: Pair): Pair => [
    -along(k, g) / (b * along(left(f), g)),
    along(k, f) / (c * along(left(g), f)),
  ];
  const [phi1, psi1] = first(sum([a, left(e)]));
  const [phi2, psi2] = first(sum([-a, e], [-b * phi1 * phi1, f], [c * psi1 * psi1, g]));
  return links(f, g, [phi1, phi2], [psi1, psi2]);
}

/** The centre of mass of a link, with derivatives: s turns with the link. */
function centreOf({ centre }: Link, { hinge, direction, turn }: Moved): [Pair, Pair, Pair] {
  const s = sum([centre[0], direction], [centre[1], left(direction)]);
  return [
    sum([1, hinge[0]], [1, s]),
    sum([1, hinge[1]], [turn[0], left(s)]),
    sum([1, hinge[2]], [turn[1], left(s)], [-turn[0] * turn[0], s]),
  ];
}

/** theta'' at an angle and a rate. */
export function accelerationOf(bar: FourBar, theta: number, rate: number): number {
  const moved = linksAt(bar, theta);
  let [inertia, slope, weight] = [0, 0, 0];
  [bar.crank, bar.coupler, bar.rocker].forEach((link, i) => {
    const [, first, second] = centreOf(link, moved[i]);
    const [turn, change] = moved[i].turn;
    inertia += link.mass * along(first, first) + link.moments[2] * turn * turn;
    slope += 2 * (link.mass * along(first, second) + link.moments[2] * turn * change);
    weight += link.mass * bar.gravity * first[1];
  });
  return (-weight - (slope * rate * rate) / 2) / inertia;
}

/** Angle and rate of the crank at a time. */
export function angleAt(bar: FourBar, until: number, tolerance = 1e-14): readonly [number, number] {
  const rate = (y: Float64Array, out: Float64Array) => {
    out.set([y[1], accelerationOf(bar, y[0], y[1])]);
  };
  const [theta, speed] = integrate(rate, Float64Array.of(bar.angle, bar.rate), until, {
    tolerance,
  });
  return [theta, speed];
}

function bodiesAt(bar: FourBar, theta: number, rate: number): ReferenceBody[] {
  const moved = linksAt(bar, theta);
  return (["crank", "coupler", "rocker"] as const).map((name, i) => {
    const link = bar[name];
    const [[x, y], [u, v]] = centreOf(link, moved[i]);
    const half = Math.atan2(moved[i].direction[1], moved[i].direction[0]) / 2;
    const [first, second, third] = link.moments;
    return {
      name,
      mass: link.mass,
      inertia: [
        [first, 0, 0],
        [0, second, 0],
        [0, 0, third],
      ],
      position: [x, y, 0],
      orientation: [Math.cos(half), 0, 0, Math.sin(half)],
      velocity: [rate * u, rate * v, 0],
      angularVelocity: [0, 0, rate * moved[i].turn[0]],
    };
  });
}

/** The state of the whole linkage, as `Motion` has it. */
export function fourBarState(bar: FourBar, theta: number, rate: number): Float64Array {
  return Float64Array.from(
    bodiesAt(bar, theta, rate).flatMap(({ position, orientation, velocity, angularVelocity }) => [
      ...position,
      ...orientation,
      ...velocity,
      ...angularVelocity,
    ]),
  );
}

export const fourBarHinges = [
  "ground to crank",
  "crank to coupler",
  "coupler to rocker",
  "rocker to ground",
];

/** The four-bar as a mechanism with hinges, one of which may be tilted. */
export function fourBarMechanism(bar: FourBar, tilted = -1, tilt = 0): Mechanism {
  const [, { hinge, direction }] = linksAt(bar, bar.angle);
  const point = ([x, y]: Pair): Vector => [x, y, 0];
  const points = [
    point([0, 0]),
    point(hinge[0]),
    point(sum([1, hinge[0]], [bar.coupler.length, direction])),
    point([bar.base, 0]),
  ];
  return {
    name: "four-bar",
    gravity: [0, -bar.gravity, 0],
    bodies: bodiesAt(bar, bar.angle, bar.rate),
    joints: points.map((at, i) => ({
      name: fourBarHinges[i],
      type: "revolute",
      a: i === 0 ? GROUND : i - 1,
      b: i === 3 ? GROUND : i,
      at,
      axis: i === tilted ? [tilt, 0, 1] : [0, 0, 1],
    })),
  };
}

/** A slender rod: its radius is a hundredth of its length. */
export function rodLink(length: number, mass: number): Link {
  const across = (mass * length * length) / 12;
  const own = (mass * (length / 100) ** 2) / 2;
  return { length, mass, moments: [own, across, across], centre: [length / 2, 0] };
}

/** A ball in the middle of a link without mass. */
export function ballLink(length: number, mass: number): Link {
  const moment = 0.4 * mass * (0.1 * length) ** 2;
  return { length, mass, moments: [moment, moment, moment], centre: [length / 2, 0] };
}

/** Crank 0.3 m, coupler 1 m, rocker 0.8 m on a base of 1 m; the crank, which can go all round, at 5 rad/s. */
export function crankRocker(coupler: Link = rodLink(1, 1), angle = 1): FourBar {
  const [crank, rocker] = [rodLink(0.3, 1), rodLink(0.8, 1)];
  return { crank, coupler, rocker, base: 1, angle, rate: 5, branch: 1, gravity: 9.81 };
}

/** Two cranks of 0.5 m on a base of 1 m, and a coupler as long as that. */
export function parallelogram(masses: readonly [number, number, number], angle: number): FourBar {
  const [crank, coupler, rocker] = masses.map((mass, i) => rodLink(i === 1 ? 1 : 0.5, mass));
  return { crank, coupler, rocker, base: 1, angle, rate: -5, branch: 0, gravity: 9.81 };
}
