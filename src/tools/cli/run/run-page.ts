// The report of a run.

import type { BodyState, CompiledModel } from "../../../bodies.js";
import type { State } from "../../../seam/index.js";
import { type FileSettings, type ModelFile, timeUnit, unitOf } from "../../files/index.js";
import { type Block, framesOf, type Page, renderPage, sceneOf } from "../../report/index.js";
import { short } from "../terminal/numbers.js";
import { pageFooter } from "../text/page-footer.js";
import type { SummaryLine } from "../text/summary.js";
import type { Recording } from "./record-run.js";
import { runPlots } from "./run-plots.js";

/** The page of a run, as text. */
export function runPage(
  file: ModelFile,
  system: CompiledModel,
  recording: Recording<BodyState>,
  lines: readonly SummaryLine[],
): string {
  return renderPage(pageOf(file, system, recording, lines));
}

function pageOf(
  file: ModelFile,
  system: CompiledModel,
  recording: Recording<BodyState>,
  lines: readonly SummaryLine[],
): Page {
  const { settings, name } = file;
  const { plots, notes } = runPlots(file, recording);
  const { report } = system;
  const told = [...report.notes, ...lines.flatMap(noteOf), ...notes];
  const blocks: readonly Block[] = [
    { kind: "animation", scene: sceneOfRun(file, recording) },
    { kind: "facts", facts: lines.flatMap(factOf) },
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

function sceneOfRun({ model, settings }: ModelFile, { frames, solution }: Recording<BodyState>) {
  const data = model.data();
  const { units, view = {} } = settings;
  const shown = framesOf(frames, data, {
    events: solution.events,
    absences: absencesOf(settings, solution),
    lengthUnit: unitOf("length", units),
    timeUnit: timeUnit(units),
  });
  return sceneOf(data, shown, view);
}

/** What modes lack, and when: from each event to the next that changes the mode. */
function absencesOf(
  { modes = [] }: FileSettings,
  { events, end }: Recording<BodyState>["solution"],
) {
  return events.flatMap(({ mode, time }, i) => {
    const { without = [] } = modes.find(({ name }) => name === mode) ?? {};
    const to = events[i + 1]?.time ?? end.time;
    return without.map((name) => ({ name, from: time, to }));
  });
}

export const noteOf = ({ label, text }: SummaryLine) => (label === "note" ? [text] : []);

export function factOf({ label, tone, card }: SummaryLine) {
  return card ? [{ label, ...card, ...(tone && { tone }) }] : [];
}

/** Events that are listed; the rest is counted. */
const LISTED = 200;

export function eventTable<S extends State>(
  { solution }: Recording<S>,
  unit: string,
): Block | undefined {
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
