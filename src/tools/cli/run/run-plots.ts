// Which plots a report of a file has: those of the file, or the ones an engineer would want first.

import type { BodyState } from "../../../bodies.js";
import type { State } from "../../../seam/index.js";
import type { EquationState } from "../../../solve.js";
import {
  type EquationsFile,
  type ModelFile,
  timeUnit,
  type Units,
  unitOf,
} from "../../files/index.js";
import {
  bodyPlots,
  equationPlots,
  type Plot,
  PlotMaker,
  type PlotWanted,
  usualQuantities,
} from "../../report/index.js";
import type { Recording } from "./record-run.js";

/**
 * States of a run that was stopped, whose user is waiting: as many for all, however fast the machine is. What each state needs
 * a solve for is left out.
 */
const STOPPED = 30;
const SLOW: readonly string[] = ["reactions", "drives"];

const isStopped = <S extends State>({ solution }: Recording<S>) => solution.status === "aborted";

interface Plots {
  readonly plots: readonly Plot[];
  /** What was left out, in sentences. */
  readonly notes: readonly string[];
}

interface Column<S> {
  readonly name: string;
  readonly unit: string | undefined;
  readonly read: (state: S) => number;
}

/** Plots and columns that a file asks for. */
interface PlottedFile<S> {
  readonly settings: { readonly units: Units };
  readonly columns: readonly Column<S>[];
  readonly plots: readonly { readonly title: string; readonly columns: readonly Column<S>[] }[];
}

/** Of a mechanism. Plots of the file, or its columns by unit, take the place of what joints measure. */
export function runPlots(file: ModelFile, recording: Recording<BodyState>): Plots {
  const data = file.model.data();
  const own = ownPlots(file);
  const left = [
    ...(own.length === 0 ? [] : ["angles", "displacements", "heights"]),
    ...(isStopped(recording) ? SLOW : []),
  ];
  const usual = usualQuantities(data)
    .filter((name) => !left.includes(name))
    .flatMap((name) => bodyPlots(name, data, (what) => unitOf(what, file.settings.units)));
  const { plots, notes } = plotsOf(file, recording, [...own, ...usual]);
  return { plots, notes: isStopped(recording) ? [...notes, WITHOUT_REACTIONS] : notes };
}

const WITHOUT_REACTIONS =
  "reactions and drives are not plotted, as the run was stopped: --until ends it earlier";

/** Of a system by equations. */
export function equationRunPlots(file: EquationsFile, recording: Recording<EquationState>): Plots {
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
  recording: Recording<S>,
  wanted: readonly PlotWanted<S>[],
): Plots {
  const { frames, solution } = recording;
  const { units } = file.settings;
  const stride = isStopped(recording) ? Math.max(1, Math.ceil(frames.length / STOPPED)) : 1;
  const maker = new PlotMaker<S>({
    tracks: [{ name: "", states: frames.filter((_, i) => i % stride === 0) }],
    timeUnit: timeUnit(units),
    events: solution.events,
    isSynced: true,
  });
  const plots = wanted.flatMap((one) => maker.plots(one));
  return { plots: [...plots, ...stepPlot(units, recording)], notes: maker.notes };
}

function ownPlots<S extends State>({ plots, columns }: PlottedFile<S>): readonly PlotWanted<S>[] {
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

function stepPlot<S extends State>(units: Units, { steps }: Recording<S>): readonly Plot[] {
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
