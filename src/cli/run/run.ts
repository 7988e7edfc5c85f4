import type { BodyState, CompiledModel } from "../../bodies.js";
import { type EquationsFile, type ModelFile, timeUnit, unitOf } from "../../files/index.js";
import {
  absencesOf,
  type Block,
  eventTable,
  framesOf,
  type Page,
  renderPage,
  sceneOf,
} from "../../report/index.js";
import { counted } from "../../report/numbers.js";
import { isGood, type SummaryLine, summaryOf } from "../../report/summary.js";
import type { EquationState, SolveOptions, Source, StateOf } from "../../solve.js";
import { command, UsageError } from "../commands/command.js";
import { holdsEquations, loadSystem } from "../commands/load.js";
import { coordinatesOf, solveChanges, solveOptionHelp } from "../commands/solve-options.js";
import { openInBrowser } from "../play/open.js";
import { EXIT, type Terminal } from "../terminal/terminal.js";
import { pageFooter, printLines } from "../text/text-table.js";
import { type RunRecord, record } from "./record-run.js";
import { FORMATS, type Format, RunFiles, type RunnableFile, resultOf } from "./run-files.js";
import { equationRunPlots, runPlots } from "./run-plots.js";

// Report of a run of equations: plots without an animation.

/** The page of a run, as text. */
function equationsPage(
  file: EquationsFile,
  recording: RunRecord<EquationState>,
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
      notes: system.explain().text.split("\n").slice(0, MAX_EQUATION_LINES),
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

/** Largest number of lines of the equations that are shown. */
const MAX_EQUATION_LINES = 60;

/** `nodrift run`. */
export default command({
  operands: "MODEL",
  count: [1, 1],
  description: [
    "Simulates a model. Prints a summary and writes a report with an animation and plots",
    "(report.html), a table of the output (motion.csv) and the whole solution as data",
    "(solution.json). Ctrl-C stops the run; partial results are written.",
  ].join("\n"),
  options: {
    ...solveOptionHelp,
    out: { value: "FOLDER", short: "o", help: "folder for output files (default: MODEL-results)" },
    formats: {
      value: "LIST",
      short: "f",
      help: "comma-separated: html, csv, json, or none (default: all)",
    },
    open: { help: "open the report in a browser" },
    json: { help: "print the summary as JSON" },
    quiet: { short: "q", help: "no progress bar, no summary" },
  },
  examples: [
    "nodrift run slider-crank",
    "nodrift run crane.json --until 20 --tolerance 1e-9 --formats csv --out results",
    'nodrift run crane.json --method "udwadiaKalaba + projection + rk4" --step 1e-3',
  ],

  async run({ operands: [given], options }, terminal) {
    const formats = formatsOf(options.formats);
    const changes = solveChanges(options);
    const loaded = await loadSystem(given as string, terminal, coordinatesOf(options.coordinates));
    const folder = options.out ?? `${loaded.stem}-results`;
    const { json, quiet, open } = options;
    const output = { formats, folder, json, quiet, open };
    if (holdsEquations(loaded)) {
      const { file } = loaded;
      const { system } = file;
      const first = `${file.name}: ${counted(system.coordinateNames.length, "coordinate")}`;
      const asked = file.solveOptions(changes(file.settings.solve) as never);
      return perform(system, asked, file, output, terminal, first, (recording, lines) =>
        equationsPage(file, recording, lines),
      );
    }
    const { file, system } = loaded;
    const first = headline(file.model.data(), system.report);
    const asked = file.solveOptions(system, changes(file.settings.solve));
    return perform(system, asked, file, output, terminal, first, (recording, lines) =>
      runPage(file, system, recording, lines),
    );
  },
});

interface WriteOptions {
  readonly formats: readonly Format[];
  readonly folder: string;
  readonly json?: boolean | undefined;
  readonly quiet?: boolean | undefined;
  /** Whether to open the report in a browser. */
  readonly open?: boolean | undefined;
}

/** Runs a system, writes its files and prints a summary. */
function perform<System extends Source>(
  system: System,
  asked: SolveOptions<System>,
  file: RunnableFile<StateOf<System>>,
  { formats, folder, json, quiet, open }: WriteOptions,
  terminal: Terminal,
  first: string,
  pageOf: (recording: RunRecord<StateOf<System>>, lines: readonly SummaryLine[]) => string,
): number {
  if (!quiet && !json) terminal.print(first);
  const files = new RunFiles(folder, formats, file, terminal);
  try {
    const recording = record(system, asked, {
      terminal,
      isQuiet: quiet,
      hasPictures: formats.includes("html"),
      keepRows: files.keepRows,
    });
    const { solution } = recording;
    const { units } = file.settings;
    const lines = summaryOf(solution, { units, start: asked.span[0] });
    if (json) terminal.print(JSON.stringify(resultOf(file, solution), null, 2));
    else if (!quiet) printLines(terminal, lines, formats.length > 0 ? MIN_LABEL_WIDTH : 0);
    // Print each file when it is ready: after a signal there may be no time for all.
    for (const line of files.write(recording, () => pageOf(recording, lines))) {
      if (!json && !quiet) printLines(terminal, [line], MIN_LABEL_WIDTH);
    }
    if (terminal.signal.aborted) return EXIT.interrupted;
    if (open && formats.includes("html")) openInBrowser(files.path("html"));
    return isGood(solution.status) ? EXIT.good : EXIT.bad;
  } finally {
    files.close();
  }
}

/** Smallest width of the labels of the summary. */
const MIN_LABEL_WIDTH = "written".length;

function formatsOf(list: string | undefined): readonly Format[] {
  if (list === undefined) return FORMATS;
  if (list === "none") return [];
  return list.split(",").map((word) => {
    const found = FORMATS.find((format) => format === word.trim());
    if (found) return found;
    throw new UsageError(`--formats: "${word}" is not one of html, csv, json, none`);
  });
}

interface Sizes {
  readonly name: string;
  readonly bodies: readonly unknown[];
  readonly joints: readonly unknown[];
  readonly forces: readonly unknown[];
}

function headline(
  { name, bodies, joints, forces }: Sizes,
  { degreesOfFreedom }: { readonly degreesOfFreedom: number },
): string {
  const parts = [
    counted(bodies.length, "body", "bodies"),
    counted(joints.length, "joint"),
    counted(forces.length, "force"),
    counted(degreesOfFreedom, "degree of freedom", "degrees of freedom"),
  ];
  return `${name}: ${parts.join(", ")}`;
}

// The report of a run.

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
