import { existsSync } from "node:fs";
import { command, UsageError } from "../../src/cli/commands/command.js";
import { positiveOf } from "../../src/cli/commands/solve-options.js";
import { EXIT, FileError, SILENT } from "../../src/cli/terminal/terminal.js";
import { count } from "../../src/report/numbers.js";
import { type CaseResult, recordOf } from "../cases/result.js";
import { uniformAt } from "../design/random.js";
import type { CaseWorker } from "../engine/case-worker.js";
import { linesOf } from "../engine/chunks.js";
import { singleWorker } from "../engine/pool.js";
import { folderOf, journalIn, loadCampaign, OUT_OPTION } from "./load-campaign.js";
import { openLedger } from "./run-sweep.js";

/** `nodrift verify`. */
export default command({
  operands: "CAMPAIGN",
  count: [1, 1],
  description: [
    "Reruns a random sample of the cases and compares the results bit by bit with those stored.",
    "Runs are reproducible on every machine: a difference means corruption, or results of other code.",
  ].join("\n"),
  options: {
    share: {
      value: "NUMBER",
      help: "fraction of all cases, from 0 to 1 (default: 0.01; at least one case)",
    },
    seed: { value: "NUMBER", help: "seed of the sample (default: a new one each time)" },
    out: OUT_OPTION,
    json: { help: "print the result as JSON" },
    quiet: { short: "q", help: "no progress bar" },
  },
  examples: ["nodrift verify study.json --share 0.01", "nodrift verify study.json --share 1"],

  async run({ operands: [given], options }, terminal) {
    const share = positiveOf("share", options.share) ?? 0.01;
    if (share > 1) throw new UsageError(`--share must be at most 1, not ${share}`);
    const seed = positiveOf("seed", options.seed) ?? Date.now() % 2 ** 31;
    const loaded = loadCampaign(given as string);
    const path = journalIn(folderOf(loaded, options.out));
    if (!existsSync(path))
      throw new FileError(`journal ${path} not found: run nodrift sweep first`);
    const { signal } = terminal;
    const ledger = openLedger(loaded.plan, path, { isReadOnly: true });
    let worker: CaseWorker | undefined;
    try {
      worker = await singleWorker(loaded.plan, signal);
      const stored = [...indicesWhere(ledger.count, (i) => !ledger.isOpen(i))];
      const wanted = sampleOf(stored, share, seed);
      const bar = options.quiet ? SILENT : terminal.bar();
      const different: { case: number; id: string; stored: CaseResult; computed: CaseResult }[] =
        [];
      let done = 0;
      for (const index of wanted) {
        if (signal.aborted) break;
        const expected = ledger.result(index)!;
        for await (const lines of linesOf(worker, loaded.plan, [index], signal)) {
          const computed = recordOf(lines[0]!) as unknown as CaseResult;
          if (bitsOf(expected) !== bitsOf(computed))
            different.push({ case: index, id: expected.id, stored: expected, computed });
        }
        bar.update(++done / wanted.length, `${done} cases`);
        await new Promise((resolve) => setImmediate(resolve));
      }
      bar.stop();
      const { damaged } = ledger.found;
      if (options.json) {
        terminal.print(
          JSON.stringify({ stored: stored.length, compared: done, damaged, different }, null, 2),
        );
      } else {
        terminal.print(
          `${count(done)} of ${count(stored.length)} stored cases compared, ${different.length} different`,
        );
        if (damaged > 0) terminal.print(`${count(damaged)} damaged lines of the journal ignored`);
        for (const { case: index, id } of different.slice(0, 20))
          terminal.print(`  case ${index} (${id}) is different`);
      }
      if (signal.aborted) return EXIT.interrupted;
      return different.length > 0 || damaged > 0 || done === 0 ? EXIT.bad : EXIT.good;
    } finally {
      await worker?.close();
      ledger.close();
    }
  },
});

function* indicesWhere(count: number, isWanted: (index: number) => boolean): Generator<number> {
  for (let i = 0; i < count; i++) if (isWanted(i)) yield i;
}

/** A random sample of cases, at least one. */
function sampleOf(indices: readonly number[], share: number, seed: number): number[] {
  const keyed = indices.map((index) => [uniformAt(seed, 9, index), index] as const);
  keyed.sort((a, b) => a[0] - b[0]);
  return keyed.slice(0, Math.max(1, Math.round(share * indices.length))).map(([, index]) => index);
}

/** The part of a result that must be reproduced. Time limits end runs at different times on different machines, so failures are compared by status only. */
function bitsOf(result: CaseResult): string {
  const { status, parameters } = result;
  return JSON.stringify([status, parameters, status === "done" ? result.outputs : []]);
}
