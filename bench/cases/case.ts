import type { Random } from "../../test/support/random.js";

/** Result of a case. */
export interface Outcome {
  /** Relative error of the result by its defining property. */
  readonly error: number;
  /** All results written by the kernels: hashed to compare machines. */
  readonly results: readonly Float64Array[];
}

/**
 * One or a few kernels on seeded input, judged by the property that defines the result. These cases serve the
 * self-check, the accuracy figures and the comparison of bits between machines.
 */
export interface KernelCase {
  readonly name: string;
  /** The exports it exercises; a test requires every export to appear in some case. */
  readonly kernels: readonly string[];
  /** True for factorisations: condition up to 1e12 must leave the error below 50 n eps. */
  readonly factorisation: boolean;
  run(random: Random, n: number, condition: number): Outcome;
}
