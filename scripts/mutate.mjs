// `npm run mutate`: changes the sources in small ways, one at a time, and sees whether tests fail. A sample, the same
// one for the same seed (mutation/settings.mjs). Results are lines of JSON; a run that was stopped goes on where it
// was. The repository itself is not touched: all happens in a copy.
//
//   --out FILE       the lines (build/mutants.jsonl)
//   --seconds N      of the processor for the tests of one mutant (mutation/settings.mjs)
//   --survivors      once more those that survived, after tests have been added
//   --store FILE     the rate and the survivors, as `npm run figures -- house` reads them

import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { build } from "./build.mjs";
import { Copy } from "./mutation/copy.mjs";
import { TestOrder } from "./mutation/order.mjs";
import { Runner } from "./mutation/runner.mjs";
import { sampleOf } from "./mutation/sample.mjs";
import { SETTINGS } from "./mutation/settings.mjs";
import { withoutTypeErrors } from "./mutation/types.mjs";
import { enterRepository } from "./run.mjs";

enterRepository();
const { values: options } = parseArgs({
  options: {
    out: { type: "string", default: "build/mutants.jsonl" },
    survivors: { type: "boolean", default: false },
    seconds: { type: "string", default: String(SETTINGS.seconds) },
    store: { type: "string" },
  },
});

await build(["sources"]);
const sample = await sampleOf(SETTINGS);
const records = read(options.out);
const copy = new Copy();
const runner = new Runner(copy.folder);
const order = new TestOrder();
/** Test files that were seen to pass, or not, without a mutant. */
const verified = new Map();
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => {
    leave();
    process.exit(130);
  });
}
try {
  await dropUnfounded();
  for (const mutant of withoutTypeErrors(sample, copy)) {
    const known = records.get(idOf(mutant));
    if (known && !(options.survivors && known.verdict === "survived")) continue;
    const record = { id: idOf(mutant), ...mutant, ...(await judge(mutant)) };
    records.set(record.id, record);
    mkdirSync(dirname(options.out), { recursive: true });
    appendFileSync(options.out, `${JSON.stringify(record)}\n`);
    console.log(`${record.verdict} ${record.id} ${record.by ?? ""}`);
  }
} finally {
  leave();
}
report([...records.values()]);

/** Records of a run before, killed by what fails without a mutant too, count for nothing. */
async function dropUnfounded() {
  for (const { id, verdict, by } of [...records.values()]) {
    if (verdict !== "killed" || by === "hangs") continue;
    if (!(await passes(by.split(": ")[0]))) records.delete(id);
  }
}

function leave() {
  runner.stop();
  copy.remove();
}

/** The last word on each mutant, by its name. */
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

async function judge(mutant) {
  const begin = performance.now();
  for (;;) {
    const found = await attempt(mutant);
    const [killer] = found.by?.split(": ") ?? [];
    if (found.verdict !== "killed" || found.by === "hangs" || (await passes(killer))) {
      return { ...found, seconds: Math.round((performance.now() - begin) / 1000) };
    }
  }
}

/** Whether a test file passes in the copy without a mutant. One that does not says nothing, and is left out from then on. */
async function passes(path) {
  if (!verified.has(path)) {
    const test = order.find(path);
    verified.set(path, (await runner.run([test], [], SETTINGS.hang)) === undefined);
    if (!verified.get(path)) {
      console.log(`left out, as it fails without a mutant: ${path}`);
      order.leaveOut(path);
    }
  }
  return verified.get(path);
}

async function attempt(mutant) {
  const changed = copy.put(mutant);
  const tests = order.of(mutant.file);
  const found =
    mutant.kind === "kernels" ? await searchKernels(mutant, tests) : await search(tests, changed);
  runner.forget(copy.restore(mutant));
  return found;
}

/**
 * The modules for debugging compile quickly, and most mutants do not outlive them. Those that do are compiled as they are
 * shipped, which also tells whether they are others at all.
 */
async function searchKernels(mutant, tests) {
  if (!copy.compile(mutant, "debug")) return { verdict: "invalid" };
  const found = await search(
    tests.filter(({ project }) => project === "debug"),
    [],
  );
  if (found.verdict === "killed") return found;
  const changed = copy.compile(mutant, "release") ? copy.inline() : undefined;
  if (!changed) return { verdict: "invalid" };
  return search(
    tests.filter(({ project }) => project === "package"),
    changed,
  );
}

/** Tests in their order, in heaps that grow, until one fails or the time is over. */
async function search(tests, changed) {
  const left = [...tests];
  let spent = 0;
  let room = SETTINGS.heap.least;
  let fresh = changed;
  while (left.length > 0 && spent < Number(options.seconds)) {
    const heap = [left.shift()];
    let [{ seconds }] = heap;
    while (left.length > 0 && seconds + left[0].seconds <= room) {
      seconds += left[0].seconds;
      heap.push(left.shift());
    }
    const before = runner.seconds;
    const by = await runner.run(heap, fresh, SETTINGS.hang);
    if (by !== undefined) return { verdict: "killed", by };
    spent += runner.seconds - before;
    fresh = [];
    room = Math.min(2 * room, SETTINGS.heap.most);
  }
  return { verdict: "survived" };
}

function report(all) {
  const count = (verdict) => all.filter((record) => record.verdict === verdict).length;
  const killed = count("killed");
  const survivors = all.filter(({ verdict }) => verdict === "survived").map(({ id }) => id);
  const share = killed / (killed + survivors.length);
  console.log(`\nsurvivors:\n${survivors.join("\n")}`);
  console.log(
    `${killed} of ${killed + survivors.length} killed (${(100 * share).toFixed(1)} %), ${count("invalid")} change nothing`,
  );
  if (options.store === undefined) return;
  const result = { seed: SETTINGS.seed, count: killed + survivors.length, killed, survivors };
  writeFileSync(options.store, `${JSON.stringify(result, null, 2)}\n`);
}
