// Ranks of the blocks of rows, and their location in the data of the kernels.

import { LoopBlock, Rank } from "../../../../assembly/layout-bodies.js";
import { NodriftError } from "../../../base/errors.js";
import type { Address } from "../../../base/memory/arena.js";
import type { Workspace } from "../../../base/memory/workspace.js";
import type { SparsePlan } from "../../../base/sparse/symbolic.js";
import type { Constraints, Dynamics, GeneralRank, Loops } from "../../../interfaces/index.js";
import type { Plan } from "../plan/plan.js";

/** Ranks by blocks of the plan. */
export interface LoopRanks {
  /** Redundant rows of the block; -1 if it closes no loop. */
  readonly dependent: ArrayLike<number>;
  /** The last pivot of its independent rows, far from singular poses. */
  readonly reference: ArrayLike<number>;
}

/** Results of the examination of a mechanism. */
export interface MechanismFacts {
  /** A typical length, in metres. */
  readonly length: number;
  /** Degrees of freedom, if they have been determined. */
  readonly degreesOfFreedom?: number | undefined;
  readonly ranks?: LoopRanks | undefined;
  /** Whether some constraints cannot be satisfied at any pose. */
  readonly nearlyFits?: boolean;
}

/** The rank of all rows. */
export function generalRank(
  { blocks, rows }: Pick<Plan, "blocks" | "rows">,
  { dependent }: Pick<LoopRanks, "dependent">,
): GeneralRank {
  let [rank, repeated] = [rows, -1];
  blocks.forEach((block, i) => {
    const count = Math.max(0, dependent[i]!);
    rank -= count;
    if (count > 0 && repeated < 0) repeated = block.firstRow + block.rows - count;
  });
  return { rank, repeated };
}

/** Writes the ranks for the kernels, which process blocks in the order of elimination. */
function writeRanks(
  { sparse }: Pick<Plan, "sparse">,
  ranks: LoopRanks,
  memory: Float64Array,
): void {
  sparse.order.forEach((block, column) => {
    const at = LoopBlock.LENGTH * column;
    memory[at + LoopBlock.DEPENDENT] = ranks.dependent[block] as number;
    memory[at + LoopBlock.REFERENCE] = ranks.reference[block] as number;
    // Kernels write those of some blocks only.
    memory[at + LoopBlock.PIVOT] = 0;
  });
}

/** The last pivot of each block in the last factorisation. */
function readPivots({ sparse }: Pick<Plan, "sparse">, memory: Float64Array): Float64Array {
  const pivots = new Float64Array(sparse.order.length);
  sparse.order.forEach((block, column) => {
    pivots[block] = memory[LoopBlock.LENGTH * column + LoopBlock.PIVOT] as number;
  });
  return pivots;
}

/** A pivot below this fraction of its reference value marks a pose near a singular one. */
const SINGULAR_PIVOT_RATIO = 1e-3;

/** Returns whether a block had such a pivot in the last factorisation. */
function isNearSingular(memory: Float64Array): boolean {
  for (let at = 0; at < memory.length; at += LoopBlock.LENGTH) {
    if (!(memory[at + LoopBlock.DEPENDENT]! >= 0)) continue;
    const reference = memory[at + LoopBlock.REFERENCE]!;
    if (memory[at + LoopBlock.PIVOT]! < SINGULAR_PIVOT_RATIO * reference) return true;
  }
  return false;
}

/** Number of rows of each block among the given rows; -1 for blocks to be skipped. */
export function countRows(
  { blocks }: Plan,
  rows: readonly number[],
  counts: (block: number) => boolean,
): Int32Array {
  const among = new Set(rows);
  return Int32Array.from(blocks, ({ firstRow, rows: count }, block) => {
    if (!counts(block)) return -1;
    let found = 0;
    for (let row = firstRow; row < firstRow + count; row++) if (among.has(row)) found++;
    return found;
  });
}

/** Returns the places of the zeros in a list. */
export function zerosOf(pivots: Float64Array): number[] {
  const zeros: number[] = [];
  for (let row = 0; row < pivots.length; row++) if (pivots[row] === 0) zeros.push(row);
  return zeros;
}

/** The parts of a system whose blocks are factored at several poses. */
interface Factored {
  readonly dynamics: Pick<Dynamics, "solver">;
  readonly ranks: { learn(ranks: LoopRanks): void; pivots(): Float64Array };
}

/**
 * Returns the largest last pivot that the independent rows of each block have at some pose of a sealed system. A pose
 * whose rows depend on each other beyond their rank, to rounding, cannot be factored and has no pivot: the other poses
 * decide, and the error is thrown only if there are none.
 */
export function largestPivots<P>(
  system: Factored,
  dependent: ArrayLike<number>,
  poses: readonly P[],
  load: (pose: P) => void,
): Float64Array {
  const reference = new Float64Array(dependent.length);
  const solver = system.dynamics.solver("auto");
  system.ranks.learn({ dependent, reference });
  const failures: unknown[] = [];
  for (const pose of poses) {
    load(pose);
    try {
      solver.factor();
    } catch (error) {
      if (!isLost(error)) throw error;
      failures.push(error);
      continue;
    }
    system.ranks.pivots().forEach((pivot, block) => {
      reference[block] = Math.max(reference[block]!, pivot);
    });
  }
  if (failures.length > 0 && failures.length === poses.length) throw failures[0];
  return reference;
}

/** Returns whether elimination found a pivot that is not positive. */
function isLost(error: unknown): boolean {
  return error instanceof NodriftError && error.code === "MASS";
}

/** The parts of a system whose rank is found. */
interface Ranked {
  readonly plan: Plan;
  readonly arrays: { readonly pivots: Float64Array };
  readonly dynamics: Pick<Dynamics, "solver">;
  readonly ranks: { learn(ranks: LoopRanks): void };
}

/** The rank at the trial state of a system. If bodies are held, even blocks of a tree may be redundant. */
export function rankHere({ plan, arrays, dynamics }: Omit<Ranked, "ranks">): LoopRanks {
  dynamics.solver("auto").rank();
  const counts = countRows(plan, zerosOf(arrays.pivots), () => true).map((count) =>
    count > 0 ? count : -1,
  );
  return { dependent: counts, reference: new Float64Array(plan.blocks.length) };
}

/**
 * Sets the rank of a system at the trial state. Returns false if elimination cannot identify the redundant rows
 * (negative pivots).
 */
export function knowRanksHere(system: Ranked): boolean {
  try {
    system.ranks.learn(rankHere(system));
    return true;
  } catch (error) {
    if (isLost(error)) return false;
    throw error;
  }
}

/** Least compliance near singular poses when the rank of each block is known. */
export const MIN_COMPLIANCE = 3e-8;
/** Compliance of all rows if their rank is unknown. */
const UNKNOWN_RANK_COMPLIANCE = 1e-8;

/** Rows whose rank may be requested: their factor, and the data of its blocks for the kernels. */
interface RankedRows {
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

/** Identifies the solver that factored last and its state, and whether later states keep that factor. */
export interface FactorSlot {
  owner: object | undefined;
  generation: number;
  isKept: boolean;
}

/** The parts of a system from which loops are evaluated. */
export interface LoopParts extends RankedRows {
  readonly workspace: Workspace;
  readonly velocities: number;
  readonly rows: number;
  readonly constraints: Constraints;
  readonly dynamics: Dynamics;
  readonly ranks: RankKnowledge;
}

/** The closed loops of a mechanism. */
export class BodyLoops implements Loops {
  controlsError = false;
  readonly nearlyFits: boolean;
  readonly #parts: LoopParts;
  readonly #motion: Address;
  readonly #closable: Address;

  /** `nearlyFits`: some constraints cannot be satisfied at any pose. */
  constructor(parts: LoopParts, nearlyFits: boolean) {
    const { workspace, velocities, rows } = parts;
    this.#parts = parts;
    this.#motion = workspace.vector("motion that closes loops", velocities);
    this.#closable = workspace.vector("rows that can be closed", rows);
    this.nearlyFits = nearlyFits;
  }

  nearSingular(): boolean {
    const { ranks, arrays } = this.#parts;
    return ranks.known === Rank.KNOWN && isNearSingular(arrays.loopBlocks);
  }

  correctable(residual: Address): Address {
    return this.nearlyFits ? this.#closablePart(residual) : residual;
  }

  correctableError(): number {
    const { ranks, factor, constraints, workspace, rows } = this.#parts;
    const { compliance } = ranks;
    ranks.compliance = 0;
    factor.isKept = false;
    factor.owner = undefined;
    const open = this.#closablePart(constraints.phi());
    ranks.compliance = compliance;
    factor.owner = undefined;
    return workspace.kernels.largestMagnitude(rows, open);
  }

  /** J minnorm(residual). */
  #closablePart(residual: Address): Address {
    const { dynamics, constraints } = this.#parts;
    dynamics.solver("auto").minnorm(1, residual, this.#motion);
    constraints.jacobianTimes(this.#motion, this.#closable);
    return this.#closable;
  }
}
