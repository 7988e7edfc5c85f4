// Which plots a report of a model file has: those of the file, or the ones an engineer would want first.

import type { BodyState } from "../../../bodies.js";
import { type ModelFile, timeUnit, unitOf } from "../../files/index.js";
import {
  bodyPlots,
  type Plot,
  PlotMaker,
  type PlotWanted,
  usualQuantities,
} from "../../report/index.js";
import type { Recording } from "./record-run.js";

/** States of a run that was stopped, whose user is waiting: as many for all, however fast the machine is. */
const STOPPED = 60;

interface Plots {
  readonly plots: readonly Plot[];
  /** What was left out. */
  readonly notes: readonly string[];
}

export function runPlots(file: ModelFile, recording: Recording): Plots {
  const { frames, solution } = recording;
  const { units } = file.settings;
  const isStopped = solution.status === "aborted";
  const stride = isStopped ? Math.max(1, Math.ceil(frames.length / STOPPED)) : 1;
  const maker = new PlotMaker<BodyState>({
    tracks: [{ name: "", states: frames.filter((_, i) => i % stride === 0) }],
    timeUnit: timeUnit(units),
    events: solution.events,
    isSynced: true,
  });
  const plots = wantedOf(file).flatMap((wanted) => maker.plots(wanted));
  return { plots: [...plots, ...stepPlot(file, recording)], notes: maker.notes };
}

/** Plots of the file, or its columns by unit, take the place of what joints measure. */
function wantedOf(file: ModelFile): readonly PlotWanted<BodyState>[] {
  const data = file.model.data();
  const own = ownPlots(file);
  const motions = ["angles", "displacements", "heights"];
  return [
    ...own,
    ...usualQuantities(data)
      .filter((name) => own.length === 0 || !motions.includes(name))
      .flatMap((name) => bodyPlots(name, data, (what) => unitOf(what, file.settings.units))),
  ];
}

function ownPlots({ plots, columns }: ModelFile): readonly PlotWanted<BodyState>[] {
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

function stepPlot(file: ModelFile, { steps }: Recording): readonly Plot[] {
  if (steps.times.length === 0) return [];
  const unit = timeUnit(file.settings.units);
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
