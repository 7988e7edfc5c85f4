import { Rank } from "../../../../assembly/layout-bodies.js";
import type { SparsePlan } from "../../../base/sparse/symbolic.js";
import type { FactorSlot } from "./factor-slot.js";
import { type LoopRanks, readPivots, writeRanks } from "./loop-ranks.js";

/** Least compliance near singular poses when the rank of each block is known. */
export const MIN_COMPLIANCE = 3e-8;
/** Compliance of all rows if their rank is unknown. */
const UNKNOWN_RANK_COMPLIANCE = 1e-8;

/** Rows whose rank may be requested: their factor, and the data of its blocks for the kernels. */
export interface RankedRows {
  readonly factor: FactorSlot;
  readonly plan: { readonly sparse: SparsePlan };
  readonly arrays: { readonly loopBlocks: Float64Array };
}

/** Ranks of the rows, as known to the solver, and the compliance of rows. */
export class RankKnowledge {
  /** How the solver treats redundant rows. */
  known: Rank = Rank.PLAIN;
  /** Compliance: of all rows, or near singular poses in the present step. */
  compliance = UNKNOWN_RANK_COMPLIANCE;
  /** Whether some rows are known to repeat others. */
  isRedundant = false;
  readonly #system: RankedRows;
  readonly #closesLoops: boolean;

  constructor(system: RankedRows, closesLoops: boolean) {
    this.#system = system;
    this.#closesLoops = closesLoops;
    this.forget();
  }

  /** Sets the rank of each block for the solver. */
  learn(ranks: LoopRanks): void {
    const { plan, arrays, factor } = this.#system;
    writeRanks(plan, ranks, arrays.loopBlocks);
    this.known = Rank.KNOWN;
    this.isRedundant = Array.from(ranks.dependent).some((count) => count > 0);
    this.compliance = MIN_COMPLIANCE;
    factor.owner = undefined;
  }

  /** Declares the rank unknown again, at other poses. */
  forget(): void {
    this.known = this.#closesLoops ? Rank.UNKNOWN : Rank.PLAIN;
    this.compliance = UNKNOWN_RANK_COMPLIANCE;
    this.isRedundant = false;
    this.#system.factor.owner = undefined;
  }

  /** Last pivots of the blocks in the last factorisation. */
  pivots(): Float64Array {
    return readPivots(this.#system.plan, this.#system.arrays.loopBlocks);
  }
}
