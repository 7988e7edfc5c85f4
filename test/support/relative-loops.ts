// Mechanisms with loops for tests of spanning trees, cuts and freed bodies. `nFourBar`, `bennett` and `hmmwv` of
// nodrift/mechanisms belong to them as well.

import { type Body, box, type Model, model, rod, type Vector } from "nodrift/bodies";
import { type FourBar, fourBarMechanism, rodLink } from "../reference/four-bar.js";
import { modelOf } from "../reference/nodrift-model.js";

const Z: Vector = [0, 0, 1];
const AT_REST = { velocity: [0, 0, 0], angularVelocity: [0, 0, 0] } as const;

/**
 * Links of 1 m, 3 m and 2.5 m on a base of 1.5 m: 1 + 3 = 2.5 + 1.5, so all links lie on one line once per revolution
 * of the crank, and the linkage may leave that pose on two branches.
 */
export function inlineFourBar(angle = 2, rate = 5): FourBar {
  const [crank, coupler, rocker] = [1, 3, 2.5].map((length) => rodLink(length, length));
  return { crank, coupler, rocker, base: 1.5, angle, rate, branch: 1, gravity: 9.81 };
}

/** {@link inlineFourBar} as a model. */
export const inlineFourBarModel = (angle?: number, rate?: number): Model =>
  modelOf(fourBarMechanism(inlineFourBar(angle, rate)));

type Point = readonly [x: number, y: number];

/** Motion of a link of a planar mechanism: the velocity of its middle, and its angular rate. */
interface PlaneMotion {
  readonly velocity: Point;
  readonly rate: number;
}

const REST: PlaneMotion = { velocity: [0, 0], rate: 0 };

/** Adds a rod of 1 kg a metre between two points of the plane. */
function link(
  m: Model,
  name: string,
  [x, y]: Point,
  [u, v]: Point,
  { velocity, rate }: PlaneMotion = REST,
): Body {
  const [dx, dy] = [u - x, v - y];
  const length = Math.sqrt(dx * dx + dy * dy);
  const [c, s] = [dx / length, dy / length];
  return m.body({
    name,
    mass: length,
    shape: rod({ length, axis: [1, 0, 0] }),
    position: [(x + u) / 2, (y + v) / 2, 0],
    orientation: [c, s, 0, -s, c, 0, 0, 0, 1],
    velocity: [...velocity, 0],
    angularVelocity: [0, 0, rate],
  });
}

/** Adds a hinge normal to the plane. */
function hinge(m: Model, name: string, a: Body, b: Body, [x, y]: Point): void {
  m.revolute({ name, between: [a, b], at: [x, y, 0], axis: Z });
}

/**
 * A net of four-bars that hangs from the ground: `rows` x `columns` cells, each a parallelogram of 1 m, released with
 * tilted uprights. Each row has one degree of freedom. One column is a ladder, hung at one end.
 */
export function mesh(rows: number, columns: number): Model {
  const m = model({ name: `mesh of ${rows} x ${columns}`, gravity: [0, -9.81, 0] });
  const node = (i: number, j: number): Point => [j + 0.6 * i, -0.8 * i];
  let above: readonly Body[] = Array.from({ length: columns + 1 }, () => m.ground);
  for (let i = 1; i <= rows; i++) {
    const uprights = above.map((body, j) => {
      const upright = link(m, `upright ${i}, ${j}`, node(i - 1, j), node(i, j));
      hinge(m, `top ${i}, ${j}`, body, upright, node(i - 1, j));
      return upright;
    });
    for (let j = 0; j < columns; j++) {
      const rung = link(m, `rung ${i}, ${j}`, node(i, j), node(i, j + 1));
      hinge(m, `left ${i}, ${j}`, uprights[j], rung, node(i, j));
      hinge(m, `right ${i}, ${j}`, rung, uprights[j + 1], node(i, j + 1));
    }
    above = uprights;
  }
  return m;
}

/** A ladder of four-bar cells that hangs at one end, with one degree of freedom per cell. */
export const ladder = (cells: number): Model => mesh(cells, 1);

/** A hub on a hinge that drives many rockers around it by couplers: loops that share a single body. */
export function star(loops: number): Model {
  const m = model({ name: `star of ${loops}`, gravity: [0, -9.81, 0] });
  const inertia = [0.5, 0.5, 1] as const;
  const hub = m.body({ name: "hub", mass: 2, inertia, velocity: [0, 0, 0], angularVelocity: Z });
  m.revolute({ name: "hub", between: [m.ground, hub], at: [0, 0, 0], axis: Z });
  for (let i = 0; i < loops; i++) {
    const angle = (2 * Math.PI * i) / loops;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    // Parallelograms, whose couplers are initially perpendicular to the arm of the hub.
    const [pin, foot]: Point[] = [
      [0.5 * c, 0.5 * s],
      [-2 * s, 2 * c],
    ];
    const far: Point = [pin[0] + foot[0], pin[1] + foot[1]];
    const velocity: Point = [-pin[1], pin[0]];
    const half: Point = [-pin[1] / 2, pin[0] / 2];
    const coupler = link(m, `coupler ${i}`, pin, far, { velocity, rate: 0 });
    const rocker = link(m, `rocker ${i}`, foot, far, { velocity: half, rate: 1 });
    hinge(m, `pin ${i}`, hub, coupler, pin);
    hinge(m, `far ${i}`, coupler, rocker, far);
    hinge(m, `foot ${i}`, m.ground, rocker, foot);
  }
  return m;
}

/** A closed, free belt of links of 0.1 m: a circle that rotates about its middle with 2 rad/s and falls. */
export function belt(links: number): Model {
  const m = model({ name: `belt of ${links}`, gravity: [0, -9.81, 0] });
  const rate = 2;
  const radius = 0.05 / Math.sin(Math.PI / links);
  const node = (i: number): Point => {
    const angle = (2 * Math.PI * (i % links)) / links;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  };
  const bodies = Array.from({ length: links }, (_, i) => {
    const [[x, y], [u, v]] = [node(i), node(i + 1)];
    const velocity: Point = [(-rate * (y + v)) / 2, (rate * (x + u)) / 2];
    return link(m, `link ${i}`, [x, y], [u, v], { velocity, rate });
  });
  bodies.forEach((body, i) => {
    hinge(m, `hinge ${i}`, bodies[(i + links - 1) % links], body, node(i));
  });
  return m;
}

/**
 * A Stewart platform: six legs of two telescoping bodies, on universal joints below and balls above, with a
 * spring in each. 13 bodies, 6 degrees of freedom, five loops.
 */
export function stewartPlatform(): Model {
  const m = model({ name: "Stewart platform", gravity: [0, 0, -9.81] });
  const shape = box({ x: 1, y: 1, z: 0.1 });
  const top = m.body({ name: "platform", mass: 10, shape, position: [0, 0, 1.2], ...AT_REST });
  for (let i = 0; i < 6; i++) {
    // Feet and heads in pairs, so that legs lean to both sides in turn.
    const third = (2 * Math.PI * Math.floor(i / 2)) / 3;
    const lean = i % 2 === 0 ? -1 : 1;
    const on = (radius: number, angle: number, z: number): Vector => [
      radius * Math.cos(third + angle),
      radius * Math.sin(third + angle),
      z,
    ];
    const [foot, head] = [on(1, 0.15 * lean, 0), on(0.6, 0.9 * lean, 1.2)];
    addLeg(m, `leg ${i}`, top, foot, head); // words-ok: of a platform
  }
  return m;
}

function addLeg(m: Model, name: string, top: Body, foot: Vector, head: Vector): void {
  const along: Vector = [head[0] - foot[0], head[1] - foot[1], head[2] - foot[2]];
  const at = (part: number): Vector => [
    foot[0] + part * along[0],
    foot[1] + part * along[1],
    foot[2] + part * along[2],
  ];
  const inertia = [0.05, 0.05, 0.05] as const;
  const half = { mass: 1, inertia, ...AT_REST };
  const lower = m.body({ name: `${name}, lower`, ...half, position: at(0.3) });
  const upper = m.body({ name: `${name}, upper`, ...half, position: at(0.7) });
  const across: Vector = [along[1], -along[0], 0];
  m.universal({
    name: `${name}, foot`,
    between: [m.ground, lower],
    at: foot,
    axisA: across,
    axisB: [
      across[1] * along[2] - across[2] * along[1],
      across[2] * along[0] - across[0] * along[2],
      across[0] * along[1] - across[1] * along[0],
    ],
  });
  m.prismatic({ name: `${name}, slide`, between: [lower, upper], at: at(0.5), axis: along });
  m.spherical({ name: `${name}, head`, between: [upper, top], at: head });
  m.spring({ between: [lower, upper], stiffness: 2000, damping: 20 });
}
