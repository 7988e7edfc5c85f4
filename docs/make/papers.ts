// npm run papers: measures all tables of the papers, and writes the counts of each class to README.md and
// docs/papers.md. `npm run papers -- welch-table-1` measures some of them, and keeps the stored counts of the others.

import { readFileSync, writeFileSync } from "node:fs";
import { reproductions } from "nodrift/reproduce";
import {
  countClasses,
  PAGES,
  PAPERS_FILE,
  papers,
  papersSentence,
  reproduceAll,
  SENTENCE,
} from "./paper-counts.js";

const { tables, status } = reproduceAll(process.argv.slice(2));
function countsOf(name: string) {
  const measured = tables.find((table) => table.name === name);
  return measured ? countClasses(measured.entries) : papers[name];
}

const counts = Object.fromEntries(reproductions.map(({ name }) => [name, countsOf(name)]));
writeFileSync(PAPERS_FILE, `${JSON.stringify(counts, null, 2)}\n`);
for (const page of PAGES) {
  writeFileSync(page, readFileSync(page, "utf8").replace(SENTENCE, papersSentence(counts)));
}
for (const { name, entries } of tables) {
  for (const { verdict, quantity, value, acceptance } of entries) {
    if (verdict === "missed") console.log(`missed: ${name}, ${quantity}: ${value}, ${acceptance}`);
  }
}
console.log(papersSentence(counts));
process.exitCode = status;
