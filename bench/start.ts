// npm start: shows that kernels and mechanisms work on this machine, and how fast they are.

import { kernelCases } from "./cases/index.js";
import { contests } from "./contests/index.js";
import { machineLine } from "./support/machine.js";
import { modelsTable, solvedModelsTable, stiffModelsTable } from "./support/models-table.js";
import { seeded } from "./support/random.js";
import { runContest, speedTable } from "./support/speed-table.js";
import { textTable } from "./support/table.js";

const SIZES = [1, 2, 3, 5, 8, 13, 21, 34];

console.log("nodrift: constrained multibody dynamics in WebAssembly\n");
let failures = 0;
const rows = kernelCases.map(({ name, run }) => {
  let worst = 0;
  for (const n of SIZES) {
    const { error } = run(seeded(n), n, 1e6);
    worst = Math.max(
      worst,
      Number.isNaN(error) ? Number.POSITIVE_INFINITY : error / (50 * n * Number.EPSILON),
    );
  }
  const good = worst <= 1;
  if (!good) failures++;
  return [name, `${(100 * worst).toFixed(1)}%`, good ? "ok" : "WRONG"];
});
console.log(textTable(["self-check", "of allowed error", ""], rows));

console.log(
  "\nMechanisms for 2 s by the default method, steps of 1 ms: metres, joules, times real time",
);
const { text, good } = await modelsTable();
console.log(text);
if (!good) failures++;

console.log(
  "\nThe same to a tolerance of 1e-8 by solve(): steps (and those rejected), largest errors",
);
const solved = await solvedModelsTable(1e-8);
console.log(solved.text);
if (!solved.good) failures++;

console.log("\nStiff ones to a tolerance of 1e-4: solve() changes to an implicit method by itself");
const stiff = await stiffModelsTable(1e-4);
console.log(stiff.text);
if (!stiff.good) failures++;

console.log(`\nMicroseconds on this machine: ${machineLine()}`);
for (const contest of contests) {
  console.log(`\n${contest.name}\n${speedTable(runContest(contest, { rounds: 3, time: 10 }))}`);
}
console.log(
  "\nnpm run bench measures this longer; npm run figures checks every claim of the README.",
);
process.exitCode = failures > 0 ? 1 : 0;
