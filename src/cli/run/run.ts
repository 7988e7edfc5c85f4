import type { BodyState, CompiledModel } from "../../bodies.js";
import {
  type EquationsFile,
  type ModelFile,
  timeUnit,
  type Units,
  unitOf,
} from "../../files/index.js";
import type { State } from "../../interfaces/index.js";
import {
  absencesOf,
  type Block,
  bodyPlots,
  equationPlots,
  eventTable,
  framesOf,
  type Plot,
  PlotMaker,
  type PlotRequest,
  renderPage,
  sceneOf,
  usualQuantities,
} from "../../report/index.js";
import { counted } from "../../report/numbers.js";
import { isGood, type SummaryLine, summaryOf } from "../../report/summary.js";
import type { EquationState, SolveOptions, Source, StateOf } from "../../solve.js";
import { command, UsageError } from "../commands/command.js";
import { holdsEquations, loadSystem } from "../commands/load.js";
import { coordinatesOf, solveChanges, solveOptionHelp } from "../commands/solve-options.js";
import { EXIT, openInBrowser, type Terminal } from "../terminal/terminal.js";
import { pageFooter, printLines } from "../terminal/text-table.js";
import { type RunRecord, record } from "./record-run.js";
import { FORMATS, type Format, RunFiles, type RunnableFile, resultOf } from "./run-files.js";

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
  const { plots, notes } = runPlots(file, recording);
  return pageOf(file, recording, lines, {
    first: [{ kind: "animation", scene: sceneOfRun(file, recording) }],
    plots,
    last: [],
    notes: [...system.report.notes, ...lines.flatMap(noteOf), ...notes],
  });
}

/** Largest number of lines of the equations that are shown. */
const MAX_EQUATION_LINES = 60;

/** The page of a run of equations: plots without an animation. */
function equationsPage(
  file: EquationsFile,
  recording: RunRecord<EquationState>,
  lines: readonly SummaryLine[],
): string {
  const { plots, notes } = equationRunPlots(file, recording);
  const equations = file.system.explain().text.split("\n").slice(0, MAX_EQUATION_LINES);
  return pageOf(file, recording, lines, {
    first: [],
    plots,
    last: [{ kind: "notes", title: "Equations", notes: equations }],
    notes: [...lines.flatMap(noteOf), ...notes],
  });
}

interface PageParts {
  readonly first: readonly Block[];
  readonly plots: readonly Plot[];
  readonly last: readonly Block[];
  readonly notes: readonly string[];
}

function pageOf(
  { name, settings }: ModelFile | EquationsFile,
  { solution }: RunRecord<BodyState> | RunRecord<EquationState>,
  lines: readonly SummaryLine[],
  { first, plots, last, notes }: PageParts,
): string {
  const events = eventTable(solution.events, timeUnit(settings.units));
  return renderPage({
    title: name,
    ...(settings.description !== undefined && { subtitle: settings.description }),
    blocks: [
      ...first,
      { kind: "facts", facts: lines.flatMap(factOf) },
      ...plots.map((plot) => ({ kind: "plot" as const, plot })),
      ...last,
      ...(notes.length > 0 ? [{ kind: "notes" as const, title: "Notes", notes }] : []),
      ...(events ? [events] : []),
    ],
    footer: pageFooter(),
  });
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

const noteOf = ({ label, text }: SummaryLine) => (label === "note" ? [text] : []);

function factOf({ label, tone, card }: SummaryLine) {
  return card ? [{ label, ...card, ...(tone && { tone }) }] : [];
}

// Selects the plots of a report: those that the file defines, or a default set.

/**
 * Number of states in the plots of a stopped run, whose user is waiting. The number is the same on all machines. Quantities
 * that need a linear solve for each state are left out.
 */
const STOPPED_RUN_STATES = 30;
const SLOW_QUANTITIES: readonly string[] = ["reactions", "drives"];

const isStopped = <S extends State>({ solution }: RunRecord<S>) => solution.status === "aborted";

interface Plots {
  readonly plots: readonly Plot[];
  /** Sentences about omitted plots. */
  readonly notes: readonly string[];
}

interface Column<S> {
  readonly name: string;
  readonly unit: string | undefined;
  readonly read: (state: S) => number;
}

/** Plots and columns that a file defines. */
interface PlottedFile<S> {
  readonly settings: { readonly units: Units };
  readonly columns: readonly Column<S>[];
  readonly plots: readonly { readonly title: string; readonly columns: readonly Column<S>[] }[];
}

/** Plots of a mechanism. Plots of the file, or its columns grouped by unit, replace those of joint measurements. */
function runPlots(file: ModelFile, recording: RunRecord<BodyState>): Plots {
  const data = file.model.data();
  const own = ownPlots(file);
  const left = [
    ...(own.length === 0 ? [] : ["angles", "displacements", "heights"]),
    ...(isStopped(recording) ? SLOW_QUANTITIES : []),
  ];
  const usual = usualQuantities(data)
    .filter((name) => !left.includes(name))
    .flatMap((name) => bodyPlots(name, data, (what) => unitOf(what, file.settings.units)));
  const { plots, notes } = plotsOf(file, recording, [...own, ...usual]);
  return { plots, notes: isStopped(recording) ? [...notes, WITHOUT_REACTIONS] : notes };
}

const WITHOUT_REACTIONS =
  "reactions and drives are not plotted because the run was stopped; use --until to end a run earlier";

/** Plots of a system of equations. */
function equationRunPlots(file: EquationsFile, recording: RunRecord<EquationState>): Plots {
  const [first] = recording.frames;
  const names = file.system.coordinateNames;
  const all = [...names, ...names.map((name) => `${name}'`)];
  const own = ownPlots(file);
  const motion = own.length === 0 ? (["coordinates", "velocities"] as const) : [];
  const usual = first
    ? [...motion, "energy" as const, "constraints" as const].flatMap((quantity) =>
        equationPlots(quantity, all, first),
      )
    : [];
  return plotsOf<EquationState>(file, recording, [...own, ...usual]);
}

function plotsOf<S extends State>(
  file: PlottedFile<S>,
  recording: RunRecord<S>,
  wanted: readonly PlotRequest<S>[],
): Plots {
  const { frames, solution } = recording;
  const { units } = file.settings;
  const stride = isStopped(recording)
    ? Math.max(1, Math.ceil(frames.length / STOPPED_RUN_STATES))
    : 1;
  const maker = new PlotMaker<S>({
    tracks: [{ name: "", states: frames.filter((_, i) => i % stride === 0) }],
    timeUnit: timeUnit(units),
    events: solution.events,
    isSynced: true,
  });
  const plots = wanted.flatMap((one) => maker.plots(one));
  return { plots: [...plots, ...stepPlot(units, recording)], notes: maker.notes };
}

function ownPlots<S extends State>({ plots, columns }: PlottedFile<S>): readonly PlotRequest<S>[] {
  if (plots.length > 0) {
    return plots.map(({ title, columns: curves }) => ({ title, unit: curves[0]?.unit, curves }));
  }
  const units = [...new Set(columns.map(({ unit }) => unit))];
  return units.map((unit) => {
    const curves = columns.filter((column) => column.unit === unit);
    const names = curves.map(({ name }) => name);
    const title = names.length > 4 ? `${names.slice(0, 4).join(", ")}, ...` : names.join(", ");
    return { title, unit, curves };
  });
}

function stepPlot<S extends State>(units: Units, { steps }: RunRecord<S>): readonly Plot[] {
  if (steps.times.length === 0) return [];
  const unit = timeUnit(units);
  return [
    {
      title: "Step size",
      x: { label: "t", unit },
      y: { label: "step", unit, log: true },
      series: [{ name: "step", x: steps.times, y: steps.lengths }],
      synced: true,
    },
  ];
}
