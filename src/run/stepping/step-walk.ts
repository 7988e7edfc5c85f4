import { Status } from "../../../assembly/layout.js";
import { NodriftError, StepFailure } from "../../ground/errors.js";
import type { Stepper, System } from "../../seam/index.js";
import { Backup } from "./backup.js";
import type { BoundMethod, StepSpan } from "./bind.js";

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
  /** Into how many parts a step is divided. */
  parts(span: StepSpan): number;
  begin(span: StepSpan): void;
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
  /** The step to take. */
  readonly span: StepSpan = new Float64Array(2);
  /** The same of the part that is taken. */
  readonly #part: StepSpan = new Float64Array(2);
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

  /** Takes the step that {@link span} says. */
  take(): void {
    const { continuation } = this.#system;
    const { span } = this;
    if (continuation.hasBreaks === false) {
      this.#divide();
      return;
    }
    const t = span[0]!;
    const h = span[1]!;
    const end = t + h;
    let from = t;
    for (;;) {
      if (continuation.arrive?.(from) === true) this.#bound.reset();
      const next = continuation.nextBreak?.(from) ?? Number.POSITIVE_INFINITY;
      const isCut = next < end - Math.max(SAME_TIME * h, 8 * Number.EPSILON * Math.abs(end));
      const whole = from === t && !isCut;
      // Methods that remember steps want them alike.
      if (!whole) this.#bound.reset();
      span[0] = from;
      span[1] = whole ? h : (isCut ? next : end) - from;
      this.#divide();
      if (!whole) this.#bound.reset();
      if (!isCut) return;
      from = next;
    }
  }

  /** Up to `count` steps in one like that of {@link span}, where nothing acts between them; returns how many were taken. */
  several(count: number): number {
    if (!this.#bound.steps || this.#hand?.isResting === false || this.crossing) return 0;
    const { continuation } = this.#system;
    const isFree =
      continuation.hasBreaks === false ||
      (continuation.nextBreak?.(this.span[0]!) ?? Number.POSITIVE_INFINITY) ===
        Number.POSITIVE_INFINITY;
    return isFree ? this.#bound.steps(this.span, count) : 0;
  }

  /** The method's own step from t on, of whatever length. */
  part(t: number, h: number): void {
    this.#part[0] = t;
    this.#part[1] = h;
    this.#takePart();
  }

  #takePart(): void {
    this.#hand?.begin(this.#part);
    if (this.#backup) this.#inPieces(this.#part[0]!, this.#part[1]!, this.#backup);
    else this.#takeOnce(false);
  }

  #takeOnce(damped: boolean): void {
    this.#bound.step(this.#part, damped);
    this.#requireFinite();
    this.#bound.commit(this.#part);
  }

  /**
   * A piece that fails is halved. Some that succeed are followed by one twice as long: not the first ones, for a contact that
   * has begun ends as sharply, and is lost in a longer piece. Pieces end at multiples of their length, so that the end of the
   * step is met to the bit.
   */
  #inPieces(t: number, h: number, backup: Backup): void {
    const { division } = this;
    let [done, size, alike] = [0, MOST_PARTS, 0];
    for (let count = 1; ; count++) {
      const taken = this.#takePiece(t, h, done, size, backup);
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

  /** Takes a piece of the part, of at most this size. Gives its size. */
  #takePiece(t: number, h: number, done: number, most: number, backup: Backup): number {
    this.#part[0] = t + (h * done) / MOST_PARTS;
    backup.keep();
    for (let size = most; ; size /= 2) {
      this.#part[1] = (h * size) / MOST_PARTS;
      try {
        this.#takeOnce(false);
        return size;
      } catch (error) {
        if (!(error instanceof StepFailure || error instanceof NodriftError)) throw error;
        backup.goBack();
      }
      if (size > 1) continue;
      this.division.damped++;
      this.#takeOnce(true);
      return 1;
    }
  }

  /** Takes what {@link span} says, in parts. */
  #divide(): void {
    const t = this.span[0]!;
    const h = this.span[1]!;
    const parts = this.#isMultistep ? 1 : (this.#hand?.parts(this.span) ?? 1);
    const part = h / parts;
    for (let i = 0; i < parts; i++) {
      if (this.crossing) {
        this.crossing.cross(t + i * part, part);
        continue;
      }
      this.#part[0] = t + i * part;
      this.#part[1] = part;
      this.#takePart();
    }
  }

  /** The final combination of slopes can overflow even if all slopes are finite. */
  #requireFinite(): void {
    const { state, workspace } = this.#system;
    const { positions, velocities } = this.#system.coordinates;
    const size = positions + velocities;
    if (workspace.kernels.largestMagnitude(size, state.q) < Number.POSITIVE_INFINITY) return;
    this.#system.load(this.#part[0]! + this.#part[1]!);
    throw this.#system.errorFor(Status.NON_FINITE, "");
  }
}
