import { Status } from "../../../assembly/layout.js";
import { NodriftError, StepFailure } from "../../ground/errors.js";
import type { Stepper, System } from "../../seam/index.js";
import { Backup } from "./backup.js";
import type { BoundMethod } from "./bind.js";

/** Times closer than this part of a step are the same. */
const SAME_TIME = 1e-9;

/** Into how many parts a step is divided at most: a power of two. */
const MOST_PARTS = 64;
/** Parts of one length before a longer one. */
const ALIKE = 8;

/** How often steps were divided, in methods that do so: see `ros3`. */
export interface DividedSteps {
  /** Steps that were taken in parts. */
  divided: number;
  /** Parts of them. */
  parts: number;
  /** The shortest parts that the method could not resolve, and damped. */
  damped: number;
}

/** Acts on a system from step to step. */
export interface StepHand {
  /** Whether it does nothing in steps to come, until it is asked for something. */
  readonly isResting: boolean;
  /** Into how many parts a step of length h is divided. */
  parts(h: number): number;
  begin(t: number, h: number): void;
  end(t: number): void;
}

/** Takes a system over what a step of its method does not see. */
export interface StepCrossing {
  /** A step begins: for when it fails. */
  keep(): void;
  /** The step that began last has failed, and the state is as it was before. */
  goBack(): void;
  /** From t on by h, with the accepted state at both ends. */
  cross(t: number, h: number): void;
}

/** Steps of a method, in parts that end where the system wants steps to end. */
export class StepWalk {
  crossing: StepCrossing | undefined;
  readonly division: DividedSteps = { divided: 0, parts: 0, damped: 0 };
  readonly #system: System;
  readonly #bound: BoundMethod;
  readonly #hand: StepHand | undefined;
  /** Its steps must be of one length. */
  readonly #isMultistep: boolean;
  readonly #backup: Backup | undefined = undefined;

  constructor(
    system: System,
    bound: BoundMethod,
    { hand, isMultistep }: { readonly hand: StepHand | undefined; readonly isMultistep: boolean },
  ) {
    this.#system = system;
    this.#bound = bound;
    this.#hand = hand;
    this.#isMultistep = isMultistep;
    if (!bound.dividesSteps) return;
    this.#backup = new Backup(system, bound);
    (bound.stepper as Stepper).refusesFarOff = true;
  }

  /** From t to the end of a step of length h. */
  take(t: number, end: number, h: number): void {
    const { continuation } = this.#system;
    let from = t;
    for (;;) {
      if (continuation.arrive?.(from) === true) this.#bound.reset();
      const next = continuation.nextBreak?.(from) ?? Number.POSITIVE_INFINITY;
      const isCut = next < end - Math.max(SAME_TIME * h, 8 * Number.EPSILON * Math.abs(end));
      const whole = from === t && !isCut;
      // Methods that remember steps want them alike.
      if (!whole) this.#bound.reset();
      this.#divide(from, whole ? h : (isCut ? next : end) - from);
      if (!whole) this.#bound.reset();
      if (!isCut) return;
      from = next;
    }
  }

  /** Up to `count` steps in one, where nothing acts between them; returns how many were taken. */
  several(t: number, h: number, count: number): number {
    if (!this.#bound.steps || this.#hand?.isResting === false || this.crossing) return 0;
    const next = this.#system.continuation.nextBreak?.(t) ?? Number.POSITIVE_INFINITY;
    return next === Number.POSITIVE_INFINITY ? this.#bound.steps(t, h, count) : 0;
  }

  /** The method's own step, of whatever length. */
  part(t: number, h: number): void {
    this.#hand?.begin(t, h);
    if (this.#backup) this.#inParts(t, h, this.#backup);
    else this.#whole(t, h, false);
  }

  #whole(t: number, h: number, damped: boolean): void {
    this.#bound.step(t, h, damped);
    this.#requireFinite(t + h);
    this.#bound.commit(t, h);
  }

  /**
   * A part that fails is halved. Some that succeed are followed by one twice as long: not the first ones, for a contact that has begun
   * ends as sharply, and is lost in a longer part. Parts end at multiples of their length, so that the end of the step is
   * met to the bit.
   */
  #inParts(t: number, h: number, backup: Backup): void {
    const { division } = this;
    let [done, size, alike] = [0, MOST_PARTS, 0];
    for (let count = 1; ; count++) {
      const taken = this.#part(t, h, done, size, backup);
      alike = taken === size ? alike + 1 : 1;
      size = taken;
      done += size;
      if (done === MOST_PARTS) {
        if (count > 1) {
          division.divided++;
          division.parts += count;
        }
        return;
      }
      if (alike < ALIKE || done % (2 * size) !== 0) continue;
      size *= 2;
      alike = 0;
    }
  }

  /** Takes a part of the step, of at most this size. Gives its size. */
  #part(t: number, h: number, done: number, most: number, backup: Backup): number {
    const from = t + (h * done) / MOST_PARTS;
    backup.keep();
    for (let size = most; ; size /= 2) {
      try {
        this.#whole(from, (h * size) / MOST_PARTS, false);
        return size;
      } catch (error) {
        if (!(error instanceof StepFailure || error instanceof NodriftError)) throw error;
        backup.goBack();
      }
      if (size > 1) continue;
      this.division.damped++;
      this.#whole(from, h / MOST_PARTS, true);
      return 1;
    }
  }

  #divide(t: number, h: number): void {
    const parts = this.#isMultistep ? 1 : (this.#hand?.parts(h) ?? 1);
    const part = h / parts;
    for (let i = 0; i < parts; i++) {
      if (this.crossing) this.crossing.cross(t + i * part, part);
      else this.part(t + i * part, part);
    }
  }

  /** The final combination of slopes can overflow even if all slopes are finite. */
  #requireFinite(t: number): void {
    const { state, workspace } = this.#system;
    const { positions, velocities } = this.#system.coordinates;
    const size = positions + velocities;
    if (workspace.kernels.largestMagnitude(size, state.q) < Number.POSITIVE_INFINITY) return;
    this.#system.load(t);
    throw this.#system.errorFor(Status.NON_FINITE, "");
  }
}
