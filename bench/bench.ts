// npm run bench [-- WORD]: times the kernels against JavaScript, interleaved, and writes the results.
// With a word, only the contests whose name contains it.

import { mkdirSync, writeFileSync } from "node:fs";
import { contests } from "./contests/index.js";
import { machine, machineLine } from "./support/machine.js";
import { speedup } from "./support/race.js";
import { type ContestResult, runContest, speedTable } from "./support/speed-table.js";

const word = (process.argv[2] ?? "").toLowerCase();
const chosen = contests.filter(({ name }) => name.toLowerCase().includes(word));
if (chosen.length === 0) {
  console.error(
    `no contest is named like "${word}"; there are: ${contests.map(({ name }) => name).join(", ")}`,
  );
  process.exit(2);
}

console.log(
  `${machineLine()}\nMicroseconds, medians of interleaved rounds; ± half the quartile distance.`,
);
const results: ContestResult[] = [];
for (const contest of chosen) {
  const rows = runContest(contest, { rounds: 11, time: 30 });
  results.push(...rows);
  console.log(`\n${contest.name}\n${speedTable(rows)}`);
}

mkdirSync("bench/results", { recursive: true });
const file = `bench/results/${word === "" ? "kernels" : "local-kernels"}.json`;
const timings = results.map(({ contest, size, timings }) => ({
  contest,
  size,
  microseconds: Object.fromEntries(
    timings.map(({ name, median }) => [name, Number(median.toPrecision(4))]),
  ),
  // Medians over rounds of the ratio within a round: the clock may jump between rounds.
  timesFaster: Object.fromEntries(
    timings
      .filter(({ name }) => name !== "wasm")
      .map(({ name }) => [name, Number(speedup(timings, name).toPrecision(3))]),
  ),
  spread: Object.fromEntries(
    timings.map(({ name, spread }) => [name, Number(spread.toPrecision(2))]),
  ),
}));
writeFileSync(file, `${JSON.stringify({ machine: machine(), timings }, null, 2)}\n`);
console.log(`\nWritten to ${file}`);
