// One problem, all contestants, all settings: a row for each.

import { median, race } from "./clock.mjs";
import { qualityOf } from "./quality.mjs";

/**
 * @typedef {object} MeasuredRow
 * @property {string} problem
 * @property {string} contestant
 * @property {string} peer
 * @property {boolean} maximal whether joints are constraints between free bodies
 * @property {"step" | "tolerance"} setting
 * @property {number} value of the step in seconds, or the tolerance
 * @property {number} steps
 * @property {number} milliseconds CPU time of a run, median of the rounds
 * @property {number} microsecondsPerStep
 * @property {number | undefined} error
 * @property {number} violation
 * @property {number} energy
 * @property {string | undefined} failure why the numbers are not there
 */

/**
 * @param {import("../problems/problem.mjs").Problem} problem
 * @param {readonly import("../adapters/contestant.mjs").Contestant[]} contestants
 * @param {{ rounds: number, settings?: (contestant: object) => readonly number[] }} options
 * @returns {Promise<MeasuredRow[]>}
 */
export async function measure(problem, contestants, { rounds, settings }) {
  const given = settings ?? (({ setting }) => problem[`${setting}s`]);
  const entries = [];
  for (const contestant of contestants) {
    if (contestant.refuses(problem) !== undefined) continue;
    for (const value of given(contestant)) {
      entries.push(await entryOf(problem, contestant, value));
    }
  }
  await race(entries, { rounds });
  return entries.map(rowOf);
}

/** Quality is found first, on a run of its own: what went NaN there is not timed. */
async function entryOf(problem, contestant, value) {
  const start = () => contestant.start(problem, value);
  const entry = { problem, contestant, value, start, samples: [], steps: Number.NaN };
  try {
    const run = await start();
    entry.quality = qualityOf(problem, run);
    entry.steps = run.steps();
    run.free();
  } catch (error) {
    entry.failure = error instanceof Error ? error.message : String(error);
  }
  return entry;
}

/** @returns {MeasuredRow} */
function rowOf({ problem, contestant, value, steps, samples, quality, failure }) {
  const milliseconds = failure === undefined ? median(samples) : Number.NaN;
  return {
    problem: problem.name,
    contestant: contestant.name,
    peer: contestant.peer,
    maximal: contestant.maximal,
    setting: contestant.setting,
    value,
    steps,
    milliseconds,
    microsecondsPerStep: (1000 * milliseconds) / steps,
    error: quality?.error,
    violation: quality?.violation ?? Number.NaN,
    energy: quality?.energy ?? Number.NaN,
    failure,
  };
}
