import type { Address } from "../../../ground/memory/arena.js";
import type { Motion } from "./motion.js";

/** A vector like the state, in units of the tolerance at the state: its largest number. */
export function toleranceNorm(x: Address, { system, weights }: Motion): number {
  return weights.measure(x, system.state.q, system.state.q);
}
