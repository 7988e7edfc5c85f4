import { Rank } from "../../../../assembly/layout-bodies.js";
import type { Address } from "../../../base/memory/arena.js";
import type { Workspace } from "../../../base/memory/workspace.js";
import type { Constraints, Dynamics, Loops } from "../../../interfaces/index.js";
import { isNearSingular } from "./loop-ranks.js";
import type { RankedRows, RankKnowledge } from "./rank-knowledge.js";

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
