import { Rank } from "../../../../assembly/layout-bodies.js";
import type { SparsePlan } from "../../../ground/sparse/symbolic.js";
import type { FactorSlot } from "./factor-slot.js";
import { type LoopRanks, readPivots, writeRanks } from "./loop-ranks.js";

/** Least compliance near singular poses when the rank of each block is known. */
export const LEAST_COMPLIANCE = 3e-8;
/** Compliance of all rows where nothing is known of their rank. */
const UNKNOWN_RANK = 1e-8;

/** Rows whose rank is asked for: their factor, and where the kernels read what is known of its blocks. */
export interface RankedRows {
  readonly factor: FactorSlot;
  readonly plan: { readonly sparse: SparsePlan };
  readonly arrays: { readonly loopBlocks: Float64Array };
}

/** What the solver knows of the rank of the rows, and the compliance of rows. */
export class RankKnowledge {
  /** How the solver treats redundant rows. */
  known: Rank = Rank.PLAIN;
  /** Compliance: of all rows, or near singular poses in the present step. */
  compliance = UNKNOWN_RANK;
  /** Some rows are known to repeat others. */
  isRedundant = false;
  readonly #system: RankedRows;
  readonly #closesLoops: boolean;

  constructor(system: RankedRows, closesLoops: boolean) {
    this.#system = system;
    this.#closesLoops = closesLoops;
    this.forget();
  }

  /** From now on the solver knows the rank of each block. */
  learn(ranks: LoopRanks): void {
    const { plan, arrays, factor } = this.#system;
    writeRanks(plan, ranks, arrays.loopBlocks);
    this.known = Rank.KNOWN;
    this.isRedundant = Array.from(ranks.dependent).some((count) => count > 0);
    this.compliance = LEAST_COMPLIANCE;
    factor.owner = undefined;
  }

  /** The rank is unknown again: at other poses. */
  forget(): void {
    this.known = this.#closesLoops ? Rank.UNKNOWN : Rank.PLAIN;
    this.compliance = UNKNOWN_RANK;
    this.isRedundant = false;
    this.#system.factor.owner = undefined;
  }

  /** Last pivots of the blocks in the last factorisation. */
  pivots(): Float64Array {
    return readPivots(this.#system.plan, this.#system.arrays.loopBlocks);
  }
}
