import type { Address } from "../ground/memory/arena.js";

/** All that an integrator sees: y' = f(t, y), evaluated where the integrator puts its trial. */
export interface Ode {
  readonly dimension: number;
  /** The first `positions` entries of y are positions. */
  readonly positions: number;
  /** The accepted y. */
  readonly y: Address;
  /** Where {@link rate} evaluates. */
  readonly trial: Address;
  /** f(t, trial). */
  rate(t: number, out: Address): void;
  /** df/dy by formulas, where it has them; reserves memory. Without it f is differentiated by differences. */
  jacobian?(): OdeJacobian;
}

/** df/dy at a state, for implicit methods. */
export interface OdeJacobian {
  /** How it is found: "analytic", or "by differences" and why. */
  readonly source: string;
  /** Finds df/dy at t and the trial y, where f is known. May leave the trial elsewhere. */
  evaluate(t: number, f: Address): void;
  /** Solves with I - alpha df/dy; reserves memory for a factor of its own. Alpha is complex, or real. */
  shifted(complex: boolean): ShiftedSolver;
}

/** Solves with I - alpha df/dy, whatever shape that has. */
export interface ShiftedSolver {
  /** Factors I - alpha df/dy, alpha = real + i imaginary. False where that is singular. */
  factor(real: number, imaginary: number): boolean;
  /** x = (I - alpha df/dy)^-1 b. Complex vectors are all real parts, then all imaginary ones. x may be b. */
  solve(b: Address, x: Address): void;
}

/** y' = f(t, y) at the trial state of a system. */
export interface OdeFunctions {
  /** out = f(t, y). */
  rate(t: number, out: Address): void;
  /** out = df/dy, n x n by columns; missing where no formulas are given. */
  jacobian?(t: number, out: Address): void;
}
