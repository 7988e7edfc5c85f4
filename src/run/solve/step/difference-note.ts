import type { State } from "../../../seam/index.js";
import type { Leg } from "../leg/leg.js";
import type { Statistics } from "../leg/statistics.js";

const DIFFERENCES = "differences: ";

/** Digits of an error, in a note. */
function digitsOf(error: number): number {
  let digits = 0;
  for (let size = 1; size / 10 >= error && digits < 16; size /= 10) digits++;
  return digits;
}

/**
 * Says so where derivatives that are computed by finite differences are worse than the tolerance. One note, of the
 * worst.
 */
export function noteDifferences<T extends State>(
  { system, motion }: Leg<T>,
  t: number,
  notes: string[],
): void {
  const found = system.matrices.accuracy?.worstDifference?.(t);
  const { relative, velocities } = motion.weights;
  const asked = Math.max(relative, velocities);
  if (found === undefined || !(found.error > asked)) return;
  const digits = digitsOf(found.error);
  const known = notes.findIndex((note) => note.startsWith(DIFFERENCES));
  if (known >= 0 && Number(/to about (\d+)/.exec(notes[known] as string)?.[1]) <= digits) return;
  if (known >= 0) notes.splice(known, 1);
  notes.push(
    `${DIFFERENCES}derivatives of ${found.name} are found by differences, and at t = ${t} these are good to about ${digits} ` +
      `digits, where a tolerance of ${asked.toExponential(0)} asks for more: give its derivatives (jacobian and gamma), or make ` +
      "it smoother",
  );
}

/** Constraints that are violated by more than this are worth a note. */
const DRIFT = 1e-6;

/** Says so where a run ends in silence, but its constraints did not hold. */
export function noteDrift({ maximumDrift }: Statistics, notes: string[]): void {
  if (!(maximumDrift.position > DRIFT)) return;
  notes.push(
    `constraints were violated by up to ${maximumDrift.position.toPrecision(2)} at the ends of steps: use a stabilisation such ` +
      "as projection(), or a smaller tolerance; if both are there, check jacobian and gamma",
  );
}

/** Notes what comparisons of user functions left in doubt: each function once. */
export function noteDoubts(doubts: readonly string[], notes: string[]): void {
  for (const doubt of doubts) {
    const [subject] = doubt.split(IN_DOUBT) as [string];
    if (!notes.some((note) => note.startsWith(subject + IN_DOUBT))) notes.push(doubt);
  }
}

/** Behind the name of a function. */
const IN_DOUBT = " is in doubt";
