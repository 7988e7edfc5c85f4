import { checkLimits } from "../../../ground/run-limits.js";
import type { State } from "../../../seam/index.js";
import type { Leg } from "../leg/leg.js";
import type { Setup } from "../setup/setup.js";
import { findRoot } from "./brent.js";
import { type CheckedEvent, checkedEvents } from "./event-checks.js";
import { DISTURBANCE, noiseOf } from "./event-noise.js";
import { EventScan, MAX_SAMPLES } from "./event-scan.js";
import { EventZero } from "./event-zero.js";

/** Zeros are found to this, in units of time, or of the time itself if that is large, or of a shorter span. */
const TIME_TOLERANCE = 1e-12;
/** Part of that to which a zero is found on a polynomial, and steps end on it: the rest is for their errors. */
export const LOCATED = 1e-3;
/** Part of a step used to find the direction of a value. */
const NUDGE = 1e-3;
/** Halvings of a bracket in search of the side an event came from. */
const HALVINGS = 40;

/**
 * A row that begins to act may hold its own condition at zero, like a gap that it closes. Then the condition does not change,
 * up to so many times its noise, along a path of this length, on which the curvature of a gap is rounding.
 */
const HELD_CHANGE = 4;
const AHEAD_PATH = 1e-7;
/** Tolerances by which such a condition may be off before it counts again: between the ends of steps rows hold by the tolerance. */
const HELD_TOLERANCES = 100;

const NONE: ReadonlySet<number> = new Set();

/** A zero that was found. */
export interface Occurrence<T extends State> {
  readonly event: CheckedEvent<T>;
  readonly time: number;
  readonly rising: boolean;
}

/** Times with values of different sign, counted from what is zero. */
interface Bracket {
  readonly from: number;
  readonly to: number;
  readonly before: number;
  readonly after: number;
  readonly zero: number;
}

/** Tracks the sign of each event function and locates sign changes. */
export class EventLocator<T extends State> {
  readonly events: readonly CheckedEvent<T>[];
  /** -1, 0 or 1: 0 where the side is not known yet. */
  #sides: number[];
  #values: number[];
  #next: number[];
  readonly #rests: EventZero[];
  /** Searches of the events, by their index. */
  readonly scans: readonly EventScan[];
  readonly #found: Occurrence<T>[] = [];
  /** What is examined, and where the step ends. */
  #leg!: Leg<T>;
  #end = 0;

  readonly #unit: number;

  /** `own` are events of the mechanism, numbered behind those that are given. */
  constructor(
    { events, span, sources }: Pick<Setup<T>, "events" | "span" | "sources">,
    own: readonly CheckedEvent<T>[] = [],
  ) {
    this.events = [...checkedEvents<T>(events, Object.keys(sources)), ...own];
    this.#unit = Math.min(1, Math.abs(span[1] - span[0]));
    this.#sides = this.events.map(() => 0);
    this.#values = this.events.map(() => 0);
    this.#next = this.events.map(() => 0);
    this.#rests = this.events.map(() => new EventZero());
    this.scans = this.events.map(
      (event) =>
        new EventScan(
          (at) => this.#sample(event, at),
          () => noiseOf(event, this.#leg, this.#end),
          (a, b, before, value) => this.#examine(event, a, b, before, value),
        ),
    );
  }

  save(): readonly number[] {
    return [
      ...this.#sides,
      ...this.#rests.flatMap(({ value, noise }) => [value, noise]),
      ...this.scans.flatMap(({ width, samples, largest }) => [width, samples, largest]),
    ];
  }

  /** Whether numbers are those of as many events. Snapshots of 0.2.0 know nothing of scans. */
  fits(saved: readonly number[]): boolean {
    const count = this.events.length;
    return saved.length === 3 * count || saved.length === 6 * count;
  }

  restore(saved: readonly number[]): void {
    const count = this.events.length;
    this.#sides = saved.slice(0, count);
    this.#rests.forEach((rest, i) => {
      rest.value = saved[count + 2 * i] as number;
      rest.noise = saved[count + 2 * i + 1] as number;
    });
    this.scans.forEach((scan, i) => {
      const [width = Number.NaN, samples = MAX_SAMPLES, largest = 0] = saved.slice(3 * (count + i));
      Object.assign(scan, { width, samples, largest });
    });
  }

  /** How well times of zeros are known. */
  near(time: number): number {
    return TIME_TOLERANCE * Math.max(this.#unit, Math.abs(time));
  }

  /** A step from t ends on some events: remembers their values there. */
  reach(leg: Leg<T>, t: number, end: number, met: readonly Occurrence<T>[]): void {
    const nudge = 1e-4 * (end - t);
    for (const { event } of met) {
      const rest = this.#rests[event.index] as EventZero;
      rest.value = event.value(leg.look.atAccepted(end));
      if (nudge === 0) continue;
      const rate = (rest.value - event.value(leg.look.atInterpolated(end - nudge))) / nudge;
      const noise = noiseOf(event, leg, end);
      rest.noise = Math.max(noise, this.near(end) * Math.abs(rate));
    }
    this.#accept();
  }

  /** Actions have been called, and the state has not been projected onto the constraints yet. */
  acted(leg: Leg<T>, t: number, met: readonly Occurrence<T>[]): void {
    for (const { event } of met) {
      const rest = this.#rests[event.index] as EventZero;
      const value = event.value(leg.look.atShown(t));
      rest.moved = !rest.holds(value);
    }
  }

  /** An event found at the start of a step has not left its zero since it happened there. */
  isStuck(met: readonly Occurrence<T>[]): boolean {
    return met.some(({ event }) => !(this.#rests[event.index] as EventZero).isLeft);
  }

  /**
   * Takes the side of each event from the accepted state. Where the value is zero, or the event just
   * happened there, the side is the one it is going to; events whose rate an action reversed are on the side they came
   * from, even if they hardly leave zero.
   */
  arm(
    leg: Leg<T>,
    t: number,
    h: number,
    met: readonly Occurrence<T>[] = [],
    bounced: ReadonlySet<number> = NONE,
  ): void {
    for (const event of this.events) {
      const { index } = event;
      const rest = this.#rests[index] as EventZero;
      const happened = met.find((each) => each.event === event);
      if (!event.counts(leg.mode)) {
        this.#sides[index] = 0;
        rest.leave();
      } else if (event.side) this.#armSide(event, event.side(leg.look.atAccepted(t)), leg, t);
      else if (!happened) this.#sides[index] = this.#side(event, leg, t, h);
      else {
        const value = event.value(leg.look.atAccepted(t));
        const came = happened.rising ? -1 : 1;
        const going = rest.moved && value !== 0 ? Math.sign(value) : this.#going(event, leg, t, h);
        rest.value = rest.moved ? Number.NaN : value;
        this.#sides[index] = bounced.has(index) ? came : going;
      }
    }
  }

  /** The side is known, as that of a rigid stop, which is never passed: a value that is noise is zero until it is left. */
  #armSide(event: CheckedEvent<T>, side: number, leg: Leg<T>, t: number): void {
    const rest = this.#rests[event.index] as EventZero;
    const hasSide = this.#sides[event.index] === side;
    this.#sides[event.index] = side;
    const { own } = event;
    // Another function says when the row ends, and what rounding makes of multipliers may be as large as they are.
    const isOther = own?.kind === "row" && own.isOneSided;
    if (isOther && side > 0) {
      rest.leave();
      return;
    }
    const value = event.value(leg.look.atAccepted(t));
    if (own?.kind === "row" && hasSide && rest.holds(value)) return;
    const known = rest.isLeft || isOther ? 0 : rest.noise;
    const rounding = noiseOf(event, leg, t);
    const noise = Math.max(rounding, known);
    rest.value = Math.abs(value) <= noise ? value : Number.NaN;
    rest.noise = noise;
    if (own?.kind !== "row" || side < 0 || rest.isLeft) return;
    if (this.#changeAhead(event, leg, t) > HELD_CHANGE * noise) return;
    const { relative, positions } = leg.motion.weights;
    rest.noise = Math.max(
      noise,
      rounding * ((HELD_TOLERANCES * (relative + positions)) / DISTURBANCE),
    );
  }

  /** By how much a value changes in a moment, along the motion. */
  #changeAhead(event: CheckedEvent<T>, leg: Leg<T>, t: number): number {
    const { q, v } = leg.look.atAccepted(t);
    const value = event.value(leg.look.atAccepted(t));
    const speed = largestOf(v);
    const moment = Math.min(AHEAD_PATH * this.#unit, (AHEAD_PATH * (1 + largestOf(q))) / speed);
    return Math.abs(event.value(leg.look.atExtrapolated(t, moment)) - value);
  }

  /** The side of an event that has not happened now: its sign, unless that is noise. */
  #side(event: CheckedEvent<T>, leg: Leg<T>, t: number, h: number): number {
    const rest = this.#rests[event.index] as EventZero;
    const known = this.#sides[event.index] as number;
    const value = event.value(leg.look.atAccepted(t));
    if (rest.holds(value)) return known;
    rest.leave();
    const noise = noiseOf(event, leg, t);
    if (!(Math.abs(value) <= noise)) return Math.sign(value);
    if (known !== 0) return known;
    rest.value = value;
    rest.noise = noise;
    return this.#going(event, leg, t, h, noise);
  }

  /** Zeros in the step that has been taken, but not been committed, in the order they are met. */
  find(leg: Leg<T>, t: number, h: number): readonly Occurrence<T>[] {
    this.#found.length = 0;
    this.#leg = leg;
    this.#end = t + h;
    for (const event of this.events) {
      const { index } = event;
      this.#next[index] = this.#sides[index] as number;
      if (!event.counts(leg.mode)) continue;
      const first = event.value(leg.look.atBefore(t, leg.motion.before));
      this.#values[index] = (this.scans[index] as EventScan).step(t, h, first);
    }
    return this.#found.length < 2 ? this.#found : inOrder(this.#found, Math.sign(h));
  }

  /** The step is accepted as examined. */
  commit(): void {
    for (let i = 0; i < this.#sides.length; i++) {
      this.#sides[i] = this.#next[i] as number;
      const rest = this.#rests[i] as EventZero;
      if (!rest.holds(this.#values[i] as number)) rest.leave();
    }
    this.#accept();
  }

  #accept(): void {
    for (const scan of this.scans) scan.accept();
  }

  #sample(event: CheckedEvent<T>, t: number): number {
    checkLimits();
    const { look } = this.#leg;
    return event.value(t === this.#end ? look.atAccepted(t) : look.atInterpolated(t));
  }

  /** Looks for a zero between neighbouring samples; false where a step will be ended on it. */
  #examine(event: CheckedEvent<T>, a: number, b: number, before: number, value: number): boolean {
    const { index, direction } = event;
    const leg = this.#leg;
    const side = this.#next[index] as number;
    const zero = this.#zeroOf(index, value, side);
    if (zero === undefined || side === Math.sign(value - zero)) return true;
    if (value === 0 && side !== 0 && this.#touches(event, leg, b, (b - a) * NUDGE, side)) {
      return true;
    }
    // Exactly zero: the sign is decided later.
    this.#next[index] = Math.sign(value);
    if (side === 0) return true;
    const rising = side < 0;
    if (direction !== "both" && rising !== (direction === "rising")) return true;
    const bracket = { from: a, to: b, before: before - zero, after: value - zero, zero };
    const time = value === 0 ? b : this.#locate(event, leg, bracket, side);
    this.#found.push({ event, time, rising });
    return event.action === undefined;
  }

  /** Value that counts as zero: that at the last event until it is left; undefined where it stays there. */
  #zeroOf(index: number, value: number, side: number): number | undefined {
    const rest = this.#rests[index] as EventZero;
    if (rest.holds(value)) return undefined;
    return rest.isLeft || side === 0 ? 0 : rest.value;
  }

  #locate(
    event: CheckedEvent<T>,
    leg: Leg<T>,
    { from, to, before, after, zero }: Bracket,
    side: number,
  ): number {
    const value = (t: number) => event.value(leg.look.atInterpolated(t)) - zero;
    const rest = this.#rests[event.index] as EventZero;
    let [a, valueA] = [from, before];
    // Right after an event its value is zero up to noise, and leaves it for a moment that can be very short. A sign of noise is no
    // side, since between two such signs there is a root that is no event; only a value that never leaves the noise has no other.
    for (const noise of rest.isLeft ? [0] : [rest.noise, 0]) {
      for (let k = HALVINGS; k > 0 && !(side * valueA > noise); k--) {
        a = from + (to - from) / 2 ** k;
        valueA = value(a);
      }
      if (side * valueA > noise) break;
    }
    if (Math.sign(valueA) !== side) return from;
    return findRoot(value, a, to, valueA, after, LOCATED * this.near(to));
  }

  /** A value that is zero at a time is on the same side again right after it: no sign changes. */
  #touches(
    { when }: CheckedEvent<T>,
    leg: Leg<T>,
    t: number,
    nudge: number,
    side: number,
  ): boolean {
    // The function need not be defined beyond its zero.
    try {
      return Math.sign(when(leg.look.atInterpolated(t + nudge))) === side;
    } catch {
      return false;
    }
  }

  /** The side a value goes to from the accepted state: that of its rate, if it is more than noise. */
  #going(event: CheckedEvent<T>, leg: Leg<T>, t: number, h: number, noise = 0): number {
    const value = event.value(leg.look.atAccepted(t));
    let change = event.value(leg.look.atExtrapolated(t, NUDGE * h)) - value;
    // A function that oscillates may have turned around by then: its first change counts if it is no less steep.
    const first = event.value(leg.look.atExtrapolated(t, NUDGE * NUDGE * h)) - value;
    if (first * change < 0 && Math.abs(first) >= NUDGE * Math.abs(change)) change = first;
    return Math.abs(change) > noise ? Math.sign(change) : 0;
  }
}

function largestOf(values: Float64Array): number {
  let largest = 0;
  for (let i = 0; i < values.length; i++) largest = Math.max(largest, Math.abs(values[i]!));
  return largest;
}

/** Defined outside so that no closure is allocated in a step. */
function inOrder<T extends State>(found: Occurrence<T>[], sign: number): Occurrence<T>[] {
  return found.sort((one, other) => sign * (one.time - other.time));
}
