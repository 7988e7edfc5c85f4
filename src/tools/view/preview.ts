// A look ahead: a simulation runs for a moment and is put back, so that the picture has room for what will move.

import type { BodySimulation } from "../../bodies.js";

/** Simulated seconds, steps and real milliseconds at most. */
const AHEAD = 2;
const STEPS = 600;
const PATIENCE = 120;
/** How often in between. */
const TIMES = 60;

/** What a motion that fails on its way has shown until then is enough. */
export function lookAhead(simulation: BodySimulation, each: () => void): void {
  const before = simulation.save();
  const steps = Math.min(STEPS, Math.ceil(AHEAD / simulation.step));
  const stride = Math.max(1, Math.floor(steps / TIMES));
  const until = performance.now() + PATIENCE;
  try {
    for (let taken = 0; taken < steps && performance.now() < until; taken += stride) {
      each();
      simulation.advance(stride);
    }
    each();
  } catch {
    // The same error comes when the motion itself gets there.
  } finally {
    simulation.restore(before);
  }
}
