import type { Address } from "../ground/memory/arena.js";
import type { StateAddress } from "../seam/index.js";

/** Where the parts of a state are whose positions begin at q: velocities behind them, then the work. */
export function stateAt(q: Address, positions: number, velocities: number): StateAddress {
  const v = q + 8 * positions;
  return { q, v, work: v + 8 * velocities };
}
