// The report of one case: the same as `nodrift run` writes for its model.

import { join } from "node:path";
import { CaseRunner } from "../../campaign/cases/case-runner.js";
import type { Plan } from "../../campaign/cases/plan.js";
import { summaryOf } from "../../report/summary.js";
import { record } from "../run/record-run.js";
import { RunFiles } from "../run/run-files.js";
import { runPage } from "../run/run-page.js";
import type { Terminal } from "../terminal/terminal.js";

/** Where the report of a case lies. */
export const reportFolder = (folder: string, plan: Plan, index: number) =>
  join(folder, "cases", plan.id(index));

/** Runs a case once more, and writes its report. */
export async function writeCaseReport(
  plan: Plan,
  index: number,
  folder: string,
  terminal: Terminal,
): Promise<readonly string[]> {
  const runner = await CaseRunner.of(plan);
  const file = await runner.file(index);
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
