import { mkdirSync } from "node:fs";
import { parquetLibrary } from "../../campaign/table/parquet.js";
import { command, UsageError } from "../commands/command.js";
import { positiveOf } from "../commands/solve-options.js";
import { FileError, sentenceOf } from "../terminal/file-error.js";
import { count, counted } from "../terminal/numbers.js";
import { EXIT } from "../terminal/terminal.js";
import { printLines } from "../text/text-table.js";
import { lockFolder } from "../written/lock.js";
import { campaignFormats, writeCampaign } from "./campaign-files.js";
import { campaignSummary } from "./campaign-summary.js";
import { mayRunHere, writeCaseReport, writeReports } from "./case-report.js";
import {
  caseOf,
  folderOf,
  journalIn,
  type LoadedCampaign,
  loadCampaign,
  serverOf,
} from "./load-campaign.js";
import { openLedger, runSweep, translated } from "./run-sweep.js";
import { wholeOf } from "./whole.js";

/** `nodrift sweep`. */
export default command({
  operands: "CAMPAIGN",
  count: [1, 1],
  description: [
    "Runs a model with many sets of parameters: sweeps, Monte Carlo, design studies (docs/campaigns.md).",
    "Results go to a journal as they come; run the command again, and it goes on where it was. At the",
    "end it writes the table (cases.csv, cases.json, cases.parquet) and a page (campaign.html).",
  ].join("\n"),
  options: {
    out: { value: "FOLDER", short: "o", help: "where files go (default: CAMPAIGN-results)" },
    workers: { value: "NUMBER", short: "w", help: "processes (default: one for each core)" },
    on: {
      value: "URL",
      help: "redis://HOST:PORT or postgres://USER@HOST/DATABASE: cases are run by\n`nodrift worker` on any machines",
    },
    "only-failed": { help: "runs the failed cases again, and nothing else" },
    case: { value: "ID", help: "runs one case again, by its number or id, and writes its report" },
    reports: {
      value: "NUMBER",
      help: "also writes the reports of so many cases: of failed ones, then of those with the\nlargest and smallest outputs; all for `all`",
    },
    job: {
      value: "SECONDS",
      help: "of work in a job on a server, from 1 to 10 (default: 2)",
    },
    formats: {
      value: "LIST",
      short: "f",
      help: "of csv, json, parquet, html, or none (default: csv, json, html)",
    },
    json: { help: "prints the summary as JSON" },
    quiet: { short: "q", help: "no progress, no summary" },
  },
  examples: [
    "nodrift sweep study.json",
    "nodrift sweep study.json --formats csv,parquet --workers 4",
    "nodrift sweep study.json --only-failed",
    "nodrift sweep study.json --on postgres://me@server/jobs",
  ],

  async run({ operands: [given], options }, terminal) {
    const formats = campaignFormats(options.formats);
    const workers = wholeOf("workers", options.workers);
    const server = options.on === undefined ? undefined : serverOf(options.on);
    const jobSeconds = jobSecondsOf(options.job);
    const reports =
      options.reports === "all" ? Infinity : (wholeOf("reports", options.reports) ?? 0);
    const only = options["only-failed"];
    if (only && options.case !== undefined)
      throw new UsageError("--only-failed and --case exclude each other");
    if (formats.includes("parquet")) {
      await parquetLibrary().catch((error) => {
        throw translated(error);
      });
    }
    const loaded = loadCampaign(given as string);
    const { plan } = loaded;
    const folder = makeFolder(loaded, options.out);
    const unlock = lockFolder(folder, terminal);
    try {
      const ledger = openLedger(plan, journalIn(folder));
      try {
        const { damaged } = ledger.found;
        const known = ledger.done + ledger.failed;
        if (!options.quiet && known > 0)
          terminal.tell(`${counted(known, "result")} of ${count(ledger.count)} there already`);
        if (damaged > 0)
          terminal.tell(
            `${count(damaged)} damaged lines of the journal are left out; their cases run again`,
          );
        const single = options.case === undefined ? undefined : caseOf(plan, options.case);
        const wanted = single !== undefined ? [single] : only ? failedOf(ledger) : undefined;
        if (wanted) ledger.reopen(wanted);
        if (wanted?.length !== 0) {
          const isQuiet = options.quiet === true;
          await runSweep(ledger, { workers, server, wanted, jobSeconds, isQuiet, terminal });
        }
        if (terminal.signal.aborted) {
          const left = ledger.count - ledger.done - ledger.failed;
          terminal.tell(`stopped: ${count(left)} cases are left; the same command goes on`);
          return EXIT.interrupted;
        }
        const written: string[] = [];
        if (single !== undefined && mayRunHere(ledger, single))
          written.push(...(await writeCaseReport(plan, single, folder, terminal)));
        if (reports > 0) written.push(await writeReports(ledger, reports, folder, terminal));
        for await (const text of writeCampaign(ledger, folder, formats, terminal))
          written.push(text);
        const { lines, data } = campaignSummary(ledger);
        if (options.json) terminal.print(JSON.stringify(data, null, 2));
        else if (!options.quiet) {
          terminal.print(terminal.paint("strong", plan.definition.name));
          const label = "written";
          printLines(terminal, [...lines, ...written.map((text) => ({ label, text }))]);
        }
        return ledger.failed > 0 ? EXIT.bad : EXIT.good;
      } finally {
        ledger.close();
      }
    } finally {
      unlock();
    }
  },
});

function jobSecondsOf(given: string | undefined): number | undefined {
  const seconds = positiveOf("job", given);
  if (seconds === undefined || (seconds >= 1 && seconds <= 10)) return seconds;
  throw new UsageError(`--job must be from 1 to 10 seconds, not ${given}`);
}

function failedOf(ledger: ReturnType<typeof openLedger>): number[] {
  return Array.from({ length: ledger.count }, (_, i) => i).filter((i) => ledger.isFailed(i));
}

function makeFolder(loaded: LoadedCampaign, out: string | undefined): string {
  const folder = folderOf(loaded, out);
  try {
    mkdirSync(folder, { recursive: true });
    return folder;
  } catch (error) {
    throw new FileError(sentenceOf(error as NodeJS.ErrnoException, folder));
  }
}
