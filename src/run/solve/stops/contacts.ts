// What happens at rigid stops. Contacts that close are struck together (complementarity.ts). One that hardly leaves comes to
// rest: it becomes a row, as long as that pushes. The rows of rests are taken away before an impact, so that a blow can
// open them.
//
// Bounces of a constant acceleration follow each other by intervals that shrink by e: infinitely many in a finite time. With
// the interval T since the last impact the next one takes T v+ / v-, and it rises by h = v+ T (v+ / v-) / 4. Where h is
// nothing beside the tolerance the contact rests. Rejected: to rest below a speed, which knows neither gravity nor the scale of a
// model.

import { NodriftError } from "../../../ground/errors.js";
import type { State } from "../../../seam/index.js";
import type { BodyState } from "../../bodies/simulation/state.js";
import { AT, beyondLimit, isSame, LEAST, STILL } from "../../held/contact.js";
import { holding } from "../../held/held-joints.js";
import { type Limit, limitName, limitsOf, restName } from "../../held/limits.js";
import { struckLimit } from "../../held/struck-limit.js";
import type { Leg } from "../leg/leg.js";
import type { Legs } from "../leg/legs.js";
import { type Setup, START } from "../setup/setup.js";
import { measured, modelOf, pushOf } from "./stop-events.js";

/** Heights of bounces that are nothing, in tolerances. */
const LOW = 1e-3;

/** A contact at an impact. */
interface Contact {
  readonly limit: Limit;
  readonly restitution: number;
  /** It has been at rest: what it closes with is rounding. */
  readonly rested: boolean;
}

/** What contacts have become. */
export interface ContactOutcome<T extends State> {
  readonly leg: Leg<T>;
  /** Impulses of stops, by the names of their limits. */
  readonly impulses: Readonly<Record<string, number>>;
}

/** Impacts and rests of a run. */
export class Contacts<T extends State> {
  readonly #legs: Legs<T>;
  readonly #setup: Setup<T>;
  readonly #names: readonly string[];
  /** When each limit was met the last time, by its name. */
  readonly #last = new Map<string, number>();

  constructor(legs: Legs<T>, setup: Setup<T>) {
    this.#legs = legs;
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

  /** Limits of a leg at which its state is, or beyond. Throws for one that is far beyond. */
  reached(leg: Leg<T>, t: number): readonly Limit[] {
    const data = modelOf(leg.source);
    const limits = data ? limitsOf(data).filter(({ isRigid }) => isRigid) : [];
    if (limits.length === 0) return [];
    const state = leg.look.atShown(t) as unknown as BodyState;
    return limits.filter((limit) => {
      const beyond = limit.side * (measured(state, limit.sensor).value - limit.value);
      if (beyond > AT * (1 + Math.abs(limit.value))) throw beyondLimit(limit, beyond, t);
      return beyond >= -LEAST;
    });
  }

  /** Whether a leg has stops that something rests at. */
  resting(leg: Leg<T>): readonly Limit[] {
    const data = modelOf(leg.source);
    if (data === undefined) return [];
    const held = data.joints.filter(({ holds }) => holds);
    return limitsOf(data).filter((limit) => held.some(({ name }) => name === restName(limit)));
  }

  /** Limits are met or left, at the state in view of a leg. */
  meet(
    leg: Leg<T>,
    t: number,
    met: readonly Limit[],
    { left = [], isStuck = false }: { left?: readonly Limit[]; isStuck?: boolean } = {},
  ): ContactOutcome<T> {
    const rested = this.resting(leg);
    const free = rested.length > 0 ? this.#with(leg, t, []) : leg;
    const data = modelOf(free.source)!;
    const present = limitsOf(data);
    // Those that are met a moment later, at slow speed, belong to the same impact.
    const all = [...met, ...rested, ...this.reached(free, t)].filter(
      (limit, i, list) => list.findIndex((one) => isSame(one, limit)) === i,
    );
    const contacts = all.flatMap((limit): Contact[] => {
      const now = present.find((one) => isSame(one, limit));
      const isOld = rested.some((one) => isSame(one, limit));
      return now ? [{ limit: now, restitution: now.restitution, rested: isOld }] : [];
    });
    const struck = free.strike(
      t,
      contacts.map(({ limit, restitution, rested: was }) =>
        struckLimit(data, limit, was ? 0 : restitution),
      ),
    );
    const still = contacts.filter(
      ({ limit, rested: was }, i) =>
        !left.some((one) => isSame(one, limit)) &&
        (isStuck || this.#isStill(limit, struck.before[i]!, struck.after[i]!, was, t)),
    );
    for (const { limit } of contacts) this.#last.set(limitName(limit), t);
    const impulses = Object.fromEntries(
      contacts.map(({ limit }, i) => [limitName(limit), -limit.side * struck.impulses[i]!]),
    );
    const next = this.#rest(
      free,
      t,
      still.map(({ limit }) => limit),
    );
    return { leg: next, impulses };
  }

  save(): readonly number[] {
    return this.#names.map((name) => this.#last.get(name) ?? Number.NEGATIVE_INFINITY);
  }

  restore(times: readonly number[]): void {
    for (const [i, name] of this.#names.entries()) this.#last.set(name, times[i]!);
  }

  /** Whether a contact stays closed, as far as rates tell. Rates are positive where they close. */
  #isStill(limit: Limit, before: number, after: number, rested: boolean, t: number): boolean {
    const speed = -after;
    if (rested || before <= 0) return speed <= STILL * Math.max(1, Math.abs(before));
    if (speed <= STILL * before) return true;
    const interval = Math.abs(t - (this.#last.get(limitName(limit)) ?? Number.NEGATIVE_INFINITY));
    const { tolerance } = this.#setup;
    const low = Math.max(LOW * Math.max(tolerance.positions, tolerance.relative), LEAST);
    return (speed * interval * (speed / before)) / 4 <= low;
  }

  /** The leg in which those contacts rest that push. */
  #rest(free: Leg<T>, t: number, still: readonly Limit[]): Leg<T> {
    for (let held = [...still]; held.length > 0; ) {
      const leg = this.#with(free, t, held);
      leg.continueFrom(t, AT);
      const state = leg.look.atAccepted(t) as unknown as BodyState;
      const pushes = held.map((limit) => pushOf(state, limit));
      const least = pushes.reduce((best, push, i) => (push < pushes[best]! ? i : best), 0);
      if (pushes[least]! > 0) return leg;
      held = held.filter((_, i) => i !== least);
    }
    return free;
  }

  /** A leg where these limits are held and no others, with the state in view. */
  #with(leg: Leg<T>, t: number, limits: readonly Limit[]): Leg<T> {
    const state = leg.look.atShown(t) as unknown as BodyState;
    const name = this.#legs.held(leg.variant, (settings) => {
      const rests = new Set(limitsOf(modelOf(leg.source)!).map(restName));
      const rows = (settings.held?.rows ?? []).filter((row) => !rests.has(row.name));
      const more = limits.map((limit) => {
        const { sensor, value } = limit;
        return { name: restName(limit), sensor, value };
      });
      return holding(settings, [...rows, ...more], state);
    });
    const next = this.#legs.of(name);
    if (next !== leg) next.takeStateOf(leg, t);
    return next;
  }
}
