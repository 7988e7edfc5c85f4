// The report of a run of equations: no animation, but all that can be plotted.

import type { EquationState } from "../../../solve.js";
import { type EquationsFile, timeUnit } from "../../files/index.js";
import { type Block, eventTable, renderPage } from "../../report/index.js";
import type { SummaryLine } from "../../report/summary.js";
import { pageFooter } from "../text/page-footer.js";
import type { Recording } from "./record-run.js";
import { factOf, noteOf } from "./run-page.js";
import { equationRunPlots } from "./run-plots.js";

/** The page of a run, as text. */
export function equationsPage(
  file: EquationsFile,
  recording: Recording<EquationState>,
  lines: readonly SummaryLine[],
): string {
  const { settings, name, system } = file;
  const { plots, notes: left } = equationRunPlots(file, recording);
  const notes = [...lines.flatMap(noteOf), ...left];
  const blocks = [
    { kind: "facts" as const, facts: lines.flatMap(factOf) },
    ...plots.map((plot) => ({ kind: "plot" as const, plot })),
    {
      kind: "notes" as const,
      title: "Equations",
      notes: system.explain().text.split("\n").slice(0, EXPLAINED),
    },
    ...(notes.length > 0 ? [{ kind: "notes" as const, title: "Notes", notes }] : []),
    eventTable(recording.solution.events, timeUnit(settings.units)),
  ].filter((block): block is Block => block !== undefined);
  return renderPage({
    title: name,
    ...(settings.description !== undefined && { subtitle: settings.description }),
    blocks,
    footer: pageFooter(),
  });
}

/** Lines of the equations that are shown. */
const EXPLAINED = 60;
