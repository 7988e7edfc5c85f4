// Plots that every run has: of a file, of energies, constraints and steps.

import { timeUnit, type Units, unitOf } from "../../files/index.js";
import type { Plot } from "../../report/index.js";
import type { RunState } from "../text/run-state.js";
import type { Recording } from "./record-run.js";

/** Curves in one plot. */
export const CURVES = 8;

export interface Curve<S> {
  readonly name: string;
  readonly read: (state: S) => number;
}

interface Column<S> extends Curve<S> {
  readonly unit: string | undefined;
}

/** Plots and columns that a file asks for. */
export interface PlottedFile<S> {
  readonly settings: { readonly units: Units };
  readonly columns: readonly Column<S>[];
  readonly plots: readonly { readonly title: string; readonly columns: readonly Column<S>[] }[];
}

export class CommonPlots<S extends RunState> {
  readonly #file: PlottedFile<S>;
  readonly #recording: Recording<S>;
  readonly times: readonly number[];

  constructor(file: PlottedFile<S>, recording: Recording<S>) {
    this.#file = file;
    this.#recording = recording;
    this.times = recording.frames.map(({ time }) => time);
  }

  /** Plots of the file; else its columns by unit; else none. */
  ofFile(): Plot[] {
    const { plots, columns } = this.#file;
    if (plots.length > 0) {
      return plots.map(({ title, columns: own }) => this.plot(title, own[0]?.unit, own));
    }
    const units = [...new Set(columns.map(({ unit }) => unit))];
    return units.map((unit) => {
      const own = columns.filter((column) => column.unit === unit).slice(0, CURVES);
      return this.plot(own.map(({ name }) => name).join(", "), unit, own);
    });
  }

  energy(): Plot {
    const { units } = this.#file.settings;
    const read = (part: "kinetic" | "potential" | "total") => ({
      name: part,
      read: (state: S) => state.energy()[part],
    });
    const curves = [read("kinetic"), read("potential"), read("total")];
    return this.plot("Energy", unitOf("energy", units), curves);
  }

  constraints(areThere: boolean): Plot {
    if (!areThere) return this.plot("Constraint error", undefined, []);
    const curves = [
      { name: "positions", read: (state: S) => floor(state.constraintError().position) },
      { name: "velocities", read: (state: S) => floor(state.constraintError().velocity) },
    ];
    return this.plot("Constraint error", undefined, curves, true);
  }

  steps(): Plot {
    const { times, lengths } = this.#recording.steps;
    const time = this.#time();
    return {
      title: "Step size",
      x: time,
      y: { label: "step", unit: time.unit, log: true },
      series: [{ name: "step", x: times, y: lengths }],
      synced: true,
    };
  }

  plot(title: string, unit: string | undefined, curves: readonly Curve<S>[], log = false): Plot {
    const { frames, solution } = this.#recording;
    return {
      title,
      x: this.#time(),
      y: { label: "", ...(unit !== undefined && { unit }), log },
      series: curves.map(({ name, read }) => ({
        name,
        x: this.times,
        y: frames.map(read),
      })),
      marks: solution.events.slice(0, 50).map((event) => ({ x: event.time, label: event.name })),
      synced: true,
    };
  }

  #time() {
    return { label: "t", unit: timeUnit(this.#file.settings.units) };
  }
}

/** Logarithms have no place for zero: rounding is the least there is. */
function floor(value: number): number {
  return Math.max(value, 1e-17);
}
