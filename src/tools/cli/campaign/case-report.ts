// Reports of cases: the same as `nodrift run` writes for their models.

import { join } from "node:path";
import { CaseRunner } from "../../campaign/cases/case-runner.js";
import type { Plan } from "../../campaign/cases/plan.js";
import type { Ledger } from "../../campaign/journal/ledger.js";
import { summaryOf } from "../../report/summary.js";
import { record } from "../run/record-run.js";
import { RunFiles } from "../run/run-files.js";
import { runPage } from "../run/run-page.js";
import { counted } from "../terminal/numbers.js";
import type { Terminal } from "../terminal/terminal.js";

/** Where the report of a case lies. */
export const reportFolder = (folder: string, plan: Plan, index: number) =>
  join(folder, "cases", plan.id(index));

/** Runs a case once more, and writes its report; nothing where there is no model to show. */
export async function writeCaseReport(
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

/** Whether a case may be run once more in this process: one that ended its worker, or never returned, may not. */
export function mayRunHere(ledger: Ledger, index: number): boolean {
  const result = ledger.result(index);
  return (
    result?.status !== "failed" || !/^(set aside|maximumSeconds: the module)/.test(result.reason)
  );
}

/** Writes the reports of so many cases, those first that one wants to see. Gives a sentence about it. */
export async function writeReports(
  ledger: Ledger,
  most: number,
  folder: string,
  terminal: Terminal,
): Promise<string> {
  let [written, without] = [0, 0];
  for (const index of worthSeeing(ledger)) {
    if (written >= most || terminal.signal.aborted) break;
    if (!mayRunHere(ledger, index)) {
      without++;
      continue;
    }
    try {
      const files = await writeCaseReport(ledger.plan, index, folder, terminal);
      if (files.length === 0)
        return "no reports: the cases of this campaign give numbers, no models";
      written++;
    } catch (error) {
      // A case that cannot even be compiled has its reason in the table.
      if (!ledger.isFailed(index)) throw error;
      without++;
    }
  }
  const rest = without > 0 ? `; ${counted(without, "failed case")} had nothing to show` : "";
  return `${counted(written, "report")} in ${join(folder, "cases")}${rest}`;
}

/** Failed cases, then the smallest and the largest of each output, then all others. */
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
