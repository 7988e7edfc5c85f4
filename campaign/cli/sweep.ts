import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { command, UsageError } from "../../src/cli/commands/command.js";
import { integerOption, positiveOf } from "../../src/cli/commands/solve-options.js";
import { record } from "../../src/cli/run/record-run.js";
import { runPage } from "../../src/cli/run/run.js";
import { RunFiles } from "../../src/cli/run/run-files.js";
import { AtomicWriter, lockFolder } from "../../src/cli/terminal/atomic-file.js";
import { EXIT, FileError, fileErrorText, type Terminal } from "../../src/cli/terminal/terminal.js";
import { pageFooter, printLines } from "../../src/cli/terminal/text-table.js";
import { bytes, count, counted } from "../../src/report/numbers.js";
import { summaryOf } from "../../src/report/summary.js";
import { CaseRunner } from "../cases/case-runner.js";
import type { Plan } from "../cases/plan.js";
import type { Ledger } from "../journal/ledger.js";
import { campaignPage } from "../page/campaign-page.js";
import { parquetLibrary, writeParquet } from "../table/parquet.js";
import { csvPieces, jsonPieces } from "../table/table.js";
import { campaignSummary } from "./campaign-summary.js";
import {
  caseOf,
  folderOf,
  journalIn,
  type LoadedCampaign,
  loadCampaign,
  OUT_OPTION,
  serverOf,
  WORKERS_OPTION,
} from "./load-campaign.js";
import { openLedger, runSweep, translated } from "./run-sweep.js";

// Reports of cases, as `nodrift run` writes them.

/** Folder for the report of a case. */
const reportFolder = (folder: string, plan: Plan, index: number) =>
  join(folder, "cases", plan.id(index));

/** Reruns a case and writes its report. Returns the written files; none if the case has no model. */
async function writeCaseReport(
  plan: Plan,
  index: number,
  folder: string,
  terminal: Terminal,
): Promise<readonly string[]> {
  const runner = await CaseRunner.of(plan);
  const file = await runner.file(index);
  if (!file) return [];
  const system = await file.compile({ signal: terminal.signal });
  const { maximumSeconds, maximumSteps } = plan.definition.limits ?? {};
  const asked = file.solveOptions(system, {
    ...(maximumSeconds !== undefined && { maximumSeconds }),
    ...(maximumSteps !== undefined && { maximumSteps }),
  });
  const files = new RunFiles(
    reportFolder(folder, plan, index),
    ["html", "csv", "json"],
    file,
    terminal,
  );
  try {
    const recording = record(system, asked, {
      terminal,
      isQuiet: true,
      hasPictures: true,
      keepRows: files.keepRows,
    });
    const lines = summaryOf(recording.solution, {
      units: file.settings.units,
      start: asked.span[0],
    });
    return [...files.write(recording, () => runPage(file, system, recording, lines))].map(
      ({ text }) => text,
    );
  } finally {
    files.close();
  }
}

/** Whether a case may be rerun in this process. A case that killed its worker or never returned may not. */
function mayRunHere(ledger: Ledger, index: number): boolean {
  const result = ledger.result(index);
  return (
    result?.status !== "failed" || !/^(set aside|maximumSeconds: the module)/.test(result.reason)
  );
}

/** Writes the reports of up to `maximum` cases, the most interesting ones first. Returns a summary. */
async function writeReports(
  ledger: Ledger,
  maximum: number,
  folder: string,
  terminal: Terminal,
): Promise<string> {
  let [written, without] = [0, 0];
  for (const index of worthSeeing(ledger)) {
    if (written >= maximum || terminal.signal.aborted) break;
    if (!mayRunHere(ledger, index)) {
      without++;
      continue;
    }
    try {
      const files = await writeCaseReport(ledger.plan, index, folder, terminal);
      if (files.length === 0) return "no reports: the cases of this campaign have no models";
      written++;
    } catch (error) {
      // If a failed case does not compile, the table has the reason.
      if (!ledger.isFailed(index)) throw error;
      without++;
    }
  }
  const rest = without > 0 ? `; ${counted(without, "failed case")} without a report` : "";
  return `${counted(written, "report")} in ${join(folder, "cases")}${rest}`;
}

/** Failed cases first, then those with the largest and smallest value of each output, then all others. */
function worthSeeing(ledger: Ledger): Iterable<number> {
  const order = new Set<number>();
  for (let i = 0; i < ledger.count; i++) if (ledger.isFailed(i)) order.add(i);
  const extremes = ledger.plan.columns.map(() => ({
    low: { index: -1, value: Number.POSITIVE_INFINITY },
    high: { index: -1, value: Number.NEGATIVE_INFINITY },
  }));
  for (const result of ledger.results()) {
    if (result.status === "failed") continue;
    for (const [k, { low, high }] of extremes.entries()) {
      const value = result.outputs[k];
      if (typeof value !== "number") continue;
      if (value < low.value) Object.assign(low, { index: result.case, value });
      if (value > high.value) Object.assign(high, { index: result.case, value });
    }
  }
  for (const { low, high } of extremes)
    for (const { index } of [high, low]) if (index >= 0) order.add(index);
  for (let i = 0; i < ledger.count; i++) if (!ledger.isOpen(i)) order.add(i);
  return order;
}

// Output files of a campaign: tables and a page, written from the journal.

const CAMPAIGN_FORMATS = ["csv", "json", "parquet", "html"] as const;
type CampaignFormat = (typeof CAMPAIGN_FORMATS)[number];

const NAMES: Readonly<Record<CampaignFormat, string>> = {
  csv: "cases.csv",
  json: "cases.json",
  parquet: "cases.parquet",
  html: "campaign.html",
};

function campaignFormats(list: string | undefined): readonly CampaignFormat[] {
  if (list === undefined) return ["csv", "json", "html"];
  if (list === "none") return [];
  return list.split(",").map((word) => {
    const found = CAMPAIGN_FORMATS.find((format) => format === word.trim());
    if (found) return found;
    throw new UsageError(`--formats: "${word}" is not one of ${CAMPAIGN_FORMATS.join(", ")}, none`);
  });
}

/** Writes the output files in turn. Yields path and size of each. */
async function* writeCampaign(
  ledger: Ledger,
  folder: string,
  formats: readonly CampaignFormat[],
  terminal: Terminal,
): AsyncGenerator<string> {
  for (const format of formats) {
    const path = join(folder, NAMES[format]);
    if (format === "parquet") await parquet(ledger, path);
    else {
      const writer = new AtomicWriter(path, terminal);
      try {
        for (const piece of piecesOf(format, ledger, folder)) writer.write(piece);
        writer.commit();
      } catch (error) {
        writer.discard();
        throw error;
      }
    }
    yield `${path} (${bytes(statSync(path).size)})`;
  }
}

function piecesOf(format: CampaignFormat, ledger: Ledger, folder: string): Iterable<string> {
  if (format === "csv") return csvPieces(ledger);
  if (format === "json") return jsonPieces(ledger);
  return [campaignPage(ledger, { footer: pageFooter(), folder })];
}

async function parquet(ledger: Ledger, path: string): Promise<void> {
  try {
    await writeParquet(ledger, path);
  } catch (error) {
    const cause = error as NodeJS.ErrnoException;
    if (typeof cause.code !== "string" || !/^E[A-Z]+$/.test(cause.code)) throw error;
    throw new FileError(fileErrorText(cause, path));
  }
}

/** `nodrift sweep`. */
export default command({
  operands: "CAMPAIGN",
  count: [1, 1],
  description: [
    "Runs a model with many parameter sets: sweeps, Monte Carlo, design studies (docs/campaigns.md).",
    "Results are appended to a journal; an interrupted campaign resumes if the command is run again.",
    "Finally writes tables (cases.csv, cases.json, cases.parquet) and a page (campaign.html).",
  ].join("\n"),
  options: {
    out: OUT_OPTION,
    workers: WORKERS_OPTION,
    on: {
      value: "URL",
      help: "redis://HOST:PORT or postgres://USER@HOST/DATABASE: cases are run by\n`nodrift worker` on any number of machines",
    },
    "only-failed": { help: "rerun only the failed cases" },
    case: { value: "ID", help: "rerun one case, given by its index or id, and write its report" },
    reports: {
      value: "NUMBER",
      help: "number of cases to write reports for, or `all`: failed cases first, then those with\nthe largest and smallest outputs",
    },
    job: {
      value: "SECONDS",
      help: "target duration of a server job, 1 to 10 (default: 2)",
    },
    formats: {
      value: "LIST",
      short: "f",
      help: "comma-separated: csv, json, parquet, html, or none (default: csv, json, html)",
    },
    json: { help: "print the summary as JSON" },
    quiet: { short: "q", help: "no progress bar, no summary" },
  },
  examples: [
    "nodrift sweep study.json",
    "nodrift sweep study.json --formats csv,parquet --workers 4",
    "nodrift sweep study.json --only-failed",
    "nodrift sweep study.json --on postgres://me@server/jobs",
  ],

  async run({ operands: [given], options }, terminal) {
    const formats = campaignFormats(options.formats);
    const workers = integerOption("workers", options.workers);
    const server = options.on === undefined ? undefined : serverOf(options.on);
    const jobSeconds = jobSecondsOf(options.job);
    const reports =
      options.reports === "all" ? Infinity : (integerOption("reports", options.reports) ?? 0);
    const only = options["only-failed"];
    if (only && options.case !== undefined)
      throw new UsageError("--only-failed and --case are mutually exclusive");
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
          terminal.log(
            `${counted(known, "result")} of ${count(ledger.count)} already in the journal`,
          );
        if (damaged > 0)
          terminal.log(
            `${count(damaged)} damaged lines of the journal ignored; their cases are rerun`,
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
          terminal.log(`stopped: ${count(left)} cases left; run the same command to resume`);
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
    throw new FileError(fileErrorText(error as NodeJS.ErrnoException, folder));
  }
}
