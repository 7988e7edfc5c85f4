import { Status } from "../../../assembly/layout.js";
import { NodriftError, StepFailure } from "../../base/errors.js";
import type { System } from "../../interfaces/index.js";
import { Backup } from "./backup.js";
import type { BoundMethod, StepSpan } from "./bind.js";

/** Times closer than this fraction of a step are equal. */
const TIME_TOLERANCE_STEPS = 1e-9;

/** Maximum number of pieces of a substep: a power of two. */
const MAX_PIECES = 64;
/** Successive pieces of one length before a longer one. */
const EQUAL_PIECES_BEFORE_LONGER = 8;

/** Counts of divided steps, for methods that divide them: see `ros3`. */
export interface DividedSteps {
  /** Steps that were divided. */
  divided: number;
  /** Pieces of these steps. */
  parts: number;
  /** Shortest pieces that the method could not resolve, and damped. */
  damped: number;
}

/** External loads that act on a system during steps. */
export interface StepLoads {
  /** Whether it has no effect in coming steps until it is used again. */
  readonly isResting: boolean;
  /** Returns the number of substeps of a step. */
  parts(span: StepSpan): number;
  begin(span: StepSpan): void;
  end(t: number): void;
}

/** Handles what a plain step cannot, such as impacts. */
export interface StepInterceptor {
  /** Saves the state at the beginning of a step, in case the step fails. */
  keep(): void;
  /** Restores the saved state after a failed step. */
  restoreStep(): void;
  /** Advances the accepted state from t by h. */
  handleStep(t: number, h: number): void;
}

/** Takes steps of a method in substeps that end at the breaks of the system. */
export class Substepper {
  /** The step to take. */
  readonly span: StepSpan = new Float64Array(2);
  /** Begin and length of the present substep. */
  readonly #substepSpan: StepSpan = new Float64Array(2);
  interceptor: StepInterceptor | undefined;
  readonly division: DividedSteps = { divided: 0, parts: 0, damped: 0 };
  readonly #system: System;
  readonly #bound: BoundMethod;
  readonly #loads: StepLoads | undefined;
  /** The method needs equal steps. */
  readonly #isMultistep: boolean;
  readonly #backup: Backup | undefined = undefined;

  constructor(
    system: System,
    bound: BoundMethod,
    { hand, isMultistep }: { readonly hand: StepLoads | undefined; readonly isMultistep: boolean },
  ) {
    this.#system = system;
    this.#bound = bound;
    this.#loads = hand;
    this.#isMultistep = isMultistep;
    const { damped } = bound.stepper;
    if (!damped) return;
    this.#backup = new Backup(system, bound);
    damped.refusesFarOff = true;
  }

  /** Takes the step given by {@link span}. */
  take(): void {
    const { continuation } = this.#system;
    const span = this.span;
    const substep = this.#substepSpan;
    const { hasBreaks } = continuation;
    const t = span[0]!;
    const h = span[1]!;
    const end = t + h;
    let from = t;
    for (;;) {
      if (hasBreaks && continuation.arrive(from)) this.#bound.reset();
      const next = hasBreaks ? continuation.nextBreak(from) : Number.POSITIVE_INFINITY;
      const isCut =
        next < end - Math.max(TIME_TOLERANCE_STEPS * h, 8 * Number.EPSILON * Math.abs(end));
      const isWhole = from === t && !isCut;
      // Multistep methods need equal steps: restart.
      if (!isWhole) this.#bound.reset();
      span[0] = from;
      span[1] = isWhole ? h : (isCut ? next : end) - from;
      const count = this.#isMultistep ? 1 : (this.#loads?.parts(span) ?? 1);
      const length = span[1] / count;
      for (let i = 0; i < count; i++) {
        if (this.interceptor) {
          this.interceptor.handleStep(from + i * length, length);
          continue;
        }
        substep[0] = from + i * length;
        substep[1] = length;
        this.#loads?.begin(substep);
        if (this.#backup) this.#takePieces(substep, this.#backup);
        else this.#takeOnce(false);
      }
      if (!isWhole) this.#bound.reset();
      if (!isCut) return;
      from = next;
    }
  }

  /**
   * Takes up to `count` steps like that of {@link span} in one call if nothing acts between them; returns the number
   * taken.
   */
  several(count: number): number {
    if (!this.#bound.steps || this.#loads?.isResting === false || this.interceptor) return 0;
    const { continuation } = this.#system;
    const isFree =
      !continuation.hasBreaks || continuation.nextBreak(this.span[0]!) === Number.POSITIVE_INFINITY;
    return isFree ? this.#bound.steps(this.span, count) : 0;
  }

  /** Takes one step of the method from t, of any length. */
  part(t: number, h: number): void {
    const substep = this.#substepSpan;
    substep[0] = t;
    substep[1] = h;
    this.#loads?.begin(substep);
    if (this.#backup) this.#takePieces(substep, this.#backup);
    else this.#takeOnce(false);
  }

  #takeOnce(damped: boolean): void {
    this.#bound.step(this.#substepSpan, damped);
    this.#requireFinite();
    this.#bound.commit(this.#substepSpan);
  }

  /**
   * Takes a substep in pieces. A failed piece is halved. After several equal ones that succeed, the next is twice as
   * long. The first success does not suffice: a contact that has begun ends as sharply, and is lost in a longer
   * piece. Pieces end at multiples of their length, so that the end of the step is reached exactly.
   */
  #takePieces(substep: StepSpan, backup: Backup): void {
    const { division } = this;
    const t = substep[0]!;
    const h = substep[1]!;
    let [done, size, equal] = [0, MAX_PIECES, 0];
    for (let count = 1; ; count++) {
      const taken = this.#takePiece(t, h, done, size, backup);
      equal = taken === size ? equal + 1 : 1;
      size = taken;
      done += size;
      if (done === MAX_PIECES) {
        if (count > 1) {
          division.divided++;
          division.parts += count;
        }
        return;
      }
      if (equal < EQUAL_PIECES_BEFORE_LONGER || done % (2 * size) !== 0) continue;
      size *= 2;
      equal = 0;
    }
  }

  /** Takes a piece of the substep, of at most this size. Returns its size. */
  #takePiece(t: number, h: number, done: number, most: number, backup: Backup): number {
    this.#substepSpan[0] = t + (h * done) / MAX_PIECES;
    backup.save();
    for (let size = most; ; size /= 2) {
      this.#substepSpan[1] = (h * size) / MAX_PIECES;
      try {
        this.#takeOnce(false);
        return size;
      } catch (error) {
        if (!(error instanceof StepFailure || error instanceof NodriftError)) throw error;
        backup.restore();
      }
      if (size > 1) continue;
      this.division.damped++;
      this.#takeOnce(true);
      return 1;
    }
  }

  /** The final combination of slopes can overflow even if all slopes are finite. */
  #requireFinite(): void {
    const { state, workspace } = this.#system;
    const { positions, velocities } = this.#system.coordinates;
    const size = positions + velocities;
    if (workspace.kernels.largestMagnitude(size, state.q) < Number.POSITIVE_INFINITY) return;
    this.#system.load(this.#substepSpan[0]! + this.#substepSpan[1]!);
    throw this.#system.errorFor(Status.NON_FINITE, "");
  }
}
