// The report of a run of equations: no animation, but all that can be plotted.

import type { EquationState } from "../../../solve.js";
import { type EquationsFile, timeUnit } from "../../files/index.js";
import { type Block, type Plot, renderPage } from "../../report/index.js";
import { pageFooter } from "../text/page-footer.js";
import type { SummaryLine } from "../text/summary.js";
import { CommonPlots, CURVES } from "./common-plots.js";
import type { Recording } from "./record-run.js";
import { eventTable, factOf, noteOf } from "./run-page.js";

/** The page of a run, as text. */
export function equationsPage(
  file: EquationsFile,
  recording: Recording<EquationState>,
  lines: readonly SummaryLine[],
): string {
  const { settings, name, system } = file;
  const notes = lines.flatMap(noteOf);
  const blocks = [
    { kind: "facts" as const, facts: lines.flatMap(factOf) },
    ...plotsOf(file, recording).map((plot) => ({ kind: "plot" as const, plot })),
    {
      kind: "notes" as const,
      title: "Equations",
      notes: system.explain().text.split("\n").slice(0, EXPLAINED),
    },
    ...(notes.length > 0 ? [{ kind: "notes" as const, title: "Notes", notes }] : []),
    eventTable(recording, timeUnit(settings.units)),
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

function plotsOf(file: EquationsFile, recording: Recording<EquationState>): Plot[] {
  const common = new CommonPlots(file, recording);
  const { coordinateNames, holonomicNames, nonholonomicNames } = file.system;
  const asked = common.ofFile();
  const curves = (part: "q" | "v") =>
    coordinateNames.slice(0, CURVES).map((name, i) => ({
      name: part === "q" ? name : `${name}'`,
      read: (state: EquationState) => state[part][i]!,
    }));
  const motion =
    asked.length > 0
      ? asked
      : [
          common.plot("Coordinates", undefined, curves("q")),
          common.plot("Velocities", undefined, curves("v")),
        ];
  const hasRows = holonomicNames.length + nonholonomicNames.length > 0;
  const all = [...motion, common.energy(), common.constraints(hasRows), common.steps()];
  return all.filter(({ series }) => series.length > 0);
}
