// One small mechanism for each primitive, with random geometry.

import { markerAt } from "../oracles/primitives.js";
import {
  dataSlot,
  type Mechanism,
  type MechanismSpec,
  mechanism,
  RowKind,
  SensorKind,
} from "./body-harness.js";
import { randomise, randomMarker, randomPair, worstOf } from "./body-motion.js";
import { isDebug } from "./debug.js";
import { type Random, randomVector, seeded } from "./random.js";

export type MakeSpec = (random: Random, index: number) => MechanismSpec;

/** A row between two markers. */
const pair =
  (kind: RowKind, data: readonly number[] = [], axisB?: number): MakeSpec =>
  (random, index) => ({
    bodies: 2,
    markers: randomPair(random, index),
    rows: [{ kind, a: 0, b: 1, axisA: index % 3, axisB: axisB ?? Math.floor(index / 3) % 3, data }],
  });

/** A coupled sensor alone. */
const single =
  (kind: SensorKind): MakeSpec =>
  (random, index) => ({
    bodies: 2,
    markers: randomPair(random, index),
    sensors: [{ kind, a: 0, b: 1 }],
    rows: [{ kind: RowKind.COUPLE, a: 0, b: -1, data: [0, 0, 0, 1.3, 0] }],
  });

/** Two sensors between three bodies, one of them in both; every fourth time also the ground. */
const double =
  (first: SensorKind, second: SensorKind): MakeSpec =>
  (random, index) => ({
    bodies: 3,
    markers: [0, 1, index % 4 === 0 ? -1 : 1, 2].map((body) => randomMarker(random, body)),
    sensors: [
      { kind: first, a: 0, b: 1 },
      { kind: second, a: 2, b: 3 },
    ],
    rows: [{ kind: RowKind.COUPLE, a: 0, b: 1, data: [0, 0, 0, 0.7, -1.9] }],
  });

/** Holonomic rows. */
export const holonomicCases: Record<string, MakeSpec> = {
  coincide: pair(RowKind.COINCIDE),
  dot1: pair(RowKind.DOT1),
  dot2: pair(RowKind.DOT2, [0.3, 0, 0]),
  distance: pair(RowKind.DISTANCE, [1.5, 0, 0, 1 / 1.5]),
  "a coupled angle": single(SensorKind.ANGLE),
  "a coupled displacement": single(SensorKind.DISPLACEMENT),
  "a coupled length": single(SensorKind.LENGTH),
  "an angle and a displacement": double(SensorKind.ANGLE, SensorKind.DISPLACEMENT),
  "two angles": double(SensorKind.ANGLE, SensorKind.ANGLE),
  "a length and an angle": double(SensorKind.LENGTH, SensorKind.ANGLE),
  "height of a disk": pair(RowKind.WHEEL_HEIGHT, [0.6], 1),
  "height of a sphere": pair(RowKind.WHEEL_HEIGHT, [0.6], 0),
};

/** Velocity rows. */
export const velocityCases: Record<string, MakeSpec> = {
  "rolling disk": pair(RowKind.ROLLING, [0.6], 1),
  "rolling sphere": pair(RowKind.ROLLING, [0.6], 0),
  "knife edge": pair(RowKind.KNIFE_EDGE),
};

/** A mechanism at a random state that is not nearly singular. */
export function randomMechanism(make: MakeSpec, random: Random, index: number): Mechanism {
  const made = mechanism(make(random, index));
  do randomise(random, made);
  while (!isRegular(made));
  made.lambda.set(randomVector(random, made.rowCount));
  return made;
}

/** Whether points do not coincide and the axes of rows are not nearly parallel. */
function isRegular({ q, spec }: Mechanism): boolean {
  for (let first = 0; first < spec.markers.length; first += 2) {
    const [A, B] = [first, first + 1].map((index) => markerAt(spec.markers[index], q));
    const cosine = (i: number) =>
      Math.abs(A.axis(2).reduce((sum, x, k) => sum + x * B.axis(i)[k], 0));
    const apart = Math.hypot(...A.point.map((x, k) => x - B.point[k]));
    if (apart < 0.5 || cosine(0) > 0.8 || cosine(2) > 0.8) return false;
  }
  return true;
}

/** Prescribes f(t) = x0 + sin(2 t + 1) / 3 with its derivatives, if the row has a function of time. */
export function timeLaw(m: Mechanism): (t: number) => void {
  const { kind, data = [] } = m.spec.rows[0];
  const at = dataSlot(m.spec, 0);
  if (![RowKind.DOT2, RowKind.DISTANCE, RowKind.COUPLE].includes(kind)) return () => {};
  return (t) => {
    const [sine, cosine] = [Math.sin(2 * t + 1), Math.cos(2 * t + 1)];
    m.data.set([data[0] + sine / 3, (2 / 3) * cosine, (-4 / 3) * sine], at);
  };
}

const STATES = isDebug ? 20 : 200;

/** The largest errors over many random mechanisms and states. */
export function overStates<T extends Record<string, number>>(
  make: MakeSpec,
  measure: (m: Mechanism) => T,
): T {
  const random = seeded(7);
  return worstOf(
    Array.from({ length: STATES }, (_, index) => measure(randomMechanism(make, random, index))),
  );
}
