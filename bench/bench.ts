// npm run bench [-- WORD]: times the kernels against JavaScript, interleaved, and writes the results.
// With a word, only the contests whose name contains it.

import { mkdirSync, writeFileSync } from "node:fs";
import { machine, machineLine } from "./support/machine.js";
import { speedup } from "./support/race.js";
import type { ContestResult } from "./support/speed-table.js";
import { contestNames, contestTables } from "./tables.js";

const word = process.argv[2] ?? "";
console.log(
  `${machineLine()}\nMicroseconds, medians of interleaved rounds; ± half the quartile distance.`,
);
const results: ContestResult[] = [];
for (const table of contestTables(word, { rounds: 11, time: 30 })) {
  results.push(...table.results);
  console.log(`\n${table.name}\n${table.text}`);
}
if (results.length === 0) {
  console.error(`no benchmark matches "${word}"; available: ${contestNames.join(", ")}`);
  process.exit(2);
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
