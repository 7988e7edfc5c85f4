import type { State } from "../../../interfaces/index.js";
import type { ModeSolver } from "../mode-solver/mode-solver.js";
import type { Statistics } from "../mode-solver/statistics.js";

const DIFFERENCES_PREFIX = "differences: ";

/** Number of correct digits for an error, for a note. */
function digitsOf(error: number): number {
  let digits = 0;
  for (let size = 1; size / 10 >= error && digits < 16; size /= 10) digits++;
  return digits;
}

/** Notes derivatives by finite differences that are less accurate than the tolerance. Only the worst is noted. */
export function noteDifferences<T extends State>(
  { system, trial }: ModeSolver<T>,
  t: number,
  notes: string[],
): void {
  const found = system.matrices.accuracy?.worstDifference?.(t);
  const { relative, velocities } = trial.weights;
  const asked = Math.max(relative, velocities);
  if (found === undefined || !(found.error > asked)) return;
  const digits = digitsOf(found.error);
  const known = notes.findIndex((note) => note.startsWith(DIFFERENCES_PREFIX));
  if (known >= 0 && Number(/to about (\d+)/.exec(notes[known] as string)?.[1]) <= digits) return;
  if (known >= 0) notes.splice(known, 1);
  notes.push(
    `${DIFFERENCES_PREFIX}derivatives of ${found.name} are computed by finite differences, and at t = ${t} these are accurate to about ${digits} ` +
      `digits, too few for a tolerance of ${asked.toExponential(0)}: give its derivatives (jacobian and gamma), or make ` +
      "it smoother",
  );
}

/** Constraint violation above which a run gets a note. */
const MIN_NOTED_DRIFT = 1e-6;

/** Notes constraint violations at the end of a run without errors. */
export function noteDrift({ maximumDrift }: Statistics, notes: string[]): void {
  if (!(maximumDrift.position > MIN_NOTED_DRIFT)) return;
  notes.push(
    `constraints were violated by up to ${maximumDrift.position.toPrecision(2)} at the ends of steps: use a stabilisation such ` +
      "as projection(), or a smaller tolerance; if both are there, check jacobian and gamma",
  );
}

/** Notes doubts raised by comparisons of user functions, each function once. */
export function noteDoubts(doubts: readonly string[], notes: string[]): void {
  for (const doubt of doubts) {
    const [subject] = doubt.split(IN_DOUBT) as [string];
    if (!notes.some((note) => note.startsWith(subject + IN_DOUBT))) notes.push(doubt);
  }
}

/** Follows the name of a function in a doubt. */
const IN_DOUBT = " is in doubt";
