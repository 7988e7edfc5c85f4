// npm run papers: measures all tables of the papers, and writes how many numbers of each class there are to the pages that say so.

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { type Entry, reproductions } from "nodrift/reproduce";
import { countClasses, PAGES, PAPERS_FILE, papersSentence, SENTENCE } from "./support/papers.js";

const args = ["dist/cli.js", "reproduce", "--json", "--out", "results/reproduction.html"];
const { stdout, status } = spawnSync(process.execPath, args, {
  encoding: "utf8",
  maxBuffer: 1e9,
  stdio: ["ignore", "pipe", "inherit"],
});
const tables = JSON.parse(stdout) as readonly { name: string; entries: readonly Entry[] }[];
const counts = Object.fromEntries(
  reproductions.map(({ name }) => [
    name,
    countClasses(tables.find((table) => table.name === name)?.entries ?? []),
  ]),
);
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
process.exitCode = status ?? 1;
