import { existsSync } from "node:fs";
import { CaseRunner } from "../../campaign/cases/case-runner.js";
import type { CaseResult } from "../../campaign/cases/result.js";
import { uniformAt } from "../../campaign/design/random.js";
import { command, UsageError } from "../commands/command.js";
import { positiveOf } from "../commands/solve-options.js";
import { SILENT } from "../terminal/bar.js";
import { FileError } from "../terminal/file-error.js";
import { count } from "../terminal/numbers.js";
import { EXIT } from "../terminal/terminal.js";
import { folderOf, journalIn, loadCampaign } from "./load-campaign.js";
import { openLedger } from "./run-sweep.js";

/** `nodrift verify`. */
export default command({
  operands: "CAMPAIGN",
  count: [1, 1],
  description: [
    "Runs a random part of the cases of a campaign once more, and compares every bit with what is stored.",
    "Runs are the same on every machine: a difference means damage, or results of another program.",
  ].join("\n"),
  options: {
    share: {
      value: "NUMBER",
      help: "of all cases, from 0 to 1 (default: 0.01; at least one case)",
    },
    seed: { value: "NUMBER", help: "which cases (default: others each time)" },
    out: { value: "FOLDER", short: "o", help: "where the campaign is (default: CAMPAIGN-results)" },
    json: { help: "prints the result as JSON" },
    quiet: { short: "q", help: "no progress" },
  },
  examples: ["nodrift verify study.json --share 0.01", "nodrift verify study.json --share 1"],

  async run({ operands: [given], options }, terminal) {
    const share = positiveOf("share", options.share) ?? 0.01;
    if (share > 1) throw new UsageError(`--share must be at most 1, not ${share}`);
    const seed = positiveOf("seed", options.seed) ?? Date.now() % 2 ** 31;
    const loaded = loadCampaign(given as string);
    const path = journalIn(folderOf(loaded, options.out));
    if (!existsSync(path))
      throw new FileError(`there is no journal ${path}: run nodrift sweep first`);
    const ledger = openLedger(loaded.plan, path, { isReadOnly: true });
    try {
      const runner = await CaseRunner.of(loaded.plan);
      const there = [...known(ledger.count, (i) => !ledger.isOpen(i))];
      const wanted = chosen(there, share, seed);
      const bar = options.quiet ? SILENT : terminal.bar();
      const different: { case: number; id: string; stored: CaseResult; computed: CaseResult }[] =
        [];
      let done = 0;
      for (const index of wanted) {
        if (terminal.signal.aborted) break;
        const stored = ledger.result(index)!;
        const computed = await runner.run(index, terminal.signal);
        if (bitsOf(stored) !== bitsOf(computed))
          different.push({ case: index, id: stored.id, stored, computed });
        bar.update(++done / wanted.length, `${done} cases`);
        await new Promise((resolve) => setImmediate(resolve));
      }
      bar.stop();
      const { damaged } = ledger.found;
      if (options.json) {
        terminal.print(
          JSON.stringify({ stored: there.length, compared: done, damaged, different }, null, 2),
        );
      } else {
        terminal.print(
          `${count(done)} of ${count(there.length)} stored cases compared, ${different.length} different`,
        );
        if (damaged > 0)
          terminal.print(`${count(damaged)} lines of the journal are damaged, and left out`);
        for (const { case: index, id } of different.slice(0, 20))
          terminal.print(`  case ${index} (${id}) is different`);
      }
      if (terminal.signal.aborted) return EXIT.interrupted;
      return different.length > 0 || damaged > 0 || done === 0 ? EXIT.bad : EXIT.good;
    } finally {
      ledger.close();
    }
  },
});

function* known(count: number, is: (index: number) => boolean): Generator<number> {
  for (let i = 0; i < count; i++) if (is(i)) yield i;
}

/** Cases in a random order, the first of them. */
function chosen(indices: readonly number[], share: number, seed: number): number[] {
  const keyed = indices.map((index) => [uniformAt(seed, 9, index), index] as const);
  keyed.sort((a, b) => a[0] - b[0]);
  return keyed.slice(0, Math.max(1, Math.round(share * indices.length))).map(([, index]) => index);
}

/** What must be the same: limits on time end runs at other places on other machines, so of failures only that they failed. */
function bitsOf(result: CaseResult): string {
  const { status, parameters } = result;
  return JSON.stringify([status, parameters, status === "done" ? result.outputs : []]);
}
