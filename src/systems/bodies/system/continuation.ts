import { Rank } from "../../../../assembly/layout-bodies.js";
import type { Continuation, Loops, UnwrappedAngles } from "../../../interfaces/index.js";
import { type Constants, carryCouplings, holdCouplings } from "../plan/plan.js";
import {
  carryAngles,
  carryControllers,
  turnOfStep,
  unwrappedAnglesOf,
} from "./angle-continuation.js";
import { MIN_COMPLIANCE, type RankKnowledge } from "./loop-ranks.js";
import type { BodyQuantities } from "./quantities.js";

/** A continuation that counts rotations and holds couplings among the constants of the kernels. */
interface Counting extends Continuation {
  readonly constants: Constants;
}

/** Copies angles and couplings by their names; `hold` sets the couplings that are new. */
export function carryOn(previous: Continuation, to: Constants, hold: () => void): void {
  if (!("constants" in previous)) return;
  const from = (previous as Counting).constants;
  carryAngles(from, to);
  hold();
  carryCouplings(from, to);
  carryControllers(from, to);
}

/** Largest compliance near singular poses, and its growth with the rotation in a step. */
export const COMPLIANCE = { most: 1e-4, perTurn: 1 / 25 } as const;

/**
 * The compliance of a step, near singular poses: mu = (w h)^2 / 25, w the largest angular velocity (or relative speed
 * over length). Tuned on linkages through singular poses with fixed steps: smaller values amplify errors there, larger
 * ones lose energy. In adaptive runs the minimum is best, as long steps are rejected: parallelograms at tolerance
 * 1e-10 then end 4 tolerances off, with (w h)^2 / 25 up to 76 000, and two four-bars through ten singular poses take a
 * fifth of the steps.
 */
export function complianceOf(turn: number): number {
  const wanted = Math.max(COMPLIANCE.perTurn * turn * turn, MIN_COMPLIANCE);
  return Math.min(wanted, COMPLIANCE.most);
}

/** Unwrapped angles, coupling offsets, and the compliance of each step. */
export class BodyContinuation implements Counting {
  readonly actsBetweenSteps = true;
  readonly doubts = [];
  #angles: UnwrappedAngles | undefined;
  readonly #system: BodyQuantities;
  readonly #ranks: RankKnowledge;
  readonly #loops: Loops | undefined;
  readonly #length: number;
  readonly #turn: number;

  constructor(
    system: BodyQuantities,
    ranks: RankKnowledge,
    loops: Loops | undefined,
    length: number,
  ) {
    this.#system = system;
    this.#ranks = ranks;
    this.#loops = loops;
    this.#length = length;
    this.#turn = turnOfStep(system.plan);
  }

  get unwrappedAngles(): UnwrappedAngles {
    // In a method of its own: a getter with a closure allocates at each call.
    this.#angles ??= this.#unwrappedAnglesOf();
    return this.#angles;
  }

  #unwrappedAnglesOf(): UnwrappedAngles {
    const system = this.#system;
    return unwrappedAnglesOf(system.plan, () => system.arrays.data);
  }

  beginStep(t: number, h: number): void {
    const { kernels, table, state, factor, prediction } = this.#system;
    factor.isKept = false;
    prediction.begin(t, h);
    if (this.#ranks.known !== Rank.KNOWN || this.#loops?.controlsError) return;
    const turning = this.#system.angularRate();
    const sliding = kernels.bodySpeedRange(table, state.v) / this.#length;
    this.#ranks.compliance = complianceOf(Math.max(turning, sliding) * h);
  }

  useFixedSteps(): void {
    this.#system.prediction.isStrict = true;
  }

  stepLimit(): number {
    return this.#turn / this.#system.angularRate();
  }

  finaliseState(t: number): void {
    this.#system.finaliseState(t);
  }

  get hasBreaks(): boolean {
    return this.#system.plan.model.controllers.length > 0;
  }

  arrive(t: number): boolean {
    // Before the closure below is created: steps without samples must not allocate.
    if (!this.#system.controllers.isDue(t)) return false;
    return this.#system.arrive(t, () => this.#system.load(t));
  }

  nextBreak(t: number): number {
    return this.#system.controllers.nextBreak(t);
  }

  /** Angles continue, and couplings keep their offsets; new couplings take theirs from this state. */
  continueFrom(previous: Continuation, t: number): void {
    carryOn(previous, this.constants, () => holdCouplings(this.#system, t));
  }

  get constants(): Constants {
    return { ...this.#system.plan, data: this.#system.arrays.data };
  }
}
