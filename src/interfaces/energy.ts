import type { Address } from "../base/memory/arena.js";

/** Energies at the trial state. */
export interface Energy {
  /** True if the potential energy is known. */
  readonly hasPotential: boolean;
  /**
   * True if the sum of kinetic and potential energy is constant: no drives, dampers or loads. Only errors change it.
   */
  readonly isConservative: boolean;
  /** Potential energy. */
  potential(): number;
  /** Kinetic energy. */
  kinetic(): number;
  /** Power of the forces without potential. */
  power(): number;
  /** out = d(potential)/dq. */
  potentialGradient(out: Address): void;
  /** out = d(kinetic energy)/dq at fixed v. */
  kineticGradient(out: Address): void;
}
