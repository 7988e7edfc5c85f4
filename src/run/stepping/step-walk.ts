import { Status } from "../../../assembly/layout.js";
import type { System } from "../../seam/index.js";
import type { BoundMethod, StepSpan } from "./bind.js";

/** Times closer than this part of a step are the same. */
const SAME_TIME = 1e-9;

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
  readonly #system: System;
  readonly #bound: BoundMethod;
  readonly #hand: StepHand | undefined;
  /** Its steps must be of one length. */
  readonly #isMultistep: boolean;

  constructor(
    system: System,
    bound: BoundMethod,
    { hand, isMultistep }: { readonly hand: StepHand | undefined; readonly isMultistep: boolean },
  ) {
    this.#system = system;
    this.#bound = bound;
    this.#hand = hand;
    this.#isMultistep = isMultistep;
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
    this.#bound.step(this.#part);
    this.#requireFinite();
    this.#bound.commit(this.#part);
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
