import { Rank } from "../../../../assembly/layout-bodies.js";
import { type LoopRanks, readPivots, writeRanks } from "./loop-ranks.js";
import type { BodyQuantities } from "./quantities.js";

/** Least compliance near singular poses when the rank of each block is known. */
export const LEAST_COMPLIANCE = 3e-8;
/** Compliance of all rows where nothing is known of their rank. */
const UNKNOWN_RANK = 1e-8;

/** What the solver knows of the rank of the rows, and the compliance of rows. */
export class RankKnowledge {
  /** How the solver treats redundant rows. */
  known: Rank = Rank.PLAIN;
  /** Compliance: of all rows, or near singular poses in the present step. */
  compliance = UNKNOWN_RANK;
  readonly #system: BodyQuantities;
  readonly #closesLoops: boolean;

  constructor(system: BodyQuantities, closesLoops: boolean) {
    this.#system = system;
    this.#closesLoops = closesLoops;
    this.forget();
  }

  /** From now on the solver knows the rank of each block. */
  learn(ranks: LoopRanks): void {
    const { plan, arrays, factor } = this.#system;
    writeRanks(plan, ranks, arrays.loopBlocks);
    this.known = Rank.KNOWN;
    this.compliance = LEAST_COMPLIANCE;
    factor.owner = undefined;
  }

  /** The rank is unknown again: at other poses. */
  forget(): void {
    this.known = this.#closesLoops ? Rank.UNKNOWN : Rank.PLAIN;
    this.compliance = UNKNOWN_RANK;
    this.#system.factor.owner = undefined;
  }

  /** Last pivots of the blocks in the last factorisation. */
  pivots(): Float64Array {
    return readPivots(this.#system.plan, this.#system.arrays.loopBlocks);
  }
}
