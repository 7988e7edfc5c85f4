import type { Address } from "../../../ground/memory/arena.js";
import type { Workspace } from "../../../ground/memory/workspace.js";
import type { AdaptiveStepper, ImplicitCosts, Ode, StepRule } from "../../../seam/index.js";
import { costsOf } from "../implicit/costs.js";
import { InsideCheck } from "../implicit/end-check.js";
import { extrapolate, type SdirkConstants, sdirkConstants } from "./sdirk-constants.js";
import { QUICK, type SdirkMemory, sdirkMemory } from "./sdirk-memory.js";
import { SdirkNewton } from "./sdirk-newton.js";
import { sdirkRule } from "./sdirk-rule.js";
import type { SdirkTableau } from "./tableau.js";

/** A diagonally implicit method in place. */
export class SdirkStepper implements AdaptiveStepper {
  readonly interpolantRows = 5;
  readonly skipsEndEvaluation = true;
  readonly rule: StepRule;
  readonly costs: ImplicitCosts;
  readonly #tableau: SdirkTableau;
  readonly #ode: Ode;
  readonly #workspace: Workspace;
  readonly #newton: SdirkNewton;
  readonly #inside: InsideCheck;
  readonly #memory: SdirkMemory;
  readonly #weights: SdirkConstants;
  readonly #stages: number;
  /** Displacements of the stages: of this step, and of the one before. */
  readonly #z: Address;
  readonly #before: Address;
  readonly #scratch: Address;
  readonly #zero: Address;
  readonly #extrapolation: Address;
  #extrapolationWeights = new Float64Array(0);

  constructor(tableau: SdirkTableau, ode: Ode, workspace: Workspace) {
    const { name, c, errorOrder } = tableau;
    const n = ode.dimension;
    const stages = c.length;
    this.#tableau = tableau;
    this.#ode = ode;
    this.#workspace = workspace;
    this.#stages = stages;
    this.#memory = sdirkMemory(name, workspace);
    this.#newton = new SdirkNewton(tableau, ode, workspace, this.#memory);
    this.#weights = sdirkConstants(tableau, workspace);
    this.#z = workspace.vector(`${name} displacements`, n * stages);
    this.#before = workspace.vector(`${name} displacements before`, n * stages);
    this.#scratch = workspace.vector(`${name} error`, n);
    this.#zero = workspace.vector(`${name} zero`, n);
    const extrapolation = workspace.reserve(`${name} extrapolation`, stages);
    this.#extrapolation = extrapolation.address;
    workspace.whenSealed((arena) => {
      this.#extrapolationWeights = arena.floats(extrapolation);
    });
    this.#inside = new InsideCheck(name, ode, this, this.#newton.check, workspace);
    this.rule = sdirkRule(this.#memory, errorOrder);
    this.costs = costsOf(this.#newton.how, this.#memory);
  }

  setTolerance(
    relative: number,
    positions: number,
    velocities: number,
    hasFixedSteps = false,
  ): void {
    this.#newton.tolerate(relative, positions, velocities, hasFixedSteps);
  }

  attempt(t: number, h: number): void {
    const memory = this.#memory;
    if (memory.unfinished === 1) {
      memory.rejected = 1;
      memory.guessesNothing = 1;
      // With algebraic unknowns df/dy is that of the middle of the step, which a shorter one does not reach.
      if (memory.fresh === 0 || this.#ode.differential !== undefined) memory.linearised = 0;
    }
    memory.unfinished = 1;
    if (memory.slopeKnown === 2) memory.slopeKnown = 0;
    memory.length = h;
    this.#newton.begin(t, h);
    for (let stage = 0; stage < this.#stages; stage++) this.#solveStage(stage, t, h);
    memory.unfinished = 0;
  }

  accept(): void {
    const { dimension, trial, y } = this.#ode;
    this.#workspace.kernels.copyVector(dimension, trial, y);
  }

  /**
   * The embedded solution is not good at stiff components: what it says of them is damped by the matrix of the
   * iterations (Hairer and Wanner, Solving ODEs II, section IV.8).
   */
  error(t: number, h: number): number {
    this.#combine(this.#stages, this.#z, this.#weights.error, this.#scratch);
    const size = this.#newton.filteredNorm(this.#scratch);
    const last = this.#z + 8 * this.#ode.dimension * (this.#stages - 1);
    if (!(size <= 1)) return size;
    const hidden = this.#newton.hiddenError(t + h, last);
    if (hidden > 1) return hidden;
    const { dimension: n, y } = this.#ode;
    const { scale } = this.#newton;
    this.#workspace.kernels.axpy(n, -1, last, y, this.#scratch);
    const g = this.#memory.factored;
    return Math.max(size, this.#inside.hiddenError(t, h, g, this.#scratch, scale));
  }

  watch(span: number): void {
    this.#inside.watch(span);
  }

  commit(_t: number, h: number): void {
    const memory = this.#memory;
    this.#inside.commit(h);
    this.#workspace.kernels.copyVector(this.#ode.dimension * this.#stages, this.#z, this.#before);
    memory.lengthBefore = memory.length;
    memory.guessesNothing = 0;
    memory.taken = 1;
    memory.rejected = 0;
    memory.fresh = 0;
    memory.slopeKnown = memory.slopeKnown === 2 ? 1 : 0;
    if (memory.theta > QUICK) memory.linearised = 0;
  }

  /** What has been found out about the length of steps stays: it is as good for what follows. */
  reset(): void {
    this.#memory.lengthBefore = 0;
    this.#newton.forget();
  }

  interpolant(_t: number, _h: number, before: Address, out: Address): void {
    const { kernels } = this.#workspace;
    const { dimension: n, y } = this.#ode;
    kernels.copyVector(n, before, out);
    kernels.axpy(n, -1, before, y, out + 8 * n);
    for (let row = 2; row < this.interpolantRows; row++) {
      const weights = this.#weights.dense[row - 2] as Address;
      this.#combine(this.#stages, this.#z, weights, out + 8 * n * row);
    }
  }

  #solveStage(stage: number, t: number, h: number): void {
    const { dimension: n, y, trial } = this.#ode;
    const z = this.#z + 8 * n * stage;
    this.#guess(stage, h, z);
    this.#combine(stage, this.#z, this.#weights.known[stage] as Address, this.#newton.known);
    this.#workspace.kernels.axpy(n, 1, z, y, trial);
    this.#newton.iterate(stage, t + (this.#tableau.c[stage] as number) * h, z);
  }

  #guess(stage: number, h: number, z: Address): void {
    const { lengthBefore, guessesNothing } = this.#memory;
    if (stage > 0) {
      this.#combine(stage, this.#z, this.#weights.guesses[stage - 1] as Address, z);
    } else if (lengthBefore === 0 || guessesNothing === 1) {
      this.#workspace.kernels.copyVector(this.#ode.dimension, this.#zero, z);
    } else {
      const s = 1 + ((this.#tableau.c[0] as number) * h) / lengthBefore;
      extrapolate(this.#tableau, s, this.#extrapolationWeights);
      this.#combine(this.#stages, this.#before, this.#extrapolation, z);
    }
  }

  /** out = the sum of the first `count` displacements, weighted. */
  #combine(count: number, z: Address, weights: Address, out: Address): void {
    const { kernels } = this.#workspace;
    kernels.combine(this.#ode.dimension, count, 1, this.#zero, z, weights, out);
  }
}
