// `npm run mutate`: mutation testing. Changes the sources in small ways, one at a time, and checks whether tests fail. A sample, the same
// one for the same seed (mutation/settings.mjs). Results are lines of JSON; an interrupted run is
// resumed. The repository itself is not touched: mutants are applied to copies.
//
//   --out FILE       the lines (build/mutants.jsonl)
//   --seconds N      CPU time limit of the tests of one mutant (mutation/settings.mjs)
//   --survivors      reruns the survivors first, after tests have been added
//   --most N         mutants in this run; 0: only reports
//   --store FILE     the rate and the survivors, as `npm run figures -- structure` reads them
//   FILES            tests to run first, such as those that have been added

import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { build } from "./build.mjs";
import { Original } from "./mutation/copy.mjs";
import { Lane, Verified } from "./mutation/lane.mjs";
import { TestOrder } from "./mutation/order.mjs";
import { sampleOf } from "./mutation/sample.mjs";
import { SETTINGS } from "./mutation/settings.mjs";
import { typeErrors } from "./mutation/types.mjs";
import { enterRepository } from "./run.mjs";

enterRepository();
const { values: options, positionals: first } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: "string", default: "build/mutants.jsonl" },
    survivors: { type: "boolean", default: false },
    most: { type: "string", default: "1000" },
    seconds: { type: "string", default: String(SETTINGS.seconds) },
    store: { type: "string" },
  },
});

const records = read(options.out);
const order = new TestOrder(first);
const most = Number(options.most);
if (most > 0) await judgeAll();
report([...records.values()]);

async function judgeAll() {
  await build(["sources"]);
  const sample = await sampleOf(SETTINGS);
  for (const record of records.values()) order.learn(record);
  const lanes = [];
  const original = new Original();
  const verified = new Verified(order);
  const leave = () => {
    for (const lane of lanes) lane.leave();
    original.remove();
  };
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.once(signal, () => {
      leave();
      process.exit(130);
    });
  }
  try {
    await original.build();
    for (let i = 0; i < SETTINGS.lanes; i++)
      lanes.push(new Lane(original, verified, Number(options.seconds)));
    const [lane] = lanes;
    // From a previous run.
    for (const { id } of await lane.unfounded([...records.values()])) records.delete(id);
    const queue = openOnes(sample, lane.copy).slice(0, most);
    await Promise.all(lanes.map((each) => work(each, queue)));
  } finally {
    leave();
  }
}

/** The mutants of a sample still to be tested. */
function openOnes(sample, copy) {
  const open = sample.filter(isOpen);
  const unknown = open.filter((mutant) => !records.has(idOf(mutant)));
  const bad = typeErrors(unknown, copy);
  for (const mutant of bad) keep(mutant, { verdict: "invalid", by: "types" });
  const again = open.filter((mutant) => !unknown.includes(mutant));
  return [...again, ...unknown.filter((mutant) => !bad.has(mutant))];
}

function isOpen(mutant) {
  const known = records.get(idOf(mutant));
  return !known || (options.survivors && known.verdict === "survived");
}

/** Tests mutants of a queue until it is empty. */
async function work(lane, queue) {
  for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
    keep(mutant, await lane.judge(mutant));
  }
}

function keep(mutant, found) {
  const record = { id: idOf(mutant), ...mutant, ...found };
  records.set(record.id, record);
  order.learn(record);
  mkdirSync(dirname(options.out), { recursive: true });
  appendFileSync(options.out, `${JSON.stringify(record)}\n`);
  console.log(`${record.verdict} ${record.id} ${record.by ?? ""}`);
}

/** Reads the latest record of each mutant, by its name. */
function read(file) {
  if (!existsSync(file)) return new Map();
  const lines = readFileSync(file, "utf8").trim().split("\n").filter(Boolean);
  return new Map(lines.map((line) => JSON.parse(line)).map((record) => [record.id, record]));
}

function idOf({ file, line, at, operator, before, after }) {
  const short = (text) =>
    (text.length > 40 ? `${text.slice(0, 37)}...` : text).replaceAll(/\s+/g, " ");
  return `${file}:${line} @${at} ${operator}: ${short(before)} -> ${short(after)}`;
}

function report(all) {
  const count = (verdict) => all.filter((record) => record.verdict === verdict).length;
  const killed = count("killed");
  const survivors = all.filter(({ verdict }) => verdict === "survived").map(({ id }) => id);
  const share = killed / (killed + survivors.length);
  console.log(`\nsurvivors:\n${survivors.join("\n")}`);
  console.log(
    `${killed} of ${killed + survivors.length} killed (${(100 * share).toFixed(1)} %), ${count("invalid")} change nothing or do not compile`,
  );
  if (options.store === undefined) return;
  const result = { seed: SETTINGS.seed, count: killed + survivors.length, killed, survivors };
  writeFileSync(options.store, `${JSON.stringify(result, null, 2)}\n`);
}
