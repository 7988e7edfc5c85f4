// The report of a run.

import type { BodyState, CompiledModel } from "../../bodies.js";
import { type ModelFile, timeUnit, unitOf } from "../../files/index.js";
import {
  absencesOf,
  type Block,
  eventTable,
  framesOf,
  type Page,
  renderPage,
  sceneOf,
} from "../../report/index.js";
import type { SummaryLine } from "../../report/summary.js";
import { pageFooter } from "../text/page-footer.js";
import type { RunRecord } from "./record-run.js";
import { runPlots } from "./run-plots.js";

/** The page of a run, as text. */
export function runPage(
  file: ModelFile,
  system: CompiledModel,
  recording: RunRecord<BodyState>,
  lines: readonly SummaryLine[],
): string {
  return renderPage(pageOf(file, system, recording, lines));
}

function pageOf(
  file: ModelFile,
  system: CompiledModel,
  recording: RunRecord<BodyState>,
  lines: readonly SummaryLine[],
): Page {
  const { settings, name } = file;
  const { plots, notes } = runPlots(file, recording);
  const { report } = system;
  const allNotes = [...report.notes, ...lines.flatMap(noteOf), ...notes];
  const blocks: readonly Block[] = [
    { kind: "animation", scene: sceneOfRun(file, recording) },
    { kind: "facts", facts: lines.flatMap(factOf) },
    ...plots.map((plot) => ({ kind: "plot" as const, plot })),
    ...(allNotes.length > 0 ? [{ kind: "notes" as const, title: "Notes", notes: allNotes }] : []),
    eventTable(recording.solution.events, timeUnit(settings.units)),
  ].filter((block): block is Block => block !== undefined);
  return {
    title: name,
    ...(settings.description !== undefined && { subtitle: settings.description }),
    blocks,
    footer: pageFooter(),
  };
}

function sceneOfRun({ model, settings }: ModelFile, { frames, solution }: RunRecord<BodyState>) {
  const data = model.data();
  const { units, view = {} } = settings;
  const shown = framesOf(frames, data, {
    events: solution.events,
    absences: absencesOf(solution),
    lengthUnit: unitOf("length", units),
    timeUnit: timeUnit(units),
  });
  return sceneOf(data, shown, view);
}

export const noteOf = ({ label, text }: SummaryLine) => (label === "note" ? [text] : []);

export function factOf({ label, tone, card }: SummaryLine) {
  return card ? [{ label, ...card, ...(tone && { tone }) }] : [];
}
