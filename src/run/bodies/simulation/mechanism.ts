// A mechanism in memory with its current state, and its replacement when parameters change.

import {
  BODY_POSITIONS,
  BODY_VELOCITIES,
  CoupleData,
  Prescribed,
} from "../../../../assembly/layout-bodies.js";
import {
  add,
  cross,
  normalised,
  rotationOf,
  subtract,
  threeAt,
  times,
} from "../../../base/algebra/vectors.js";
import { NodriftError } from "../../../base/errors.js";
import { Loaded } from "../../../base/loaded.js";
import type {
  BodyAccess,
  CoordinateChoice,
  Method,
  StateData,
  System,
} from "../../../interfaces/index.js";
import type { Difference } from "../../../model/compare.js";
import type { ModelData } from "../../../model/model-data.js";
import type { ModelSettings, NamedNumber } from "../../../model/settings.js";
import type { Plan } from "../../../systems/bodies/plan/plan.js";
import { angleCount } from "../../../systems/bodies/system/angle-continuation.js";
import { limitsOf } from "../../contact/contact.js";
import type { Impulses } from "../../contact/impulses.js";
import { choiceFor, systemFor } from "../../stepping/coordinate-choice.js";
import { SteppedSystem } from "../../stepping/stepped-system.js";
import type { ModelReport } from "../coordinates/tree-report.js";
import { ExternalLoads, type ExternalLoadsData } from "../external-loads/external-loads.js";
import { type CurrentState, currentState } from "../probe/current-state.js";
import type { ReadModel } from "../probe/probe.js";

/** Impulses at rigid stops. */
export const impulseCode = new Loaded("stops", () => import("../../contact/impulses.js"));

/** Source of a simulation: a compiled model. */
export interface BodySource extends ReadModel {
  readonly q: Float64Array;
  readonly v: Float64Array;
  readonly time: number;
  readonly report: ModelReport;
  /** Values that were set. */
  readonly settings: ModelSettings;
  /** Parameters by name, with their present values. */
  readonly parameters: readonly NamedNumber[];
  /** Returns the settings after one more call of `set`. */
  settingsAfter(where: string, given: readonly unknown[]): ModelSettings;
  /** Returns a copy with these settings, and the kind of difference. */
  withSettings(settings: object): { model: BodySource; difference: Difference };
  /** Returns a copy whose initial state is the given state; its couplings hold their values of that state. */
  withLocks(state: Omit<StateData, "time">): BodySource;
  /** Creates a system with memory of its own, in the integrated coordinates. */
  system(): System;
}

/** A compiled model, and a system of it in memory with its present state. */
export interface Mechanism {
  readonly source: BodySource;
  readonly stepped: SteppedSystem;
  readonly coordinateChoice: CoordinateChoice;
  /** Pushes and grips on its bodies. */
  readonly externalLoads: ExternalLoads;
  /** Impulses at its rigid stops; undefined if it has none. */
  readonly impulses: Impulses | undefined;
  /** The present state, for readings. */
  readonly present: CurrentState;
}

/**
 * Creates a mechanism in the initial state of a compiled model. If coordinates are held, the state may not fit joints
 * that moved since.
 */
export function mechanismOf(
  source: BodySource,
  method: Method,
  start: "assemble" | "asGiven" = source.settings.held ? "assemble" : "asGiven",
): Mechanism {
  const { q, v, time } = source;
  const own = source.system();
  let externalLoads!: ExternalLoads;
  let impulses: Impulses | undefined;
  const stepped = new SteppedSystem(systemFor(method, own), method, (system) => {
    externalLoads = new ExternalLoads(system, system.bodies as BodyAccess);
    if (limitsOf(source.data).some(({ isRigid }) => isRigid)) {
      impulses = new impulseCode.code.Impulses(system);
    }
  });
  stepped.setState(q, v, { time, start });
  const coordinateChoice = choiceFor(method, own, source.report.coordinates) as CoordinateChoice;
  return inState(source, { stepped, coordinateChoice, externalLoads, impulses });
}

/** Returns the same mechanism with the parameters of another source. */
export function inState(
  source: BodySource,
  memory: Omit<Mechanism, "source" | "present">,
): Mechanism {
  const { stepped, coordinateChoice } = memory;
  const isAlongTree = coordinateChoice.kind === "relative";
  const { unwrappedAngles } = stepped.system.continuation;
  const present = currentState(source.plan, stepped, {
    integrated: () => {
      stepped.guard.refuse("coordinates");
      return isAlongTree ? stepped.integrated : undefined;
    },
    readAngles: (out) => unwrappedAngles?.read(out),
  });
  return { ...memory, source, present };
}

/** Returns pushes and grips at the same points of the bodies, whose centres of mass may have moved. */
function loadsAt({ externalLoads, source }: Mechanism, model: BodySource): ExternalLoadsData {
  const { pushes, grips } = externalLoads.data();
  const moved = <Load extends { readonly body: number; readonly arm: readonly number[] }>(
    load: Load,
  ): Load => {
    const [from, to] = [source, model].map(({ data }) => data.bodies[load.body]!.centre);
    return { ...load, arm: load.arm.map((x, i) => x + from![i]! - to![i]!) };
  };
  return { pushes: pushes.map(moved), grips: grips.map(moved) };
}

/**
 * Whether a change only affects values in memory. Methods that use matrices choose patterns and pivots from the masses
 * when they are created; such a method is created again, so that it matches one created with the new values.
 */
export function isInPlace(method: Method, difference: Difference): boolean {
  if (difference === "forces") return true;
  if (difference === "geometry") return false;
  return "formulation" in method && method.formulation.needs === "operators";
}

/**
 * Returns the mechanism of a changed model, in new memory and in the state of `before`. `sensors` returns the sensors
 * of `before`.
 */
export function rebuilt(
  before: Mechanism,
  model: BodySource,
  method: Method,
  difference: Difference,
  sensors: () => Float64Array,
): Mechanism {
  const { source, stepped } = before;
  const { time, unwrappedAngles } = stepped;
  const angles = updatedOffsets(source.plan, model.plan, unwrappedAngles, sensors);
  const { q, v } = withCentres(source.data, model.data, stepped);
  const start = difference === "geometry" ? "assemble" : "asGiven";
  const next = angles
    ? mechanismOf(model.withLocks({ q, v, unwrappedAngles: angles }), method, "assemble")
    : mechanismOf(model, method);
  next.stepped.setState(q, v, { time, unwrappedAngles: angles ?? unwrappedAngles, start });
  next.externalLoads.restore(loadsAt(before, model));
  next.stepped.loads = next.externalLoads;
  return next;
}

interface Moving {
  readonly q: Float64Array;
  readonly v: Float64Array;
}

/**
 * Returns the state in which every body's frame keeps its pose and motion. Positions are those of centres of mass: if
 * one has moved in its body, c' = c + R d and v' = v + omega x R d.
 */
export function withCentres(before: ModelData, after: ModelData, { q, v }: Moving): Moving {
  const moved = { q: q.slice(), v: v.slice() };
  for (const [body, { centre }] of after.bodies.entries()) {
    const d = subtract(centre, before.bodies[body]!.centre);
    if (d.every((x) => x === 0)) continue;
    const [at, rate] = [BODY_POSITIONS * body, BODY_VELOCITIES * body];
    const rotation = rotationOf(normalised([q[at + 3]!, q[at + 4]!, q[at + 5]!, q[at + 6]!]));
    const arm = times(rotation, d);
    const omega = times(rotation, threeAt(v, rate + 3));
    moved.q.set(add(threeAt(q, at), arm), at);
    moved.v.set(add(threeAt(v, rate), cross(omega, arm)), rate);
  }
  return moved;
}

/** Offset of the factors of a coupling's sensors, which are stored consecutively. */
const FACTORS = Prescribed.LENGTH + CoupleData.FACTOR_A;

/** Throws if the pitch of a screw has changed: it is a constant of the tree, fixed during a run. */
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

/** Relative difference of a coupling's value treated as zero. Such a coupling keeps the value found at compilation. */
const OFFSET_TOLERANCE = 1e-14;

/**
 * Returns the unwrapped angles and coupling offsets after a change. A coupling with changed factors, such as shifted
 * gears, holds its present value from then on, so the state does not jump. Undefined if no coupling has changed.
 */
function updatedOffsets(
  before: Plan,
  after: Plan,
  unwrappedAngles: Float64Array,
  sensors: () => Float64Array,
): Float64Array | undefined {
  const first = angleCount(after);
  const held = unwrappedAngles.slice();
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
    held[first + i] = Math.abs(sum - own) <= OFFSET_TOLERANCE * size ? own : sum;
  }
  return changes ? held : undefined;
}
