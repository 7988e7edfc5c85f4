// Random loops by class and index, identical in every run and on every engine.

import { type Random, seeded } from "../support/random.js";
import { nestedLoops, platform } from "./loops-many.js";
import {
  bennettLoop,
  bricardLoop,
  loopOf,
  mixedLoop,
  planarLoop,
  sarrusLoop,
  sphericalLoop,
} from "./loops-single.js";
import type { JointType, Mechanism } from "./mechanism.js";
import { between, type Masses, mechanismOf, placed, type Sketch } from "./sketch.js";
import { type ReferenceSolution, solutionOf } from "./solution.js";

type Maker = (random: Random) => Sketch;

const SEVEN = new Array<JointType>(7).fill("revolute");
const OVERCONSTRAINED: readonly Maker[] = [bennettLoop, bricardLoop, sarrusLoop, sphericalLoop];

/** Generator of a class, and its share of 300 loops. */
export const loopClasses = {
  planar: { make: planarLoop, count: 50 },
  "7R": { make: (random) => loopOf(random, SEVEN), count: 40 },
  RSSR: {
    make: (random) => loopOf(random, ["revolute", "spherical", "spherical", "revolute"]),
    count: 30,
  },
  RSCR: {
    make: (random) => loopOf(random, ["revolute", "spherical", "cylindrical", "revolute"]),
    count: 30,
  },
  mixed: { make: mixedLoop, count: 50 },
  platform: { make: platform, count: 40 },
  overconstrained: {
    make: (random) => OVERCONSTRAINED[Math.floor(between(random, 0, 4))](random),
    count: 30,
  },
  nested: { make: nestedLoops, count: 30 },
} as const satisfies Record<string, { make: Maker; count: number }>;

export type LoopClass = keyof typeof loopClasses;

export const loopClassNames = Object.keys(loopClasses) as LoopClass[];

/** Duration of runs in seconds. */
export const LOOP_SECONDS = 0.2;

/** Minimum distance from singular poses at all times; closer candidates are discarded. */
export const CLEAR = 3e-3;

/** Maximum speed, in rad/s or m/s; faster candidates were near a singular pose too. */
const FASTEST = 60;

/** Maximum number of steps of the reference; most loops need five, and motions beyond this are discarded. */
const ATTEMPTS = 40;

export interface Loop {
  readonly name: string;
  readonly loopClass: LoopClass;
  readonly mechanism: Mechanism;
  /** Reference run over {@link LOOP_SECONDS}, at 1e-13. */
  readonly solution: ReferenceSolution;
}

/** The first loops of a class. */
export function* loopsOf(
  loopClass: LoopClass,
  count: number = loopClasses[loopClass].count,
  masses?: Masses,
): Generator<Loop> {
  const first = 1e5 * (1 + loopClassNames.indexOf(loopClass));
  let found = 0;
  for (let seed = first; found < count; seed++) {
    const random = seeded(seed);
    const name = `${loopClass} ${seed - first}`;
    const sketch = placed(random, loopClasses[loopClass].make(random));
    const mechanism = mechanismOf(name, random, sketch, masses);
    if (!moves(mechanism)) continue;
    const solution = solutionOf(mechanism, LOOP_SECONDS, 1e-13, ATTEMPTS);
    if (!solution.steady || !(solution.smallest > CLEAR) || !isCalm(solution)) continue;
    found++;
    yield { name, loopClass, mechanism, solution };
  }
}

function moves({ bodies }: Mechanism): boolean {
  return bodies.some(({ velocity, angularVelocity }) =>
    [...velocity, ...angularVelocity].some((x) => x !== 0),
  );
}

function isCalm({ end }: ReferenceSolution): boolean {
  return end.every((x) => Math.abs(x) < FASTEST);
}
