import type { StiffMemory } from "../../../ground/memory/stiff-memory.js";
import type { GeneralRank, Matrices, SparseEquations } from "../../../seam/index.js";
import { DenseBodies } from "./dense-matrices.js";
import { type BodyDerivatives, bodyDerivatives } from "./derivatives.js";
import { bodyEntries } from "./matrix-entries.js";
import type { BodyQuantities } from "./quantities.js";

/** Matrices of a mechanism for the methods that ask for them. Memory is reserved when that happens. */
export class BodyMatrices implements Matrices {
  readonly #system: BodyQuantities;
  readonly #length: number;
  readonly #rank: GeneralRank | undefined;
  #dense: DenseBodies | undefined;
  #sparse: SparseEquations | undefined;

  constructor(system: BodyQuantities, length: number, rank: GeneralRank | undefined) {
    this.#rank = rank;
    this.#system = system;
    this.#length = length;
  }

  get dense(): DenseBodies {
    this.#dense ??= new DenseBodies(this.#system, this.#rank);
    return this.#dense;
  }

  sparse(): SparseEquations {
    this.#sparse ??= bodyEntries(this.#system, this.#length);
    return this.#sparse;
  }

  derivatives(stiff: StiffMemory): BodyDerivatives | string {
    return bodyDerivatives(this.#system, this.sparse(), stiff);
  }
}
