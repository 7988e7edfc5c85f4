// One problem, all contestants, all settings: a row for each.

import { cpuMilliseconds, median, race } from "./clock.mjs";
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
 * @property {string | undefined} failure reason for missing values
 */

/**
 * @typedef {object} Options
 * @property {number} rounds
 * @property {(contestant: object) => readonly number[]} [settings] instead of those of the problem
 * @property {number} [until] end time of timed runs; quality is measured over the full run
 * @property {number} [timeout] longest estimated run time in seconds; longer runs are omitted
 */

/** Number of steps used to estimate the duration of a run. */
const PROBE = 3;
const TRIES = 3;

/**
 * @param {import("../problems/problem.mjs").Problem} problem
 * @param {readonly import("../adapters/contestant.mjs").Contestant[]} contestants
 * @param {Options} options
 * @returns {Promise<MeasuredRow[]>}
 */
export async function measure(problem, contestants, options) {
  const { rounds, settings, until = problem.until, timeout = 10 } = options;
  const timed = { ...problem, until };
  const given = settings ?? (({ setting }) => problem[`${setting}s`]);
  const entries = [];
  for (const contestant of contestants) {
    if (contestant.refuses(problem) !== undefined) continue;
    for (const value of given(contestant)) {
      entries.push(await entryOf(problem, timed, timeout, contestant, value));
    }
  }
  await race(entries, { rounds });
  return entries.map(rowOf);
}

/** Quality is measured first, in a separate run; runs with NaN are not timed. */
async function entryOf(problem, timed, timeout, contestant, value) {
  const start = () => contestant.start(timed, value);
  const entry = { problem, contestant, value, start, samples: [], steps: Number.NaN };
  try {
    if (contestant.setting === "step") {
      const seconds = await secondsNeeded(problem, contestant, value);
      if (seconds > timeout) throw new Error(`left out: a run takes ${Math.round(seconds)} s`);
    }
    const run = await contestant.start(problem, value);
    entry.quality = qualityOf(problem, run);
    entry.steps = Math.round((run.steps() * timed.until) / problem.until);
    run.free();
  } catch (error) {
    entry.failure = error instanceof Error ? error.message : String(error);
  }
  return entry;
}

/** The minimum of several attempts, because the first ones compile. */
async function secondsNeeded(problem, contestant, step) {
  let milliseconds = Number.POSITIVE_INFINITY;
  for (let i = 0; i < TRIES; i++) {
    const run = await contestant.start({ ...problem, until: PROBE * step }, step);
    milliseconds = Math.min(milliseconds, cpuMilliseconds(run.run));
    run.free();
  }
  return ((milliseconds / PROBE) * (problem.until / step)) / 1000;
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
