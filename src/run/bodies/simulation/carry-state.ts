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
import { NodriftError } from "../../../ground/errors.js";
import type { Plan } from "../../../systems/bodies/plan/plan.js";
import { angleCount } from "../../../systems/bodies/system/angle-continuation.js";

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

/** What the thread of a screw holds is a constant of the tree, which a run cannot change. */
export function refuseThreads(before: Plan, after: Plan): void {
  const isScrew = ({ joint }: { joint: number }) => after.model.joints[joint]!.type === "screw";
  const numbersOf = ({ block }: Plan["blocks"][number]) =>
    block.rows.flatMap(({ constants }) => constants);
  const changed = after.blocks.find(
    (block, i) =>
      isScrew(block) &&
      numbersOf(block).some((value, k) => value !== numbersOf(before.blocks[i]!)[k]),
  );
  if (changed === undefined) return;
  throw new NodriftError(
    "STEP",
    `set: the pitch of screw "${after.model.joints[changed.joint]!.name}" can be set in a simulation, or where the model is ` +
      'compiled with coordinates: "maximal"',
  );
}

/** At the start a coupling holds what compiling found; rounding is no reason to hold something else. */
const ROUNDING = 1e-14;

/**
 * What angles count and couplings hold after a change. A coupling whose factors are others, as gears that are shifted, holds
 * from now on what it measures now: nothing jumps. Undefined where no
 * coupling has changed.
 */
export function heldAnew(
  before: Plan,
  after: Plan,
  turns: Float64Array,
  sensors: () => Float64Array,
): Float64Array | undefined {
  const first = angleCount(after);
  const held = turns.slice();
  let changes = false;
  for (const [i, { slot, sensors: coupled }] of after.couplings.entries()) {
    const old = before.couplings[i]!.slot;
    const factor = (plan: Plan, from: number, k: number) => plan.data[from + FACTORS + k]!;
    if (coupled.every((_, k) => factor(before, old, k) === factor(after, slot, k))) continue;
    changes = true;
    const values = sensors();
    const parts = coupled.map((sensor, k) => factor(after, slot, k) * values[sensor]!);
    const sum = parts.reduce((total, part) => total + part, 0);
    const size = parts.reduce((most, part) => Math.max(most, Math.abs(part)), 1);
    const own = after.data[slot + Prescribed.VALUE]!;
    held[first + i] = Math.abs(sum - own) <= ROUNDING * size ? own : sum;
  }
  return changes ? held : undefined;
}
