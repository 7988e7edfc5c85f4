import type { Equations } from "../../../systems/equations/equations.js";

/** A ready system with its start and what is known about its motion. */
export interface Mechanism {
  /** Its name. */
  readonly name: string;
  /** What it is, in a sentence. */
  readonly description: string;
  /** Where it comes from. */
  readonly reference: string;
  /** Its equations. */
  readonly equations: Equations;
  /** Positions at the start. */
  readonly q: readonly number[];
  /** Velocities at the start. */
  readonly v: readonly number[];
}
