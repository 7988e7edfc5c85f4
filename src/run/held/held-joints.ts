// Joints that are locked while a mechanism runs: what its settings become.

import type { HeldCoordinate, HeldCoordinates } from "../../describe/held.js";
import { type Joint, nameGiven } from "../../describe/model/handles.js";
import type { ModelData } from "../../describe/model/model-data.js";
import { hint, show } from "../../describe/model/option-checks.js";
import type { ModelSettings } from "../../describe/settings.js";
import { NodriftError } from "../../ground/errors.js";
import { freeCoordinates } from "./relative-rows.js";

/** The state in which something is held: what sensors say, and the numbers of the bodies. */
export interface HeldState {
  readonly q: ArrayLike<number>;
  readonly turns: ArrayLike<number>;
  /** Value of a sensor. */
  measure(sensor: number): number;
}

/** The name of what locks a joint. */
export function lockName(joint: string): string {
  return `lock of ${joint}`;
}

/** The locks of a joint's coordinates: the first has the plain name, others that of their coordinate behind it. */
function locksOf(
  { joints }: ModelData,
  joint: string,
  rows: readonly HeldCoordinate[],
): readonly HeldCoordinate[] {
  const others = joints.filter(({ name }) => name !== joint).map(({ name }) => lockName(name));
  return rows.filter(
    ({ name }) =>
      name === lockName(joint) ||
      (name.startsWith(`${lockName(joint)} (`) && !others.includes(name)),
  );
}

/** The settings with other things held, caught in a state. */
export function holding(
  settings: ModelSettings,
  rows: readonly HeldCoordinate[],
  state: Pick<HeldState, "q" | "turns">,
): ModelSettings {
  const { held: _, ...rest } = settings;
  if (rows.length === 0) return rest;
  const at = { q: Array.from(state.q), turns: Array.from(state.turns) };
  return { ...rest, held: { rows, at } satisfies HeldCoordinates };
}

/** The settings with every coordinate of a joint held where it is. */
export function locking(
  data: ModelData,
  settings: ModelSettings,
  given: string | Joint,
  state: HeldState,
): ModelSettings {
  const joint = jointNamed("lock", data, given);
  const { name, type } = joint;
  const before = settings.held?.rows ?? [];
  if (locksOf(data, name, before).length > 0) {
    throw new NodriftError("STEP", `lock: joint "${name}" is locked already`);
  }
  const free = freeCoordinates(data, joint, state.q, (sensor) => state.measure(sensor));
  if (free.length === 0) {
    const why =
      type === "fixed" ? "leaves nothing free" : "does not join two bodies by rows of its own";
    throw new NodriftError("STEP", `lock: ${type} "${name}" ${why}: there is nothing to hold`);
  }
  const kept = free.map(({ coordinate, ...row }, i) => ({
    ...row,
    name: i === 0 ? lockName(name) : `${lockName(name)} (${coordinate})`,
  }));
  const taken = kept.find((row) => data.joints.some((joint) => joint.name === row.name));
  if (taken) throw new NodriftError("STEP", `lock: there is a joint "${taken.name}" already`);
  return holding(settings, [...before, ...kept], state);
}

/** The settings with a joint free again. */
export function unlocking(
  data: ModelData,
  settings: ModelSettings,
  given: string | Joint,
  state: HeldState,
): ModelSettings {
  const { name } = jointNamed("unlock", data, given);
  const before = settings.held?.rows ?? [];
  const locks = locksOf(data, name, before);
  const rows = before.filter((row) => !locks.includes(row));
  if (rows.length < before.length) return holding(settings, rows, state);
  throw new NodriftError("STEP", `unlock: joint "${name}" is not locked`);
}

/** A joint that can be locked. */
function jointNamed(where: string, data: ModelData, given: string | Joint) {
  const { joints } = data;
  const name = nameGiven(where, data, given, "joint");
  const joint = joints.find((each) => each.name === name);
  if (joint === undefined) {
    const names = joints.map((each) => each.name);
    throw new NodriftError(
      "DESCRIPTION",
      `${where}: there is no joint ${show(name)}${hint(name, names)}`,
    );
  }
  if (joint.isDrive) {
    throw new NodriftError(
      "STEP",
      `${where}: "${joint.name}" is a ${joint.type}, which holds its joint already: name a joint that moves`,
    );
  }
  return joint;
}

/** The state in which coordinates were caught; how bodies moved does not matter. */
export function caughtIn({ at }: HeldCoordinates, velocities: number) {
  const q = Float64Array.from(at.q);
  return { q, v: new Float64Array(velocities), turns: Float64Array.from(at.turns) };
}
