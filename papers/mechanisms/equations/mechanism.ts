import type { Equations } from "../../../src/systems/equations/equations.js";

/** A predefined system with its initial state and references for its motion. */
export interface Mechanism {
  /** Its name. */
  readonly name: string;
  /** A description in one sentence. */
  readonly description: string;
  /** Source of the mechanism. */
  readonly reference: string;
  /** Its equations. */
  readonly equations: Equations;
  /** Positions at the start. */
  readonly q: readonly number[];
  /** Velocities at the start. */
  readonly v: readonly number[];
}
