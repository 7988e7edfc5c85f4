// node run.mjs [problem ...] [--quick] [--json FILE] [--svg FOLDER]: work-precision tables.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { contestants } from "./adapters/index.mjs";
import { problems } from "./problems/index.mjs";
import { machine } from "./support/machine.mjs";
import { measure } from "./support/measure.mjs";
import { picturesOf } from "./support/pictures.mjs";
import { workPrecisionTable } from "./support/table.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    json: { type: "string" },
    svg: { type: "string" },
  },
});

const names = positionals.length > 0 ? positionals : Object.keys(problems);
for (const name of names) {
  if (name in problems) continue;
  console.error(`there is no problem "${name}"; there are: ${Object.keys(problems).join(", ")}`);
  process.exit(1);
}

/** Quick mode: fewer rounds, and every other setting. */
const options = values.quick
  ? {
      rounds: 3,
      settingsOf: (problem) => (contestant) =>
        problem[`${contestant.setting}s`].filter((_, i) => i % 2 === 0),
    }
  : { rounds: 5, settingsOf: () => undefined };

const started = machine();
console.log(
  `${started.processor}, ${started.cores} cores, ${started.system}, Node ${started.node}`,
);
const all = [];
for (const name of names) {
  const problem = problems[name]();
  console.log(`\n${problem.title}${problem.errorText ? ` (error: ${problem.errorText})` : ""}`);
  for (const contestant of contestants) {
    const reason = contestant.refuses(problem);
    if (reason !== undefined) console.log(`  without ${contestant.name}: ${reason}`);
  }
  const settings = options.settingsOf(problem);
  const rows = await measure(problem, contestants, { rounds: options.rounds, settings });
  console.log(workPrecisionTable(rows));
  all.push(...rows);
  // After each problem, because a run takes a long time and may be interrupted.
  if (values.json !== undefined) {
    const result = { machine: started, rounds: options.rounds, rows: all };
    writeFileSync(values.json, `${JSON.stringify(result, null, 1)}\n`);
  }
  if (values.svg !== undefined) {
    mkdirSync(values.svg, { recursive: true });
    for (const { file, svg } of picturesOf(problem, rows)) {
      writeFileSync(join(values.svg, file), svg);
    }
  }
}
// Some engines keep threads or timers that would prevent exit.
process.exit(0);
