import type { State } from "../contracts.js";
import { StepRefusal } from "../errors.js";
import { checkpoint, Stopped } from "../watch.js";
import { StepController } from "./controller.js";
import { noteDifferences } from "./difference-note.js";
import type { Leg } from "./leg.js";
import { NoiseFloor } from "./noise-floor.js";
import type { Setup } from "./setup.js";
import type { Tally } from "./statistics.js";

/** Steps below so many spacings of floating-point numbers at the time are too small. */
const SPACINGS = 16;

/** So much longer than the longest a step may be where it ends; the error that it then counts as. */
const MUCH = 1.2;
const TOO_LONG = 10;
/** So much shorter than it should have been, a step is looked into. */
const MUCH_SHORTER = 16;

/** No step is short enough. */
export class Underflow extends Error {
  constructor(
    readonly h: number,
    override readonly cause: unknown,
  ) {
    super("step underflow");
  }
}

/** Finds the length of each step. */
export class Stepping<T extends State> {
  readonly controller = new StepController();
  readonly floor: NoiseFloor<T>;
  /** Length of the next step to try, with its sign. */
  next = 0;
  readonly #setup: Setup<T>;
  readonly #tally: Tally;
  readonly #notes: string[];
  #error = 0;
  /** The last error with its noise. */
  #raw = 0;
  #wanted = 0;
  #taken = 0;
  #cause: unknown;

  constructor(setup: Setup<T>, tally: Tally, notes: string[]) {
    this.#setup = setup;
    this.#tally = tally;
    this.#notes = notes;
    this.floor = new NoiseFloor(notes);
  }

  /** The motion begins anew: finds a first step. */
  begin(leg: Leg<T>, t: number): void {
    const { step, firstStep, direction, span } = this.#setup;
    this.controller.reset();
    this.floor.reset();
    noteDifferences(leg, t, this.#notes);
    const { motion } = leg;
    const found = step ?? firstStep ?? (motion.estimates ? leg.firstStep.find(t, span[1]) : 0);
    this.next = direction * this.#limited(leg, found);
  }

  /** Takes a step, not beyond a time, that can still be undone. Gives the time it ends at. */
  take(leg: Leg<T>, t: number, target: number): number {
    const { motion } = leg;
    const controlled = motion.estimates && this.#setup.step === undefined;
    this.#wanted = this.next;
    if (controlled) this.#probe(leg, t);
    let first = 0;
    for (;;) {
      checkpoint();
      const h = this.#towards(t, target, controlled && motion.rule?.takesRest !== true);
      const error = this.#attempt(leg, t, h);
      if (error <= 1 || (!controlled && this.#cause === undefined)) {
        this.#error = error;
        this.#taken = h;
        return h === target - t ? target : t + h;
      }
      motion.undo();
      if (!controlled) throw this.#cause;
      this.#tally.rejections++;
      if (first === 0) first = error;
      if (this.#isNoise(leg, t, h, error, first)) continue;
      this.next = h * this.#shorter(leg, h, error);
      const spacing = Number.EPSILON * Math.max(Math.abs(t), Math.abs(target - t) * 1e-6);
      if (!(Math.abs(this.next) > SPACINGS * spacing)) {
        throw new Underflow(h, this.#cause ?? this.floor.blame(leg, t));
      }
    }
  }

  /** The step from t to `end` stands: finds the length of the next one. */
  stands(leg: Leg<T>, t: number, end: number): void {
    if (end === this.#setup.span[1]) noteDifferences(leg, end, this.#notes);
    if (!leg.motion.estimates || this.#setup.step !== undefined) return;
    // Not as rounded by the time: methods use matrices again that are made for a length.
    const h = end === t + this.#taken ? this.#taken : end - t;
    const { rule, errorOrder } = leg.motion;
    const factor = rule
      ? rule.accepted(h, this.#error)
      : this.controller.accepted(this.#error, errorOrder);
    // A step that was cut short to end at some time says nothing against longer ones.
    const cut = Math.abs(h) < 0.999 * Math.abs(this.#wanted) && this.next === this.#wanted;
    const length = Math.abs(h) * factor;
    this.floor.accepted(h);
    this.next =
      this.#setup.direction *
      this.#limited(leg, cut ? Math.max(length, Math.abs(this.#wanted)) : length);
  }

  /** The error of a step; NaN where it could not be taken: a shorter one may stay where functions are defined. */
  #attempt(leg: Leg<T>, t: number, h: number): number {
    this.#cause = undefined;
    try {
      this.#raw = leg.motion.attempt(t, h);
      const error = this.floor.without(this.#raw);
      const longest = leg.system.longestStep?.() ?? Number.POSITIVE_INFINITY;
      // Its end is faster than its beginning was.
      return Math.abs(h) > MUCH * longest ? Math.max(error, TOO_LONG) : error;
    } catch (cause) {
      if (cause instanceof Stopped) throw cause;
      this.#cause = cause;
      return Number.NaN;
    }
  }

  /** Looks whether noise has made the steps as short as they are. */
  #probe(leg: Leg<T>, t: number): void {
    try {
      if (this.floor.probe(leg, t, this.next)) this.controller.reset();
    } catch (cause) {
      throw new Underflow(this.next, cause);
    }
  }

  /** Whether the errors of refused steps are noise, which is allowed from then on. */
  #isNoise(leg: Leg<T>, t: number, h: number, error: number, first: number): boolean {
    const isFlat = 2 * error > first && Math.abs(h) * MUCH_SHORTER < Math.abs(this.#wanted);
    if (!isFlat) return false;
    try {
      if (!this.floor.explains(leg, t, this.#raw)) return false;
    } catch (cause) {
      throw new Underflow(h, cause);
    }
    this.next = this.#wanted;
    return true;
  }

  /** By how much a step is shortened that did not do. */
  #shorter({ motion }: Leg<T>, h: number, error: number): number {
    if (this.#cause instanceof StepRefusal) return this.#cause.factor;
    const { rule, errorOrder } = motion;
    if (rule && this.#cause === undefined) return rule.rejected(h, error);
    return this.controller.rejected(error, errorOrder);
  }

  /** The next step, cut at the target; two even ones where the rest would be a very short one. */
  #towards(t: number, target: number, evenly: boolean): number {
    const rest = target - t;
    const length = Math.abs(this.next);
    if (length >= Math.abs(rest) * (1 - 1e-9)) return rest;
    return evenly && length > Math.abs(rest) / 2 ? rest / 2 : this.next;
  }

  #limited({ system }: Leg<T>, h: number): number {
    const limited = Math.min(h, this.#setup.maximumStep);
    if (this.#setup.step !== undefined) return limited;
    return Math.min(limited, system.longestStep?.() ?? limited);
  }
}
