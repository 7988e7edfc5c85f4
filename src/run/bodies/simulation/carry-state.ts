// The state of a mechanism, when numbers of its geometry change while it runs.

import {
  BODY_POSITIONS,
  BODY_VELOCITIES,
  CoupleData,
  Prescribed,
} from "../../../../assembly/layout-bodies.js";
import type { ModelData } from "../../../describe/model/model-data.js";
import {
  add,
  cross,
  normalised,
  rotationOf,
  subtract,
  threeAt,
  times,
} from "../../../ground/algebra/vectors.js";
import type { Plan } from "../../../systems/bodies/plan/plan.js";

interface Moving {
  readonly q: Float64Array;
  readonly v: Float64Array;
}

/**
 * The state in which every body's frame is where it was and moves as it did. Positions are those of centres of mass: where
 * one has moved in its body, c' = c + R d and v' = v + omega x R d.
 */
export function withCentres(before: ModelData, after: ModelData, { q, v }: Moving): Moving {
  const moved = { q: q.slice(), v: v.slice() };
  for (const [body, { centre }] of after.bodies.entries()) {
    const d = subtract(centre, before.bodies[body]!.centre);
    if (d.every((x) => x === 0)) continue;
    const [at, rate] = [BODY_POSITIONS * body, BODY_VELOCITIES * body];
    const turn = rotationOf(normalised([q[at + 3]!, q[at + 4]!, q[at + 5]!, q[at + 6]!]));
    const arm = times(turn, d);
    const omega = times(turn, threeAt(v, rate + 3));
    moved.q.set(add(threeAt(q, at), arm), at);
    moved.v.set(add(threeAt(v, rate), cross(omega, arm)), rate);
  }
  return moved;
}

/** Slot of the factors of a coupling's sensors, one behind the other. */
const FACTORS = Prescribed.LENGTH + CoupleData.FACTOR_A;

/**
 * What angles count and couplings hold after a change. A coupling whose factors are others, as gears that are shifted, holds
 * from now on what it measures now: nothing jumps. Undefined where no coupling has changed.
 */
export function heldAnew(
  before: Plan,
  after: Plan,
  turns: Float64Array,
  sensors: () => Float64Array,
): Float64Array | undefined {
  const first = turns.length - after.couplings.length;
  const held = turns.slice();
  let changes = false;
  for (const [i, { slot, sensors: coupled }] of after.couplings.entries()) {
    const old = before.couplings[i]!.slot;
    const factor = (plan: Plan, from: number, k: number) => plan.data[from + FACTORS + k]!;
    if (coupled.every((_, k) => factor(before, old, k) === factor(after, slot, k))) continue;
    changes = true;
    const values = sensors();
    held[first + i] = coupled.reduce(
      (sum, sensor, k) => sum + factor(after, slot, k) * values[sensor]!,
      0,
    );
  }
  return changes ? held : undefined;
}
