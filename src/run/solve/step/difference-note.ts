import type { State } from "../../../seam/index.js";
import type { Leg } from "../leg/leg.js";

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

/** Notes what comparisons of user functions left in doubt: each function once. */
export function noteDoubts(doubts: readonly string[], notes: string[]): void {
  for (const doubt of doubts) {
    const [subject] = doubt.split(IN_DOUBT) as [string];
    if (!notes.some((note) => note.startsWith(subject + IN_DOUBT))) notes.push(doubt);
  }
}

/** Behind the name of a function. */
const IN_DOUBT = " is in doubt";
