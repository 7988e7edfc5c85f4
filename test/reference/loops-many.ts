// Sketches of mechanisms with several loops: platforms on legs, loops that share bodies, floating loops.

import type { Random } from "../support/random.js";
import { bennettLoop, planarLoop, randomPin, ring } from "./loops-single.js";
import { GROUND } from "./mechanism.js";
import { between, randomDirection, randomPoint, type Sketch, type SketchJoint } from "./sketch.js";
import { add, scale, subtract, type Vector } from "./vectors.js";

const PLATFORM = 0;

/** A leg from a point of the ground to one of the platform; `next` is the index of its first body. */
type LegBuilder = (random: Random, foot: Vector, top: Vector, next: number) => SketchJoint[];

const rodLeg: LegBuilder = (_, at, atB) => [{ type: "distance", a: GROUND, b: PLATFORM, at, atB }];

const crankLeg: LegBuilder = (random, foot, top, next) => {
  const knee = add(foot, scale(0.4, randomDirection(random)));
  return [
    { type: "revolute", a: GROUND, b: next, at: foot, axis: randomDirection(random) },
    { type: "distance", a: next, b: PLATFORM, at: knee, atB: top },
  ];
};

/** Two telescoping bodies: a hinge or a universal joint on the ground, a ball below the platform. */
const telescope =
  (foot: "revolute" | "universal"): LegBuilder =>
  (random, low, top, next) => {
    const along = subtract(top, low);
    const at = (part: number) => add(low, scale(part, along));
    return [
      { ...randomPin(random, foot, low), a: GROUND, b: next },
      { type: "prismatic", a: next, b: next + 1, at: at(0.5), axis: along },
      { type: "spherical", a: next + 1, b: PLATFORM, at: top },
    ];
  };

const PLATFORMS: readonly {
  readonly buildLeg: LegBuilder;
  readonly counts: readonly [number, number];
}[] = [
  { buildLeg: rodLeg, counts: [3, 5] },
  { buildLeg: crankLeg, counts: [3, 6] },
  { buildLeg: telescope("revolute"), counts: [2, 3] },
  { buildLeg: telescope("universal"), counts: [2, 3] },
];

/** A platform on legs of one kind. */
export function platform(random: Random): Sketch {
  const { buildLeg, counts } = PLATFORMS[Math.floor(between(random, 0, PLATFORMS.length))];
  const count = counts[0] + Math.floor(between(random, 0, counts[1] - counts[0] + 1));
  const joints: SketchJoint[] = [];
  for (let i = 0; i < count; i++) {
    const foot: Vector = [random(), random(), 0.2 * random()];
    const top: Vector = [0.6 * random(), 0.6 * random(), 1 + 0.2 * random()];
    const next = 1 + Math.max(PLATFORM, ...joints.flatMap(({ a, b }) => [a, b]));
    joints.push(...buildLeg(random, foot, top, next));
  }
  return { joints };
}

/** Another chain between two bodies of a mechanism. */
function bridged(
  { joints }: Sketch,
  [a, b]: readonly [number, number],
  pins: readonly Omit<SketchJoint, "a" | "b">[],
): Sketch {
  const next = 1 + Math.max(...joints.flatMap((joint) => [joint.a, joint.b]));
  const chain = pins.map((pin, i) => ({
    ...pin,
    a: i === 0 ? a : next + i - 1,
    b: i === pins.length - 1 ? b : next + i,
  }));
  return { joints: [...joints, ...chain] };
}

/** Two planar loops with a link in common, like Watt's and Stephenson's. */
function planarPair(random: Random): Sketch {
  const base = planarLoop(random);
  const pins = Array.from({ length: 3 }, () => ({
    type: "revolute" as const,
    at: [2 * random(), 2 * random(), random()] as Vector,
    axis: [0, 0, 1] as Vector,
  }));
  return bridged(base, [0, random() < 0 ? GROUND : 1], pins);
}

/** A redundant loop that drives a spatial one. */
function redundantAndNot(random: Random): Sketch {
  const base = random() < 0 ? planarLoop(random) : bennettLoop(random);
  const types = ["spherical", "spherical", "revolute"] as const;
  const pins = types.map((type) => randomPin(random, type));
  return bridged(base, [1, GROUND], pins);
}

/** Two spatial loops of mixed joints that share the bodies between ground and a link. */
function spatialPair(random: Random): Sketch {
  const first = ring(
    (["revolute", "universal", "spherical", "cylindrical"] as const).map((type) =>
      randomPin(random, type),
    ),
  );
  const second = (["spherical", "universal", "prismatic"] as const).map((type) =>
    randomPin(random, type),
  );
  return bridged(first, [0, random() < 0 ? 2 : GROUND], second);
}

/** Seven or eight hinges, or a planar loop, without contact to other bodies. */
function floating(random: Random): Sketch {
  const count = random() < 0 ? 7 : 8;
  if (random() < 0) {
    const { joints } = planarLoop(random);
    return ring(
      joints.map(({ a, b, ...pin }) => pin),
      true,
    );
  }
  return ring(
    Array.from({ length: count }, () => randomPin(random, "revolute")),
    true,
  );
}

/** A planar loop whose first link has a second hinge in line with its first: eight rows too many. */
function doorAndLoop(random: Random): Sketch {
  const { joints } = planarLoop(random);
  const [hinge] = joints;
  if (hinge.type !== "revolute") return doorAndLoop(random);
  const again = { ...hinge, at: add(hinge.at, [0, 0, between(random, 0.3, 0.8)] as Vector) };
  return { joints: [...joints, again] };
}

/** A bracket welded to a link, on a loop that a massless rod closes. */
function weldAndRod(random: Random): Sketch {
  const base = ring(
    (["revolute", "spherical", "cylindrical", "revolute"] as const).map((type) =>
      randomPin(random, type),
    ),
  );
  const at = randomPoint(random);
  const joints: SketchJoint[] = [
    ...base.joints,
    { type: "fixed", a: 1, b: 3, at },
    { type: "revolute", a: GROUND, b: 4, at: randomPoint(random), axis: randomDirection(random) },
    {
      type: "distance",
      a: 3,
      b: 4,
      at: add(at, randomDirection(random)),
      atB: randomPoint(random),
    },
  ];
  return { joints };
}

const NESTED = [planarPair, redundantAndNot, spatialPair, floating, doorAndLoop, weldAndRod];

export function nestedLoops(random: Random): Sketch {
  return NESTED[Math.floor(between(random, 0, NESTED.length))](random);
}
