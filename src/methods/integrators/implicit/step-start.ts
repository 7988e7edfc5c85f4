import { StepKnown } from "../../../../assembly/layout-radau.js";
import { StepFailure } from "../../../base/errors.js";
import type { Address } from "../../../base/memory/arena.js";
import { arenaRecord } from "../../../base/memory/record.js";
import type { Workspace } from "../../../base/memory/workspace.js";
import type { ImplicitCosts, Ode, OdeJacobian } from "../../../interfaces/index.js";
import { differencedJacobian } from "../../newton/dense-jacobian.js";

/**
 * Common part of implicit steppers: f and df/dy at the beginning of a step, and f at its end, which begins the next
 * one. State between steps is in the arena.
 */
export class StepStart {
  /** f at the accepted y, after {@link require}. */
  readonly slope: Address;
  readonly jacobian: OdeJacobian;
  readonly counts: Counts;
  readonly costs: ImplicitCosts;
  /** Addresses of StepKnown and StepCounts. */
  readonly known: Address;
  readonly counted: Address;
  readonly #refusal: StepFailure;
  readonly #ode: Ode;
  readonly #workspace: Workspace;
  readonly #end: Address;
  #kept = new Float64Array(StepKnown.LENGTH);
  #endKnown = false;

  /** `refusal`: error message if the step size underflows. */
  constructor(name: string, refusal: string, ode: Ode, workspace: Workspace) {
    const n = ode.dimension;
    this.#ode = ode;
    this.#workspace = workspace;
    this.jacobian = ode.jacobian?.() ?? differencedJacobian(ode, workspace);
    const counted = workspace.reserve(`${name} counts`, Object.keys(NO_COSTS).length);
    this.counted = counted.address;
    this.counts = arenaRecord(workspace, counted.name, NO_COSTS, counted);
    this.costs = costsOf(this.jacobian.source, this.counts);
    this.#refusal = new StepFailure(refusal);
    this.slope = workspace.vector(`${name} first slope`, n);
    this.#end = workspace.vector(`${name} last slope`, n);
    const kept = workspace.reserve(`${name} knows the beginning`, StepKnown.LENGTH);
    this.known = kept.address;
    workspace.whenSealed((arena) => {
      this.#kept = arena.floats(kept);
    });
  }

  /** Whether df/dy is that at the accepted y. */
  get isCurrent(): boolean {
    return this.#kept[StepKnown.CURRENT] === 1;
  }

  /** Evaluates the slope unless it is known. */
  require(t: number): void {
    this.#endKnown = false;
    if (this.#kept[StepKnown.SLOPE] === 1) return;
    this.#slopeAtState(t, this.slope);
    this.#kept[StepKnown.SLOPE] = 1;
  }

  /** Computes df/dy at the accepted y, whose slope must be known. */
  differentiate(t: number): void {
    const { dimension, trial, y } = this.#ode;
    this.#kept[StepKnown.CURRENT] = 0;
    this.#workspace.kernels.copyVector(dimension, y, trial);
    this.jacobian.evaluate(t, this.slope);
    this.counts.jacobians++;
    this.#kept[StepKnown.CURRENT] = 1;
  }

  /** Computes the slope at y as that of the end of the step. */
  end(t: number): void {
    this.#slopeAtState(t, this.#end);
    this.#endKnown = true;
  }

  /** Marks the end slope as known, after a kernel has computed it in place of {@link end}. */
  hasEnded(): void {
    this.#endKnown = true;
  }

  /** f at the end of the step, after {@link end}. */
  get endSlope(): Address {
    return this.#end;
  }

  /** Makes the end the beginning of the next step. */
  commit(): void {
    if (this.#endKnown) {
      this.#workspace.kernels.copyVector(this.#ode.dimension, this.#end, this.slope);
    }
    this.#kept[StepKnown.SLOPE] = this.#endKnown ? 1 : 0;
    this.#kept[StepKnown.CURRENT] = 0;
    this.#endKnown = false;
  }

  reset(): void {
    this.#kept.fill(0);
    this.#endKnown = false;
  }

  /** Rejects the step; a step shorter by the factor may succeed. */
  refuse(factor: number): never {
    this.counts.convergenceFailures++;
    this.#refusal.factor = factor;
    // With algebraic unknowns df/dy is that of the middle of the step, which differs in a shorter one.
    if (this.#ode.algebraic) this.#kept[StepKnown.CURRENT] = 0;
    throw this.#refusal;
  }

  #slopeAtState(t: number, out: Address): void {
    const { dimension, trial, y } = this.#ode;
    this.#workspace.kernels.copyVector(dimension, y, trial);
    this.#ode.rate(t, out);
  }
}

/** Counters in the arena: restored runs continue from the saved counts. */
export type Counts = Record<Exclude<keyof ImplicitCosts, "jacobianSource">, number>;

/** Zero counts, in the order of StepCounts. */
export const NO_COSTS: Readonly<Counts> = {
  jacobians: 0,
  factorisations: 0,
  convergenceFailures: 0,
  checks: 0,
};

/** Returns the costs of a method, which reflect its counts at the time they are read. */
export function costsOf(how: string, counts: Counts): ImplicitCosts {
  return {
    jacobianSource: how,
    get jacobians() {
      return counts.jacobians;
    },
    get factorisations() {
      return counts.factorisations;
    },
    get convergenceFailures() {
      return counts.convergenceFailures;
    },
    get checks() {
      return counts.checks;
    },
  };
}
