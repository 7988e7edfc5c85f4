import type { StiffMemory } from "../../../ground/memory/stiff-memory.js";
import type {
  EquationDerivatives,
  Matrices,
  SparseEquations,
  StageEquations,
} from "../../../seam/index.js";
import { relativeDerivatives } from "./derivatives.js";
import { relativeEntries } from "./matrix-entries.js";
import { TreeMatrices } from "./path-matrices.js";
import type { RelativeQuantities } from "./quantities.js";
import { treeStages, whyStagesAreCostly } from "./tree-stage.js";

/** Matrices of a mechanism in relative coordinates. Memory is reserved when a method asks for them. */
export class RelativeMatrices implements Matrices {
  readonly #system: RelativeQuantities;
  readonly #length: number;
  #sparse: SparseEquations | undefined;
  #tree: TreeMatrices | undefined;

  constructor(system: RelativeQuantities, length: number) {
    this.#system = system;
    this.#length = length;
  }

  get costly(): string | undefined {
    return whyStagesAreCostly(this.#system.plan);
  }

  sparse(stiff: StiffMemory): SparseEquations {
    const matrices = () => this.#matrices(stiff);
    this.#sparse ??= relativeEntries(this.#system, stiff, matrices, this.#length);
    return this.#sparse;
  }

  derivatives(stiff: StiffMemory): EquationDerivatives | string {
    return relativeDerivatives(this.#matrices(stiff), stiff);
  }

  stages(stiff: StiffMemory): StageEquations | undefined {
    return treeStages(this.#system, stiff);
  }

  #matrices(stiff: StiffMemory): TreeMatrices {
    this.#tree ??= new TreeMatrices(this.#system, stiff);
    return this.#tree;
  }
}
