// The report of a run.

import type { CompiledModel } from "../bodies/index.js";
import { type ModelFile, timeUnit } from "../files/index.js";
import { type Block, framesOf, type Page, renderPage, sceneOf } from "../report/index.js";
import { short } from "./numbers.js";
import { pageFooter } from "./page-footer.js";
import type { Recording } from "./record.js";
import { runPlots } from "./run-plots.js";
import type { SummaryLine } from "./summary.js";

/** The page of a run, as text. */
export function runPage(
  file: ModelFile,
  system: CompiledModel,
  recording: Recording,
  lines: readonly SummaryLine[],
): string {
  return renderPage(pageOf(file, system, recording, lines));
}

function pageOf(
  file: ModelFile,
  system: CompiledModel,
  recording: Recording,
  lines: readonly SummaryLine[],
): Page {
  const { settings, name } = file;
  const { plots, notes } = runPlots(file, recording);
  const { report } = system;
  const told = [...report.notes, ...lines.flatMap(noteOf), ...notes];
  const blocks: readonly Block[] = [
    { kind: "facts", facts: lines.filter(isFact).map(factOf) },
    { kind: "animation", scene: sceneOfRun(file, system, recording) },
    ...plots.map((plot) => ({ kind: "plot" as const, plot })),
    ...(told.length > 0 ? [{ kind: "notes" as const, title: "Notes", notes: told }] : []),
    eventTable(recording, timeUnit(settings.units)),
  ].filter((block): block is Block => block !== undefined);
  return {
    title: name,
    ...(settings.description !== undefined && { subtitle: settings.description }),
    blocks,
    footer: pageFooter(),
  };
}

function sceneOfRun({ model, settings }: ModelFile, _system: CompiledModel, run: Recording) {
  return sceneOf(model.data(), framesOf(run.frames, model.data()), settings.view ?? {});
}

const NOTE = "note";
const isFact = ({ label }: SummaryLine) => label !== NOTE;
const noteOf = ({ label, text }: SummaryLine) => (label === NOTE ? [text] : []);

function factOf({ label, text, tone }: SummaryLine) {
  return { label, value: text, ...(tone && { tone }) };
}

/** Events that are listed; the rest is counted. */
const LISTED = 200;

function eventTable({ solution }: Recording, unit: string): Block | undefined {
  const { events } = solution;
  if (events.length === 0) return undefined;
  const rows = events
    .slice(0, LISTED)
    .map(({ name, time, direction, mode }) => [name, short(time, 9), direction, mode]);
  const rest = events.length - rows.length;
  return {
    kind: "table",
    title: "Events",
    ...(rest > 0 && { caption: `and ${rest} more` }),
    columns: [
      { name: "event" },
      { name: `time (${unit})`, align: "right" },
      { name: "direction" },
      { name: "then in mode" },
    ],
    rows,
    collapsed: events.length > 20,
  };
}
