import type { State } from "../../../interfaces/index.js";
import type { ModeSolver } from "../mode-solver/mode-solver.js";
import type { CheckedEvent } from "./event-checks.js";

/** Insignificant errors of coordinates, relative and absolute: rounding, or left by constraints. */
export const DISTURBANCE = 1e-12;

/** Odd numbers whose multiples have uncorrelated bits, and so signs. */
export const MIXERS = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d] as const;

/** Noise of an event function due to rounding-level errors of the accepted state. */
export function noiseOf<T extends State>(
  event: CheckedEvent<T>,
  solver: ModeSolver<T>,
  t: number,
): number {
  const value = event.value(solver.viewer.atAccepted(t));
  let noise = 0;
  for (const mixer of MIXERS) {
    const state = solver.viewer.atAccepted(t);
    disturb(state.q, mixer);
    disturb(state.v, mixer + 2);
    noise = Math.max(noise, Math.abs(event.value(state) - value));
  }
  return noise;
}

/** Disturbs values by rounding-level errors. */
export function disturb(values: Float64Array, mixer: number): void {
  for (let i = 0; i < values.length; i++) {
    const sign = (Math.imul(2 * i + 1, mixer) >>> 20) & 1 ? 1 : -1;
    values[i] = values[i]! + sign * DISTURBANCE * (1 + Math.abs(values[i]!));
  }
}
