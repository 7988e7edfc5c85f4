import { Bench } from "tinybench";
import type { Run } from "../contests/contest.js";

/** Times of one entrant: the median over rounds of each round's median, and their spread. */
export interface Timing {
  readonly name: string;
  /** Microseconds for one run. */
  readonly median: number;
  /** Half the distance between the quartiles of the rounds, relative to the median. */
  readonly spread: number;
  /** The rounds' medians, in the order they were measured. */
  readonly rounds: readonly number[];
}

export interface RaceOptions {
  /** Rounds; the entrants take turns in each, so that load of the machine affects all. */
  readonly rounds?: number;
  /** Milliseconds for each entrant in each round. */
  readonly time?: number;
}

/** Times runs against each other, interleaved. */
export function race(
  runs: Readonly<Record<string, Run>>,
  { rounds = 9, time = 25 }: RaceOptions = {},
): Timing[] {
  const entrants = Object.entries(runs).map(([name, run]) => ({ name, run, ...batched(run) }));
  const medians = entrants.map(() => [] as number[]);
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < entrants.length; turn++) {
      const index = (turn + round) % entrants.length;
      const { name, batch, repeats } = entrants[index];
      const bench = new Bench({ time, iterations: 5, warmup: round === 0, warmupTime: 2 * time });
      bench.add(name, batch);
      bench.runSync();
      const result = bench.tasks[0].result;
      if (!("latency" in result)) throw new Error(`${name} could not be timed`, { cause: result });
      medians[index].push((result.latency.p50 * 1000) / repeats);
    }
  }
  return entrants.map(({ name }, index) => summary(name, medians[index]));
}

/** How many times faster `fast` is than `slow`: the median over rounds of the ratio in each round. */
export function speedup(timings: readonly Timing[], slow: string, fast = "wasm"): number {
  const find = (name: string) => {
    const timing = timings.find((candidate) => candidate.name === name);
    if (!timing) throw new Error(`nobody named ${name} took part`);
    return timing;
  };
  const { rounds } = find(fast);
  return median(find(slow).rounds.map((time, round) => time / rounds[round]));
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

function quantile(values: readonly number[], fraction: number): number {
  const sorted = [...values].sort((x, y) => x - y);
  const position = (sorted.length - 1) * fraction;
  const low = sorted[Math.floor(position)];
  return low + (sorted[Math.ceil(position)] - low) * (position % 1);
}

/** Many runs as one sample of at least 50 microseconds, well above the clock's resolution. */
function batched(run: Run): { batch: () => void; repeats: number } {
  for (let i = 0; i < 200; i++) run();
  let repeats = 1;
  for (;;) {
    const start = performance.now();
    for (let i = 0; i < repeats; i++) run();
    if (performance.now() - start > 0.05) break;
    repeats *= 2;
  }
  let kept: unknown;
  const batch = () => {
    for (let i = 0; i < repeats; i++) kept = run();
    if (kept === batch) throw new Error("unreachable: keeps the result alive");
  };
  return { batch, repeats };
}

function summary(name: string, rounds: readonly number[]): Timing {
  const middle = median(rounds);
  const spread = (quantile(rounds, 0.75) - quantile(rounds, 0.25)) / 2 / middle;
  return { name, median: middle, spread, rounds };
}
