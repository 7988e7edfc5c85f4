import type { Address } from "../base/memory/arena.js";
import type { StateAddress } from "../interfaces/index.js";

/** Returns the addresses of a contiguous state whose positions begin at q: q, v, then the work. */
export function stateAt(q: Address, positions: number, velocities: number): StateAddress {
  const v = q + 8 * positions;
  return { q, v, work: v + 8 * velocities };
}
