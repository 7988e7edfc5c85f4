// Sketches of single loops: the ground, bodies in a row, and back to the ground.

import type { Random } from "../support/random.js";
import { GROUND, type JointType } from "./mechanism.js";
import { between, randomDirection, randomPoint, type Sketch, type SketchJoint } from "./sketch.js";
import { add, cross, scale, type Vector } from "./vectors.js";

type Pin = Omit<SketchJoint, "a" | "b">;

/** Joints in a row around a loop, from the ground to the ground; or, floating, from a body to itself. */
export function ring(pins: readonly Pin[], floating = false): Sketch {
  const count = pins.length;
  return {
    joints: pins.map((pin, i) => ({
      ...pin,
      a: floating ? i : i === 0 ? GROUND : i - 1,
      b: floating ? (i + 1) % count : i === count - 1 ? GROUND : i,
    })),
  };
}

/** A joint of a type at a random place, in random directions. */
export function randomPin(random: Random, type: JointType, at = randomPoint(random)): Pin {
  if (type === "spherical") return { type, at };
  const axis = randomDirection(random);
  if (type !== "universal") return { type, at, axis };
  return { type, at, axis, axisB: randomDirection(random) };
}

/** A loop of the given types, sometimes reversed or rotated. */
export function loopOf(random: Random, types: readonly JointType[]): Sketch {
  const order = random() < 0 ? types : [...types].reverse();
  return ring(order.map((type) => randomPin(random, type)));
}

const FREEDOMS: readonly (readonly [JointType, number])[] = [
  ["revolute", 1],
  ["revolute", 1],
  ["prismatic", 1],
  ["cylindrical", 2],
  ["universal", 2],
  ["spherical", 3],
];

/** Any types, with one to three degrees of freedom more than a loop needs. */
export function mixedLoop(random: Random): Sketch {
  for (;;) {
    const wanted = 7 + Math.floor(between(random, 0, 3));
    const types: JointType[] = [];
    let freedoms = 0;
    while (freedoms < wanted) {
      const [type, own] = FREEDOMS[Math.floor(between(random, 0, FREEDOMS.length))];
      types.push(type);
      freedoms += own;
    }
    // More slides than this are redundant; so are two bodies joined only by balls.
    const slides = types.filter((type) => type === "prismatic").length;
    if (freedoms === wanted && slides <= 2 && types.length > 2) return loopOf(random, types);
  }
}

/** A corner of a polygon, at any height. */
function corner(random: Random, i: number, n: number): Vector {
  // Around a square, so that neighbours are separated: no sines are needed.
  const along = (4 * i) / n;
  const side = Math.floor(along);
  const t = 2 * (along - side) - 1;
  const [x, y] = [
    [t, -1],
    [1, t],
    [-t, 1],
    [-1, -t],
  ][side];
  return [x + 0.4 * random(), y + 0.4 * random(), 0.5 * random()];
}

/** Hinges with parallel axes, one of them sometimes a slide in the plane: rank is 3 less than rows. */
export function planarLoop(random: Random): Sketch {
  const n = 4 + Math.floor(between(random, 0, 4));
  const slide = random() < -0.4 ? Math.floor(between(random, 0, n)) : -1;
  return ring(
    Array.from({ length: n }, (_, i): Pin => {
      const at = corner(random, i, n);
      if (i !== slide) return { type: "revolute", at, axis: [0, 0, 1] };
      return { type: "prismatic", at, axis: [random(), random(), 0] };
    }),
  );
}

/** Hinges whose axes meet in one point: as redundant as planar ones. */
export function sphericalLoop(random: Random): Sketch {
  const n = 4 + Math.floor(between(random, 0, 2));
  return ring(
    Array.from({ length: n }, (_, i): Pin => {
      const [x, y] = corner(random, i, n);
      const axis: Vector = [x, y, 1];
      return { type: "revolute", at: scale(between(random, 0.7, 1.3), axis), axis };
    }),
  );
}

/** Bricard's line-symmetric six hinges: three arbitrary ones, and these rotated by half a turn about a line. */
export function bricardLoop(random: Random): Sketch {
  const half = Array.from({ length: 3 }, () => randomPin(random, "revolute"));
  const turned = ([x, y, z]: Vector): Vector => [-x, -y, z];
  return ring([
    ...half,
    ...half.map((pin) => ({ ...pin, at: turned(pin.at), axis: turned(pin.axis as Vector) })),
  ]);
}

/** Sarrus: three parallel hinges, then three parallel ones of another direction. One row is redundant. */
export function sarrusLoop(random: Random): Sketch {
  const axes = [randomDirection(random), randomDirection(random)];
  return ring(
    Array.from({ length: 6 }, (_, i): Pin => {
      return { type: "revolute", at: randomPoint(random), axis: axes[Math.floor(i / 3)] };
    }),
  );
}

/**
 * Bennett's four hinges: equal opposite links, a / sin alpha = b / sin beta, and
 * tan(theta1 / 2) tan(theta2 / 2) = sin((beta + alpha) / 2) / sin((beta - alpha) / 2). Angles are given by the
 * tangents of half the angle, so sines and cosines are quotients.
 */
export function bennettLoop(random: Random): Sketch {
  const alpha = between(random, 0.4, 1);
  const beta = alpha * between(random, 0.3, 0.8);
  const theta = between(random, 0.4, 1.6) * (random() < 0 ? -1 : 1);
  const other = (beta + alpha) / (beta - alpha) / theta;
  const long = { length: 1, twist: alpha };
  const short = { length: sineCosine(beta)[0] / sineCosine(alpha)[0], twist: beta };
  let frame: readonly [Vector, Vector, Vector, Vector] = [
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  const pins = [short, long, short, long].map((link, i): Pin => {
    const [point, x, y, z] = frame;
    const at = add(point, scale(0.3 * random(), z));
    frame = nextHinge(frame, link, [theta, other, -theta, -other][i]);
    void [x, y];
    return { type: "revolute", at, axis: z };
  });
  // The first link is the ground: between the first hinge and the second.
  const joints = pins.map((pin, i) => ({
    ...pin,
    a: i < 2 ? GROUND : i - 2,
    b: i === 0 ? 2 : i - 1,
  }));
  return { joints };
}

/** sin and cos of an angle, from the tangent of half the angle. */
function sineCosine(t: number): readonly [number, number] {
  return [(2 * t) / (1 + t * t), (1 - t * t) / (1 + t * t)];
}

/** Moves along the rod, rotates by its twist, then by the angle of the hinge. */
function nextHinge(
  [point, x, y, z]: readonly [Vector, Vector, Vector, Vector],
  link: { readonly length: number; readonly twist: number },
  theta: number,
): readonly [Vector, Vector, Vector, Vector] {
  const [s, c] = sineCosine(link.twist);
  const axis = add(scale(-s, y), scale(c, z));
  const side = cross(axis, x);
  const [st, ct] = sineCosine(theta);
  const along = add(scale(ct, x), scale(st, side));
  return [add(point, scale(link.length, x)), along, cross(axis, along), axis];
}
