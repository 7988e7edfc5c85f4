import type { Address } from "../../ground/memory/arena.js";
import type { ConstraintSolver, EmbeddingMemory, ExplicitStages } from "../../seam/index.js";
import type { DenseSolver } from "../dense-solver.js";
import type { FormulaFunctions } from "./formula-module.js";
import type { FormulaQuantities } from "./quantities.js";

/**
 * Solves by functions that were written for the system (solve-graph.ts). Where its rows are dependent, or nearly, and
 * where anything is not finite, by the complete orthogonal decomposition, which knows what to say.
 */
export class WrittenSolver implements ConstraintSolver {
  readonly kind = "auto";
  readonly #source: FormulaQuantities;
  readonly #general: DenseSolver;
  #factored = -1;
  #isRegular = false;

  readonly stages = (t: number, h: number, step: ExplicitStages): number => {
    const source = this.#source;
    const { first, count, tableau, nodes, slopes } = step;
    const steps = this.#steps();
    if (steps === undefined) return first;
    const done = steps.stages!(first, count, t, h, source.state.q, tableau, nodes, slopes);
    source.at(t + h);
    source.factorisations += done - first;
    return done;
  };

  constructor(source: FormulaQuantities, general: DenseSolver) {
    this.#source = source;
    this.#general = general;
  }

  factor(): void {
    if (!this.#isFactored()) this.#general.factor();
  }

  massSolve(b: Address, x: Address): void {
    if (!(this.#isFactored() && this.#source.functions.massSolve!(b, x)))
      this.#general.massSolve(b, x);
  }

  accelerate(right: Address, out: Address): void {
    if (this.#isFactored() && this.#source.functions.accelerate!(right, out)) return;
    this.#general.accelerate(right, out);
  }

  rates(right: Address, r: Address, v: Address, out: Address, corrected: Address): void {
    if (this.#isFactored() && this.#source.functions.rates!(right, r, v, out, corrected)) return;
    this.#general.rates(right, r, v, out, corrected);
  }

  minnorm(count: number, r: Address, x: Address): void {
    const { rows, velocities, functions } = this.#source;
    if (this.#isFactored()) {
      let isGood = 1;
      for (let i = 0; i < count; i++)
        isGood &= functions.minnorm!(r + 8 * rows * i, x + 8 * velocities * i);
      if (isGood) return;
    }
    this.#general.minnorm(count, r, x);
  }

  slope(t: number, out: Address): boolean {
    const source = this.#source;
    const steps = this.#steps();
    if (steps === undefined) return false;
    source.at(t);
    // Left to the calls one after the other, which begin anew.
    if (steps.slope!(t, out) === 0) return false;
    source.setKnown();
    source.factorisations++;
    return true;
  }

  predict(t: number, h: number, right: Address, out: Address): boolean {
    const source = this.#source;
    const steps = this.#steps();
    if (steps === undefined) return false;
    source.at(t);
    if (steps.predict!(t, h, right, out) === 0) return false;
    source.setKnown();
    source.factorisations++;
    return true;
  }

  embed(t: number, h: number, passes: number, memory: EmbeddingMemory): boolean {
    const source = this.#source;
    const steps = this.#steps();
    if (steps === undefined) return false;
    const { right, predicted, a, mean, phi, pi, product, point } = memory;
    const { embed } = steps;
    const isDone = embed!(t, h, passes, right, predicted, a, mean, phi, pi, product, point);
    source.at(t + h / 2);
    if (isDone === 0) return false;
    source.factorisations += 1 + passes;
    return true;
  }

  /** Slopes and steps in one call, where the system has them and its mass matrix is regular. */
  #steps(): FormulaFunctions | undefined {
    return this.#source.massIsFactored && !this.#isRedundant() ? this.#source.steps() : undefined;
  }

  multipliers(right: Address, lambda: Address): void {
    if (this.#isFactored() && this.#source.functions.multipliers!(right, lambda)) return;
    this.#general.multipliers(right, lambda);
  }

  rank(): number {
    return this.#isFactored() ? this.#source.rows : this.#general.rank();
  }

  /** Some rows repeat others, so that no pivot can be trusted. */
  #isRedundant(): boolean {
    const known = this.#source.generalRank();
    return known !== undefined && known.rank < this.#source.rows;
  }

  /** Factors at the trial state. False where that is for the general solver. */
  #isFactored(): boolean {
    const source = this.#source;
    if (this.#factored !== source.generation) {
      const isRedundant = this.#isRedundant();
      source.evaluate();
      this.#factored = source.generation;
      this.#isRegular = !isRedundant && source.massIsFactored && source.functions.factor!() === 1;
      source.factorisations++;
    }
    return this.#isRegular;
  }
}
