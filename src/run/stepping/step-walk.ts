import { Status } from "../../../assembly/layout.js";
import type { System } from "../../seam/index.js";
import type { BoundMethod } from "./bind.js";

/** Times closer than this part of a step are the same. */
const SAME_TIME = 1e-9;

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
  /** When a step begins, and its length. In memory: engines allocate for a number that one function hands to another. */
  readonly span = new Float64Array(2);
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
    const t = this.span[0]!;
    const h = this.span[1]!;
    const end = t + h;
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
    this.#bound.step(t, h);
    this.#requireFinite(t + h);
    this.#bound.commit(t, h);
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
