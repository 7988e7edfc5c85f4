import { Rank } from "../../../../assembly/layout-bodies.js";
import type { Continuation, Loops, Turns } from "../../../seam/index.js";
import { carryCouplings, holdCouplings } from "../plan/coupling-offsets.js";
import { carryAngles, turnOfStep, turnsOf } from "./angle-continuation.js";
import type { BodyQuantities } from "./quantities.js";
import { LEAST_COMPLIANCE, type RankKnowledge } from "./rank-knowledge.js";

/** Largest compliance beside singular poses, and how it grows with the turn of a step. */
const COMPLIANCE = { most: 1e-4, perTurn: 1 / 25 } as const;

/** Turns of angles, what couplings hold, and the compliance of each step. */
export class BodyContinuation implements Continuation {
  readonly turns: Turns;
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
    this.turns = turnsOf(system.plan, () => system.arrays.data);
    this.#turn = turnOfStep(system.plan);
  }

  /**
   * The compliance of a step, beside singular poses: mu = (w h)^2 / 25, w the largest angular velocity (or
   * relative speed over length). Tuned on linkages through singular poses in steps of one length: smaller ones
   * amplify errors there, larger ones lose energy. Where steps follow an error estimate the least is best, as
   * long ones are rejected: parallelograms at tolerance 1e-10 then end 4 tolerances off, with (w h)^2 / 25 up
   * to 76 000, and two four-bars through ten singular poses take a fifth of the steps.
   */
  beginStep(_: number, h: number): void {
    const { kernels, table, state, factor } = this.#system;
    factor.isKept = false;
    if (this.#ranks.known !== Rank.KNOWN || this.#loops?.controlsError) return;
    const turning = kernels.bodyAngularRate(table, state.v);
    const sliding = kernels.bodySpeedRange(table, state.v) / this.#length;
    const turn = Math.max(turning, sliding) * h;
    const wanted = Math.max(COMPLIANCE.perTurn * turn * turn, LEAST_COMPLIANCE);
    this.#ranks.compliance = Math.min(wanted, COMPLIANCE.most);
  }

  stepLimit(): number {
    const { kernels, table, state } = this.#system;
    return this.#turn / kernels.bodyAngularRate(table, state.v);
  }

  finaliseState(t: number): void {
    this.#system.finaliseState(t);
  }

  /** Angles keep counting, and couplings keep their offsets; new couplings take theirs from this state. */
  continueFrom(previous: Continuation, t: number): void {
    if (!(previous instanceof BodyContinuation)) return;
    const from = { ...previous.#system.plan, data: previous.#system.arrays.data };
    const to = { ...this.#system.plan, data: this.#system.arrays.data };
    carryAngles(from, to);
    holdCouplings(this.#system, t);
    carryCouplings(from, to);
  }
}
