// CPU time of runs, measured in turns.

/** Milliseconds below which a sample holds several runs, far above the clock's resolution. */
const SAMPLE = 15;

/**
 * @typedef {object} Entry
 * @property {() => Promise<import("../adapters/contestant.mjs").Run>} start
 * @property {number[]} samples CPU milliseconds of a run, one for each round
 * @property {string | undefined} failure reason why it cannot be timed
 */

/**
 * Times entries against each other: in each round every one runs from its start to its end, in an order rotated by
 * one from round to round, so that load of the machine affects all equally. Set-up is not timed.
 *
 * @param {readonly Entry[]} entries
 * @param {{ rounds: number }} options
 */
export async function race(entries, { rounds }) {
  for (const entry of entries) await guarded(entry, () => sample(entry.start, 0));
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < entries.length; turn++) {
      const entry = entries[(turn + round) % entries.length];
      await guarded(entry, async () => {
        entry.samples.push(await sample(entry.start, SAMPLE));
      });
    }
  }
}

async function guarded(entry, act) {
  if (entry.failure !== undefined) return;
  try {
    await act();
  } catch (error) {
    entry.failure = error instanceof Error ? error.message : String(error);
  }
}

/** CPU milliseconds of a run: the mean over enough runs for a reliable sample. */
async function sample(start, enough) {
  let total = 0;
  let count = 0;
  do {
    const run = await start();
    total += cpuMilliseconds(run.run);
    run.free();
    count++;
  } while (total < enough);
  return total / count;
}

/** @param {() => void} act */
export function cpuMilliseconds(act) {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
