// Impacts and resting contacts at rigid stops. Closing contacts are resolved together (impulses.ts). One with
// negligible rebound becomes a constraint row while its force is compressive. Impacts release these rows first, so
// that they can open.
//
// Bounces under a constant acceleration follow each other at intervals that shrink by e: infinitely many in a finite
// time. With the interval T since the last impact the next one takes T v+ / v-, and it rises by h = v+ T (v+ / v-) /
// 4. If h is negligible relative to the tolerance, the contact comes to rest. Rejected: to rest below a speed, which
// depends on neither gravity nor the scale of a model.

import { Sensor, Want } from "../../../../assembly/layout-bodies.js";
import { NodriftError } from "../../../base/errors.js";
import type { State } from "../../../interfaces/index.js";
import type { ModelData } from "../../../model/model-data.js";
import type { BodyState } from "../../bodies/reading/readout.js";
import {
  CONTACT_GAP,
  isSame,
  type Limit,
  limitContact,
  limitIn,
  limitName,
  limitsOf,
  PENETRATION_TOLERANCE,
  penetrationError,
  restingRowName,
  type StopEvent,
  ZERO_CONTACT_RATE,
} from "../../contact/contact.js";
import { withLocks } from "../../contact/joint-locks.js";
import type { CheckedEvent } from "../events/event-checks.js";
import type { ModeSolver } from "../mode-solver/mode-solver.js";
import type { ModeSolvers } from "../mode-solver/mode-solvers.js";
import type { Source } from "../setup/options.js";
import { type Setup, START } from "../setup/setup.js";

// Events of the stops of a mechanism. Rigid stops have impacts and contact releases. At compliant stops, steps end on
// touching and leaving, so that none straddles the kink of the force.

/** Model of a source that is a compiled mechanism; undefined for other sources. */
export function modelOf(source: Source | undefined): ModelData | undefined {
  const { data } = (source ?? {}) as { readonly data?: ModelData };
  return data?.forces === undefined ? undefined : data;
}

/** Events of the stops of a source, indexed from `first`. */
export function stopEvents<T extends State>(
  source: Source | undefined,
  first: number,
): CheckedEvent<T>[] {
  const data = modelOf(source);
  if (data === undefined) return [];
  const events = limitsOf(data).flatMap((limit): StopEvent[] =>
    limit.isRigid
      ? [
          { kind: "impact", limit },
          { kind: "release", limit },
        ]
      : [{ kind: "touch", limit }],
  );
  return events.map((own, i) => checkedEvent<T>(own, first + i));
}

function checkedEvent<T extends State>(own: StopEvent, index: number): CheckedEvent<T> {
  const { kind, limit } = own;
  const when = (state: State) => penetrationOf(own, state as unknown as BodyState);
  return {
    name: kind === "release" ? `${limitName(limit)} is left` : limitName(limit),
    index,
    when,
    value: when,
    direction: ({ impact: "rising", release: "falling", touch: "both" } as const)[kind],
    last: Number.POSITIVE_INFINITY,
    action: () => {},
    counts: () => true,
    ...(kind === "impact" && { side: () => -1 }),
    own,
  };
}

/**
 * Penetration of the limit, or the contact force for a release. During a resting contact only its release is active.
 */
function penetrationOf({ kind, limit }: StopEvent, state: BodyState): number {
  const { data } = state.readout.model;
  const present = limitIn(data, limit);
  if (present === undefined) return kind === "release" ? 1 : -1;
  const isResting = data.joints.some(({ holds, name }) => holds && name === restingRowName(limit));
  if (kind === "release") return isResting ? contactForceOf(state, limit) : 1;
  return isResting ? -1 : limit.side * (measured(state, limit.sensor).value - present.value);
}

/** Force of a resting contact along its outward normal: positive while it is compressive. */
export function contactForceOf(state: BodyState, limit: Limit): number {
  return -limit.side * (state.joint(restingRowName(limit)).driveForce ?? 0);
}

/** Value and rate of a sensor at a state. */
export function measured(state: BodyState, sensor: number): { value: number; rate: number } {
  const { probe } = state.readout;
  probe.load();
  const { system } = probe;
  system.requireSensors(Want.PHI | Want.RATES);
  const at = Sensor.LENGTH * sensor;
  const { sensors } = system.arrays;
  return { value: sensors[at + Sensor.VALUE]!, rate: sensors[at + Sensor.RATE]! };
}

/** Height of a negligible bounce, in tolerances. */
const NEGLIGIBLE_BOUNCE_TOLERANCES = 1e-3;

/** A contact at an impact. */
interface Contact {
  readonly limit: Limit;
  readonly restitution: number;
  /** It was a resting contact: its closing rate is rounding. */
  readonly wasResting: boolean;
}

/** Result of resolving contacts. */
export interface ContactOutcome<T extends State> {
  readonly solver: ModeSolver<T>;
  /** Impulses of stops, by limit name. */
  readonly impulses: Readonly<Record<string, number>>;
}

/** Resolves impacts and resting contacts of a run. */
export class Contacts<T extends State> {
  readonly #solvers: ModeSolvers<T>;
  readonly #setup: Setup<T>;
  readonly #names: readonly string[];
  /** Time of the last impact at each limit, by limit name. */
  readonly #lastImpact = new Map<string, number>();

  constructor(solvers: ModeSolvers<T>, setup: Setup<T>) {
    this.#solvers = solvers;
    this.#setup = setup;
    const data = modelOf(setup.sources[START]);
    const limits = data ? limitsOf(data) : [];
    const rigid = limits.find(({ isRigid }) => isRigid);
    if (rigid && setup.direction < 0) {
      throw new NodriftError(
        "STEP",
        `solve: stop "${rigid.stop}" is rigid, and impacts cannot be undone: run forwards, or give it a stiffness`,
      );
    }
    this.#names = limits.map(limitName);
  }

  /**
   * Returns the limits that the state in view has reached. Throws if one is exceeded by more than the penetration
   * tolerance.
   */
  reached(solver: ModeSolver<T>, t: number): readonly Limit[] {
    const data = modelOf(solver.source);
    const limits = data ? limitsOf(data).filter(({ isRigid }) => isRigid) : [];
    if (limits.length === 0) return [];
    const state = solver.viewer.atShown(t) as unknown as BodyState;
    return limits.filter((limit) => {
      const beyond = limit.side * (measured(state, limit.sensor).value - limit.value);
      if (beyond > PENETRATION_TOLERANCE * (1 + Math.abs(limit.value)))
        throw penetrationError(limit, beyond, t);
      return beyond >= -CONTACT_GAP;
    });
  }

  /** Returns the limits with resting contacts. */
  resting(solver: ModeSolver<T>): readonly Limit[] {
    const data = modelOf(solver.source);
    if (data === undefined) return [];
    const held = data.joints.filter(({ holds }) => holds);
    return limitsOf(data).filter((limit) =>
      held.some(({ name }) => name === restingRowName(limit)),
    );
  }

  /** Resolves impacts and releases at the state in view. */
  resolve(
    solver: ModeSolver<T>,
    t: number,
    met: readonly Limit[],
    { left = [], isStuck = false }: { left?: readonly Limit[]; isStuck?: boolean } = {},
  ): ContactOutcome<T> {
    const wasResting = this.resting(solver);
    const free = wasResting.length > 0 ? this.#withHeldLimits(solver, t, []) : solver;
    const data = modelOf(free.source)!;
    const present = limitsOf(data);
    // Contacts within tolerance of their limit join the same impact.
    const all = [...met, ...wasResting, ...this.reached(free, t)].filter(
      (limit, i, list) => list.findIndex((one) => isSame(one, limit)) === i,
    );
    const contacts = all.flatMap((limit): Contact[] => {
      const now = present.find((one) => isSame(one, limit));
      const isOld = wasResting.some((one) => isSame(one, limit));
      return now ? [{ limit: now, restitution: now.restitution, wasResting: isOld }] : [];
    });
    const impact = free.applyImpacts(
      t,
      contacts.map(({ limit, restitution, wasResting: wasAtRest }) =>
        limitContact(data, limit, wasAtRest ? 0 : restitution),
      ),
    );
    const still = contacts.filter(
      ({ limit, wasResting: wasAtRest }, i) =>
        !left.some((one) => isSame(one, limit)) &&
        (isStuck || this.#staysClosed(limit, impact.before[i]!, impact.after[i]!, wasAtRest, t)),
    );
    for (const { limit } of contacts) this.#lastImpact.set(limitName(limit), t);
    const impulses = Object.fromEntries(
      contacts.map(({ limit }, i) => [limitName(limit), -limit.side * impact.impulses[i]!]),
    );
    const next = this.#bringToRest(
      free,
      t,
      still.map(({ limit }) => limit),
    );
    return { solver: next, impulses };
  }

  save(): readonly number[] {
    return this.#names.map((name) => this.#lastImpact.get(name) ?? Number.NEGATIVE_INFINITY);
  }

  restore(times: readonly number[]): void {
    for (const [i, name] of this.#names.entries()) this.#lastImpact.set(name, times[i]!);
  }

  /** Whether a contact stays closed, judged by its rates, which are positive if it closes. */
  #staysClosed(
    limit: Limit,
    before: number,
    after: number,
    wasResting: boolean,
    t: number,
  ): boolean {
    const speed = -after;
    if (wasResting || before <= 0)
      return speed <= ZERO_CONTACT_RATE * Math.max(1, Math.abs(before));
    if (speed <= ZERO_CONTACT_RATE * before) return true;
    const interval = Math.abs(
      t - (this.#lastImpact.get(limitName(limit)) ?? Number.NEGATIVE_INFINITY),
    );
    const { tolerance } = this.#setup;
    const low = Math.max(
      NEGLIGIBLE_BOUNCE_TOLERANCES * Math.max(tolerance.positions, tolerance.relative),
      CONTACT_GAP,
    );
    return (speed * interval * (speed / before)) / 4 <= low;
  }

  /** Returns the solver in which the contacts with compressive force rest. */
  #bringToRest(free: ModeSolver<T>, t: number, still: readonly Limit[]): ModeSolver<T> {
    for (let held = [...still]; held.length > 0; ) {
      const solver = this.#withHeldLimits(free, t, held);
      solver.continueFrom(t, PENETRATION_TOLERANCE);
      const state = solver.viewer.atAccepted(t) as unknown as BodyState;
      const forces = held.map((limit) => contactForceOf(state, limit));
      const smallest = forces.reduce((best, push, i) => (push < forces[best]! ? i : best), 0);
      if (forces[smallest]! > 0) return solver;
      held = held.filter((_, i) => i !== smallest);
    }
    return free;
  }

  /** Returns a solver in which exactly these limits are held, with the state in view. */
  #withHeldLimits(solver: ModeSolver<T>, t: number, limits: readonly Limit[]): ModeSolver<T> {
    const state = solver.viewer.atShown(t) as unknown as BodyState;
    const name = this.#solvers.held(solver.variant, (settings) => {
      const rests = new Set(limitsOf(modelOf(solver.source)!).map(restingRowName));
      const rows = (settings.held?.rows ?? []).filter((row) => !rests.has(row.name));
      const more = limits.map((limit) => {
        const { sensor, value } = limit;
        return { name: restingRowName(limit), sensor, value };
      });
      return withLocks(settings, [...rows, ...more], state);
    });
    const next = this.#solvers.of(name);
    if (next !== solver) next.takeStateOf(solver, t);
    return next;
  }
}
