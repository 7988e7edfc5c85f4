import type { Address } from "../../../ground/memory/arena.js";
import type { Motion } from "./motion.js";

/** A vector like the state, in units of what is allowed at the state: its largest number. */
export function sizeOf(x: Address, { system, allowed }: Motion): number {
  return allowed.measure(x, system.state.q, system.state.q);
}
