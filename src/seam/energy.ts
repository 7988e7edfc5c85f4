import type { Address } from "../ground/memory/arena.js";

/** Energies at the trial state. */
export interface Energy {
  /** Whether a potential energy is known. */
  readonly hasPotential: boolean;
  /** Only errors change the sum of kinetic and potential energy: no drives, dampers or loads. */
  readonly isConservative?: boolean;
  /** Potential energy. */
  potential(): number;
  /** Kinetic energy. */
  kinetic(): number;
  /** Power of the forces that have no potential. */
  power(): number;
  /** out = d(potential)/dq. */
  potentialGradient(out: Address): void;
  /** out = d(kinetic energy)/dq at fixed v. */
  kineticGradient(out: Address): void;
}
