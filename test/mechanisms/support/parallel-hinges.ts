// Members joined by parallel hinges, so that their loops have redundant rows, in a random frame and with one tilted
// axis.

import { type Body, type Model, model } from "nodrift/bodies";
import { type Random, seeded } from "../../support/random.js";

type Point = readonly [x: number, z: number];
/** The two members of a hinge (-1 is the ground), and its position. */
type Hinge = readonly [a: number, b: number, at: Point];

const GROUND = -1;

/** Members in series between two grounded ends, at given slopes. */
function chain(slopes: readonly number[], random: Random): Hinge[] {
  let [x, z] = [0, 0];
  const hinges: Hinge[] = slopes.map((slope, i) => {
    const hinge: Hinge = [i - 1, i, [x, z]];
    const length = 0.8 + 0.5 * random();
    x += length * Math.cos(slope);
    z += length * Math.sin(slope);
    return hinge;
  });
  return [...hinges, [slopes.length - 1, GROUND, [x, z]]];
}

/** Levels of parallel cranks, each with a beam on top. */
function storeys(count: number, cranks: number, slope: number): Hinge[] {
  const at = (crank: number, storey: number): Point => [
    crank + storey * Math.cos(slope),
    storey * Math.sin(slope),
  ];
  return Array.from({ length: count * cranks }, (_, i) => i).flatMap((i): Hinge[] => {
    const [storey, crank] = [Math.floor(i / cranks), i % cranks];
    const beam = (level: number) => level * (cranks + 1) - 1;
    const own = storey * (cranks + 1) + crank;
    return [
      [storey === 0 ? GROUND : beam(storey), own, at(crank, storey)],
      [own, beam(storey + 1), at(crank, storey + 1)],
    ];
  });
}

const kinds = {
  planks: (n: number, random: Random) => chain(Array(n).fill(0), random),
  arch: (n: number, random: Random) =>
    chain(
      Array.from({ length: n }, (_, i) => 1.2 - (2.4 * (i + 0.5)) / n),
      random,
    ),
  cranks: (n: number, random: Random) => storeys(1, n, 0.8 + 0.4 * random()),
  grid: (n: number, random: Random) => storeys(2, Math.ceil(n / 2) + 1, 0.8 + 0.4 * random()),
} satisfies Record<string, (n: number, random: Random) => Hinge[]>;

export type HingedKind = keyof typeof kinds;
export const hingedKinds = Object.keys(kinds) as HingedKind[];

/** Creates the model with n members; one axis that is not at the ends is tilted by `tilt`. */
export function parallelHinges(kind: HingedKind, n: number, tilt: number, seed: number): Model {
  const random = seeded(seed);
  const hinges = kinds[kind](n, random);
  const world = frame(random);
  const m = model({ name: `${kind} of ${n}` });
  const count = 1 + Math.max(...hinges.map(([a, b]) => Math.max(a, b)));
  const members = Array.from({ length: count }, (_, i) => {
    const own = hinges.filter(([a, b]) => a === i || b === i).map(([, , at]) => at);
    const middle: Point = [mean(own.map(([x]) => x)), mean(own.map(([, z]) => z))];
    return m.body({ name: `m${i}`, mass: 1, inertia: [1, 1, 1], position: world(middle) });
  });
  const bodyOf = (member: number): Body => members[member] ?? m.ground;
  const tilted = 1 + Math.floor(((1 + random()) / 2) * (hinges.length - 2));
  for (const [i, [a, b, at]] of hinges.entries()) {
    const [from, to] = [world(at), world(at, 1, i === tilted ? tilt : 0)];
    const axis = [to[0] - from[0], to[1] - from[1], to[2] - from[2]] as const;
    m.revolute({ name: `h${i}`, between: [bodyOf(a), bodyOf(b)], at: from, axis });
  }
  return m;
}

const mean = (values: readonly number[]) => values.reduce((sum, x) => sum + x, 0) / values.length;

/**
 * Maps points of a plane to the world: into the plane of x and z for half of the seeds, else rotated and shifted; `up`
 * leaves the plane.
 */
function frame(random: Random) {
  const isPlain = random() < 0;
  const [a, b] = isPlain ? [0, 0] : [3 * random(), 3 * random()];
  const origin = isPlain ? [0, 0, 0] : [5 * random(), 5 * random(), 5 * random()];
  const [ca, sa, cb, sb] = [Math.cos(a), Math.sin(a), Math.cos(b), Math.sin(b)];
  return ([x, z]: Point, up = 0, along = 0) => {
    // About z by a, then about x by b.
    const [u, w] = [x * ca - up * sa, x * sa + up * ca];
    const height = z + along;
    return [
      origin[0]! + u,
      origin[1]! + w * cb - height * sb,
      origin[2]! + w * sb + height * cb,
    ] as const;
  };
}
