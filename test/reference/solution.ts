// A motion computed by the reference, with indicators of its accuracy.

import { integrate } from "./extrapolation.js";
import type { Mechanism } from "./mechanism.js";
import { Motion } from "./motion.js";

export interface ReferenceSolution {
  readonly motion: Motion;
  readonly start: Float64Array;
  readonly end: Float64Array;
  readonly rank: number;
  /** Whether the rank was constant. */
  readonly steady: boolean;
  /** The smallest singular value of J that is not zero, relative to its longest row, over the whole motion. */
  readonly smallest: number;
  /** Largest change of the energy, in units of 1 + kinetic energy at the start. */
  readonly energyError: number;
}

export function solutionOf(
  mechanism: Mechanism,
  until: number,
  tolerance = 1e-13,
  attempts?: number,
): ReferenceSolution {
  const motion = new Motion(mechanism);
  const start = motion.start();
  const { rank, smallest: first } = motion.choose(start);
  motion.project(start);
  let [smallest, steady, energyError] = [first, true, 0];
  const before = motion.energy(start);
  const rest = start.map((x, i) => (i % 13 > 6 ? 0 : x));
  const unit = 1 + before - motion.energy(rest);
  const end = integrate((y, out) => motion.rate(y, out), start, until, {
    tolerance,
    ...(attempts !== undefined && { attempts }),
    accept: (y) => {
      motion.project(y);
      const chosen = motion.choose(y);
      smallest = Math.min(smallest, chosen.smallest);
      steady &&= chosen.rank === rank;
      energyError = Math.max(energyError, Math.abs(motion.energy(y) - before) / unit);
    },
  });
  return { motion, start, end, rank, steady, smallest, energyError };
}
