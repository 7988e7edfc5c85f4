// Rigid stops in steps of one length. A step that passes a limit is taken up to where it is met; velocities jump there with all
// joints holding (complementarity.ts); the rest of the step follows, so that the grid of time stays. What bounces ever faster comes to rest:
// with the speed u of leaving, and the acceleration a back to the limit, the next flight takes 2 u / a. Where that is less than a
// thousandth of the step the contact becomes a row, which holds as long as it pushes. Of contacts that are met many times in a step, an eighth
// of it is little enough: nothing that a step shows happens in between. Those that are met as often by their speed, between
// stops that are close, do not rest: the step fails, with their name.
//
// Rejected: impulses at the end of the step that passed a limit. What rests would sink by the path of a step in each. Rejected: to rest
// below a speed, which knows neither gravity nor the scale of a model.

import type { Method } from "../../../seam/index.js";
import { isSame, LEAST, metTooOften, STILL } from "../../held/contact.js";
import { type Limit, limitName, limitsOf } from "../../held/limits.js";
import { struckLimit } from "../../held/struck-limit.js";
import type { KeptState } from "../../stepping/state-transfer.js";
import type { StepCrossing } from "../../stepping/step-walk.js";
import { LimitHeights } from "./limit-heights.js";
import type { Mechanism } from "./mechanism.js";
import { type CaughtRest, leastOf, pushesOf, type Rest, Rests } from "./rests.js";
import { type Height, releaseIn, topIn, touchIn } from "./touch.js";

/** Flights that are nothing, in steps; and those of contacts that have been met often. */
const SHORT = 1e-3;
const SHORT_OF_MANY = 1 / 8;
/** How often a limit is met in a step: often, and at most. */
const OFTEN = 16;
const MOST = 64;
/** In which part of a step accelerations are measured. */
const MOMENT = 1e-4;

/** Most steps meet nothing, and make no objects. */
const NONE: readonly never[] = [];

/** A rigid stop that was met. */
export interface Impact {
  /** Of the limit: "anvil: upper". */
  readonly name: string;
  readonly time: number;
  /** Of the stop on the joint, positive along its angle, displacement or length. */
  readonly impulse: number;
}

/** What of rigid stops belongs to the state. Plain data. */
export interface StopsData {
  readonly resting: readonly string[];
  readonly caught: readonly CaughtRest[];
}

export class StopCrossing implements StepCrossing {
  /** Those of the last step. */
  impacts: readonly Impact[] = NONE;
  readonly #free: Mechanism;
  readonly #rests: Rests;
  readonly #limits: readonly Limit[];
  readonly #heights: LimitHeights;
  /** Where a step began, for those that meet nothing. */
  readonly #heightsBefore: LimitHeights;
  readonly #begun: KeptState;
  readonly #met = new Map<Limit, number>();
  /** What is told when something has come to rest or left. */
  readonly #changed: (rest: Rest | undefined) => void;
  #told: Rest | undefined;
  #rest: Rest | undefined;
  readonly #stateBefore: KeptState;
  #restBefore: Rest | undefined;

  constructor(free: Mechanism, method: Method, changed: (rest: Rest | undefined) => void) {
    this.#free = free;
    this.#rests = new Rests(free, method);
    this.#limits = limitsOf(free.source.data).filter(({ isRigid }) => isRigid);
    this.#heights = new LimitHeights(this.#limits);
    this.#heightsBefore = new LimitHeights(this.#limits);
    this.#begun = free.steps.transfer.keep();
    this.#stateBefore = free.steps.transfer.keep();
    this.#changed = changed;
  }

  /** Throws where the state is beyond a limit. Steps do so too: states and limits may be set one after the other. */
  requireInside(): void {
    const { time } = this.#free.steps;
    this.#heights.look(this.#free, time);
    this.#heights.refuseBeyond(time);
  }

  /** The mechanism with rows where something rests; undefined where nothing does. */
  get rest(): Rest | undefined {
    return this.#rest;
  }

  /** The state was replaced: whether something rests is found in the next step. */
  clear(): void {
    this.#use(undefined);
    this.#tell();
  }

  data(): StopsData {
    return { resting: (this.#rest?.limits ?? []).map(limitName), caught: this.#rests.caught };
  }

  /** The free mechanism has been put back to where this was saved. */
  restore({ resting, caught }: StopsData): void {
    this.#rests.caught = caught;
    const limits = this.#limits.filter((limit) => resting.includes(limitName(limit)));
    const { time } = this.#free.steps;
    this.#use(limits.length > 0 ? this.#rests.at(limits, time, "asGiven") : undefined);
    this.#tell();
  }

  keep(): void {
    this.impacts = NONE;
    this.#restBefore = this.#rest;
    this.#free.steps.transfer.keepIn(this.#stateBefore);
  }

  goBack(): void {
    const rest = this.#restBefore;
    const { steps } = this.#free;
    steps.transfer.putBack(this.#stateBefore);
    this.#use(rest);
    if (rest) this.#rests.take(rest, steps.stepBegin);
    this.#tell();
  }

  cross(t: number, h: number): void {
    if (!this.#passes(t, h)) this.#meetAll(t, h);
  }

  /** Takes the step if no limit is met or left: false where one is, and nothing has moved. It makes no objects. */
  #passes(t: number, h: number): boolean {
    const rest = this.#rest;
    const { transfer, walk } = this.#free.steps;
    this.#heights.look(this.#free, t);
    if (rest) this.#heights.refuseBeyond(t);
    for (let i = 0; i < this.#limits.length; i++) {
      if (this.#isFree(this.#limits[i]!) && this.#heights.at(i).beyond >= -LEAST) return false;
    }
    this.#heightsBefore.take(this.#heights);
    if (rest) {
      // To the bit the length that {@link #run} takes, for runs that were stored.
      this.#stepAtRest(rest, t, t + h - t);
      if (this.#meetsNone(h) && !(leastOf(pushesOf(rest)) < 0)) {
        this.#rests.giveBack(rest, t + h);
        return true;
      }
      return false;
    }
    transfer.keepIn(this.#begun);
    walk.part(t, h);
    this.#heights.look(this.#free, t + h);
    if (this.#meetsNone(h)) return true;
    transfer.putBack(this.#begun);
    return false;
  }

  /** Whether a step of length h that has been tried meets no limit. */
  #meetsNone(h: number): boolean {
    for (let i = 0; i < this.#limits.length; i++) {
      if (!this.#isFree(this.#limits[i]!)) continue;
      const after = this.#heights.at(i);
      if (after.beyond > 0) return false;
      if (topIn(h, this.#heightsBefore.at(i), after) !== undefined) return false;
    }
    return true;
  }

  #meetAll(t: number, h: number): void {
    const end = t + h;
    let now = t;
    let judged: readonly Limit[] = [];
    this.#met.clear();
    for (;;) {
      this.#heights.look(this.#free, now);
      this.#heights.refuseBeyond(now);
      const due = this.#limits.filter((limit, i) => {
        const { beyond, rate } = this.#heights.at(i);
        return !judged.includes(limit) && this.#isFree(limit) && beyond >= -LEAST && rate >= -STILL;
      });
      if (due.length > 0) {
        this.#meet(now, h, due);
        judged = [...judged, ...due];
        continue;
      }
      const { time, met, left } = this.#run(now, end);
      if (time > now) judged = [];
      now = time;
      if (left.length > 0) {
        this.#leave(now, left);
        judged = [...judged, ...left];
      } else if (met) {
        this.#meet(now, h, [met]);
        judged = [...judged, met];
      } else if (now === end) {
        break;
      }
    }
    this.#tell();
  }

  /** Goes on to the end, or to where the next limit is met or left; `met` only where nothing moves before that. */
  #run(now: number, end: number): { time: number; met?: Limit; left: readonly Limit[] } {
    const { steps } = this.#free;
    const kept = steps.transfer.keep();
    const before = this.#heights.all();
    const tried = { count: 0 };
    const to = (s: number) => this.#attempt(now, s, kept, tried);
    let s = end - now;
    to(s);
    for (;;) {
      const passed = this.#passed(s, before, to);
      if (passed === undefined) break;
      const { limit, index, length } = passed;
      const size = 1 + Math.abs(limit.value);
      const found = touchIn(length, before[index]!, { ...this.#heights.at(index) }, size, (x) => {
        to(x);
        return this.#heights.at(index);
      });
      if (!(found > 1e-12 * (end - now))) {
        steps.transfer.putBack(kept);
        return { time: now, met: limit, left: [] };
      }
      s = found;
    }
    const left = this.#rest ? this.#released(now, s, to) : { length: s, limits: [] };
    if (this.#rest) {
      if (left.length > 0) this.#rests.giveBack(this.#rest, now + left.length);
    } else if (tried.count > 1) steps.transfer.jumped(now + s);
    const isWhole = left.length === end - now;
    return { time: isWhole ? end : now + left.length, left: left.limits };
  }

  /** A step of some length from the state that was kept. */
  #attempt(now: number, s: number, kept: KeptState, tried: { count: number }): void {
    const rest = this.#rest;
    if (rest) this.#stepAtRest(rest, now, s);
    else {
      if (tried.count > 0) this.#free.steps.transfer.putBack(kept);
      this.#free.steps.walk.part(now, s);
      this.#heights.look(this.#free, now + s);
    }
    tried.count++;
  }

  /** A step of some length from the state of the free mechanism, which stays where it is. */
  #stepAtRest(rest: Rest, now: number, s: number): void {
    const { mechanism } = rest;
    this.#rests.take(rest, now);
    mechanism.steps.walk.part(now, s);
    mechanism.steps.standAt(now + s);
    this.#heights.look(mechanism, now + s);
  }

  /** A limit that was passed in the step of length s that has been tried, and the length of a step that ends beyond it. */
  #passed(s: number, before: readonly Height[], to: (s: number) => void) {
    for (const [index, limit] of this.#limits.entries()) {
      if (this.#isFree(limit) && this.#heights.at(index).beyond > 0) {
        return { limit, index, length: s };
      }
    }
    for (const [index, limit] of this.#limits.entries()) {
      const length = this.#isFree(limit)
        ? topIn(s, before[index]!, this.#heights.at(index))
        : undefined;
      if (length === undefined) continue;
      to(length);
      if (this.#heights.at(index).beyond > 0) return { limit, index, length };
      to(s);
    }
    return undefined;
  }

  /** Which limits let go in the step of length s that has been tried, and after which length. */
  #released(now: number, s: number, to: (s: number) => void) {
    const rest = this.#rest!;
    const least = () => leastOf(pushesOf(rest));
    const after = least();
    if (!(after < 0)) return { length: s, limits: [] };
    const pulling = () => rest.limits.filter((_, i) => !(pushesOf(rest)[i]! > 0));
    this.#rests.take(rest, now);
    rest.mechanism.hand.begin(Float64Array.of(now, s));
    const before = least();
    if (!(before > 0)) return { length: 0, limits: pulling() };
    const length = releaseIn(s, before, after, (x) => {
      to(x);
      return least();
    });
    return { length, limits: pulling() };
  }

  #leave(now: number, left: readonly Limit[]): void {
    const stay = this.#rest!.limits.filter((limit) => !left.includes(limit));
    this.#use(stay.length > 0 ? this.#rests.at(stay, now, "asGiven") : undefined);
  }

  /** Limits are met, at the state of the free mechanism. */
  #meet(now: number, h: number, due: readonly Limit[]): void {
    const { source, impulses, steps } = this.#free;
    const rested = this.#rest?.limits ?? [];
    const contacts = [...due, ...rested];
    const isOld = (limit: Limit) => rested.includes(limit);
    const {
      before,
      after,
      impulses: found,
    } = impulses!.strike(
      now,
      contacts.map((limit) =>
        struckLimit(source.data, limit, isOld(limit) ? 0 : limit.restitution),
      ),
    );
    this.#use(undefined);
    steps.transfer.jumped(now);
    this.#note(now, contacts, before, found, rested);
    const isStill = (i: number) => -after[i]! <= STILL * Math.max(1, Math.abs(before[i]!));
    this.#stay(
      now,
      h,
      contacts.filter((_, i) => isStill(i)),
    );
    const leaving = contacts.filter((_, i) => !isStill(i));
    const flights = leaving.length > 0 ? this.#flights(now, h) : [];
    const short = leaving.filter((limit) => {
      const many = this.#met.get(limit)! >= OFTEN;
      return flights[this.#limits.indexOf(limit)]! <= h * (many ? SHORT_OF_MANY : SHORT);
    });
    if (short.length > 0) this.#stay(now, h, [...(this.#rest?.limits ?? []), ...short]);
  }

  /** Tells of impacts, and counts them. */
  #note(
    now: number,
    contacts: readonly Limit[],
    before: readonly number[],
    found: readonly number[],
    rested: readonly Limit[],
  ): void {
    for (const [i, limit] of contacts.entries()) {
      const count = (this.#met.get(limit) ?? 0) + 1;
      this.#met.set(limit, count);
      if (count > MOST) throw metTooOften(limit, MOST, now);
      if (!(found[i]! > 0 && (rested.includes(limit) || before[i]! > STILL))) continue;
      const impact = { name: limitName(limit), time: now, impulse: -limit.side * found[i]! };
      this.impacts = [...this.impacts, impact];
    }
  }

  /** How long it takes to each limit and back from the present state; infinite where nothing leads back. */
  #flights(now: number, h: number): number[] {
    const kept = this.#free.steps.transfer.keep();
    this.#heights.look(this.#free, now);
    const rates = this.#heights.all().map(({ rate }) => rate);
    this.#attempt(now, MOMENT * h, kept, { count: 0 });
    const flights = this.#heights.all().map(({ rate }, i) => {
      const acceleration = (rate - rates[i]!) / (MOMENT * h);
      return acceleration > 0 ? (-2 * rates[i]!) / acceleration : Number.POSITIVE_INFINITY;
    });
    this.#free.steps.transfer.putBack(kept);
    return flights;
  }

  /** Those of some contacts that push come to rest. */
  #stay(now: number, h: number, contacts: readonly Limit[]): void {
    this.#use(undefined);
    for (let held = contacts; held.length > 0; ) {
      const rest = this.#rests.at(held, now, "assemble");
      rest.mechanism.hand.begin(Float64Array.of(now, h));
      const pushes = pushesOf(rest);
      const least = pushes.indexOf(leastOf(pushes));
      if (pushes[least]! > 0) {
        this.#rests.giveBack(rest, now);
        this.#use(rest);
        return;
      }
      held = held.filter((_, i) => i !== least);
    }
  }

  #isFree(limit: Limit): boolean {
    const limits = this.#rest?.limits ?? NONE;
    for (let i = 0; i < limits.length; i++) if (isSame(limits[i]!, limit)) return false;
    return true;
  }

  #use(rest: Rest | undefined): void {
    this.#rest = rest;
  }

  #tell(): void {
    if (this.#told === this.#rest) return;
    this.#told = this.#rest;
    this.#changed(this.#rest);
  }
}
