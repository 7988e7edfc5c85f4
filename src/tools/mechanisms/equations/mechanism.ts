import type { Equations } from "../../../systems/equations/equations.js";

/** A ready system with its start and what is known about its motion. */
export interface Mechanism {
  readonly name: string;
  readonly description: string;
  readonly reference: string;
  readonly equations: Equations;
  readonly q: readonly number[];
  readonly v: readonly number[];
}
