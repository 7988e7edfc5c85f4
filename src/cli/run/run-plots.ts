// Selects the plots of a report: those that the file defines, or a default set.

import type { BodyState } from "../../bodies.js";
import {
  type EquationsFile,
  type ModelFile,
  timeUnit,
  type Units,
  unitOf,
} from "../../files/index.js";
import type { State } from "../../interfaces/index.js";
import {
  bodyPlots,
  equationPlots,
  type Plot,
  PlotMaker,
  type PlotRequest,
  usualQuantities,
} from "../../report/index.js";
import type { EquationState } from "../../solve.js";
import type { RunRecord } from "./record-run.js";

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
export function runPlots(file: ModelFile, recording: RunRecord<BodyState>): Plots {
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
export function equationRunPlots(file: EquationsFile, recording: RunRecord<EquationState>): Plots {
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
