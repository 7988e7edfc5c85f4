// Random mechanisms: trees of all joints that have a tree form, in either direction, with bodies, points and axes
// anywhere.

import { type Body, type Joint, joints, type Model, model } from "nodrift/bodies";
import { type Random, seeded } from "../../support/random.js";

type V3 = [number, number, number];

export type TreeType = keyof typeof joints;

/** The first types in an order of their own, because seeds choose by it. */
const FIRST: readonly TreeType[] = [
  "revolute",
  "prismatic",
  "cylindrical",
  "screw",
  "spherical",
  "universal",
  "planar",
  "fixed",
];
/** All types of joints with a tree form. */
export const treeTypes: readonly TreeType[] = [
  ...FIRST,
  ...(Object.keys(joints) as TreeType[]).filter(
    (type) => joints[type].tree !== undefined && !FIRST.includes(type),
  ),
];

/** The body of a joint that is nearer to the ground. */
export type Side = "A" | "B";

export const three = (random: Random): V3 => [random(), random(), random()];

/** Two directions that are perpendicular. */
function arms(random: Random): [V3, V3] {
  const [[x, y, z], [a, b, c]] = [three(random), three(random)];
  const axisB: V3 = [y * c - z * b, z * a - x * c, x * b - y * a];
  return [[x, y, z], axisB];
}

/** A body anywhere, with its centre of mass near the origin of its frame. */
export function randomBody(m: Model, random: Random, name: string): Body {
  const [a, b, c] = three(random).map((x) => 1.5 + 0.4 * x) as V3;
  return m.body({
    name,
    mass: 2 + random(),
    inertia: [a, b, c],
    centre: three(random),
    position: three(random),
    orientation: { axis: three(random), angle: 3 * random() },
  });
}

/** Adds a joint of some type between bodies at their present poses. */
export function addJoint(
  m: Model,
  random: Random,
  type: TreeType,
  name: string,
  between: [Body, Body],
) {
  const at = three(random);
  const [axis, other] = arms(random);
  const places: Readonly<Record<string, unknown>> = {
    between,
    at,
    axis,
    axisA: axis,
    axisB: other,
  };
  const rules: Readonly<Record<string, { readonly needed?: boolean }>> = joints[type].options;
  const given = Object.entries(rules).flatMap(([key, { needed = false }]) => {
    if (key in places) return [[key, places[key]]];
    return needed ? [[key, 1 + 0.5 * random()]] : [];
  });
  return (m[type] as (options: object) => Joint)({ name, ...Object.fromEntries(given) });
}

export interface RandomTree {
  readonly seed: number;
  /** The joints, from the ground outwards; one body each. */
  readonly types: readonly TreeType[];
  /** Default: random. */
  readonly side?: Side | undefined;
  /** Whether the first body is free. */
  readonly free?: boolean | undefined;
  /** Whether every body hangs on the one before it. Default: on any earlier body. */
  readonly chain?: boolean | undefined;
}

/** A tree of bodies, named b0, b1, ... and joints j0, j1, ... */
export function randomTree(options: RandomTree): Model {
  return randomParts(options).m;
}

/** Returns the tree with its bodies and joints. */
export function randomParts({ seed, types, side, free = false, chain = false }: RandomTree): {
  m: Model;
  bodies: Body[];
  joints: Joint[];
} {
  const random = seeded(seed);
  const m = model({ name: `tree ${seed}`, gravity: three(random).map((x) => 9 * x) as V3 });
  const bodies = free ? [randomBody(m, random, "root")] : [m.ground];
  const joints: Joint[] = [];
  for (const [i, type] of types.entries()) {
    const place = chain ? i : Math.floor(((random() + 1) / 2) * bodies.length);
    const parent = bodies[place];
    const child = randomBody(m, random, `b${i}`);
    const isFromA = side === undefined ? random() < 0 : side === "A";
    const between: [Body, Body] = isFromA ? [parent, child] : [child, parent];
    joints.push(addJoint(m, random, type, `j${i}`, between));
    bodies.push(child);
  }
  return { m, bodies: bodies.filter((body) => body !== m.ground), joints };
}

/** Random types, equally frequent. */
export function randomTypes(random: Random, count: number): TreeType[] {
  return Array.from(
    { length: count },
    () => treeTypes[Math.floor(((random() + 1) / 2) * treeTypes.length)],
  );
}
