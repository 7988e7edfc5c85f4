// Which plots a report has: those of the file, or the ones an engineer would want first.

import type { BodyState, ModelData } from "../../../bodies.js";
import {
  type BodyStateFunction,
  type ModelFile,
  parseStateFormula,
  timeUnit,
  unitOf,
} from "../../files/index.js";
import type { Plot } from "../../report/index.js";
import type { Recording } from "./record-run.js";

/** Curves in one plot, and seconds that reading reactions may take; less for a stopped run, whose user is waiting. */
const CURVES = 8;
const PATIENCE = 8;
const HURRY = 0.1;

interface Curve {
  readonly name: string;
  readonly read: BodyStateFunction;
}

interface Plots {
  readonly plots: readonly Plot[];
  /** What was left out. */
  readonly notes: readonly string[];
}

export function runPlots(file: ModelFile, recording: Recording): Plots {
  return new PlotMaker(file, recording).plots();
}

class PlotMaker {
  readonly #file: ModelFile;
  readonly #recording: Recording;
  readonly #data: ModelData;
  readonly #times: readonly number[];
  readonly #notes: string[] = [];

  constructor(file: ModelFile, recording: Recording) {
    this.#file = file;
    this.#recording = recording;
    this.#data = file.model.data();
    this.#times = recording.frames.map(({ time }) => time);
  }

  plots(): Plots {
    const plots = [
      ...this.#motion(),
      ...this.#reactions(),
      this.#energy(),
      this.#constraints(),
      this.#steps(),
    ].filter((plot) => plot.series.length > 0);
    return { plots, notes: this.#notes };
  }

  /** Plots of the file; else its columns by unit; else what joints measure, or where bodies are. */
  #motion(): Plot[] {
    const { plots, columns } = this.#file;
    if (plots.length > 0) {
      return plots.map(({ title, columns: own }) => this.#plot(title, own[0]?.unit, own));
    }
    if (columns.length > 0) {
      const units = [...new Set(columns.map(({ unit }) => unit))];
      return units.map((unit) => {
        const own = columns.filter((column) => column.unit === unit).slice(0, CURVES);
        return this.#plot(own.map(({ name }) => name).join(", "), unit, own);
      });
    }
    const measured = [this.#sensed("angle"), this.#sensed("displacement")].filter(
      ({ series }) => series.length > 0,
    );
    return measured.length > 0 ? measured : [this.#heights()];
  }

  #sensed(what: "angle" | "displacement"): Plot {
    const names = this.#data.joints
      .filter(({ sensors }) => Object.hasOwn(sensors, what))
      .map(({ name }) => name);
    const title = what === "angle" ? "Angles of joints" : "Displacements of joints";
    return this.#quantity(title, what, names);
  }

  /** Along the axis that gravity has, or z. */
  #heights(): Plot {
    const { gravity, bodies } = this.#data;
    const sizes = gravity.map(Math.abs);
    const largest = Math.max(...sizes);
    const axis = (["x", "y", "z"] as const)[largest === 0 ? 2 : sizes.indexOf(largest)]!;
    const names = bodies.map(({ name }) => name);
    return this.#quantity(`${axis} of bodies`, axis, names);
  }

  /** Of joints, unless reading them takes too long. */
  #reactions(): Plot[] {
    const joints = this.#data.joints.filter(({ markers }) => markers).map(({ name }) => name);
    const first = this.#recording.frames[0];
    if (joints.length === 0 || !first) return [];
    const began = performance.now();
    for (const name of joints.slice(0, CURVES)) this.#reading("force", name).read(first);
    const expected = ((performance.now() - began) / 1000) * this.#times.length;
    const isStopped = this.#recording.solution.status === "aborted";
    if (expected > (isStopped ? HURRY : PATIENCE)) {
      this.#notes.push("reactions are not plotted: reading them would take too long");
      return [];
    }
    return [this.#quantity("Reaction forces", "force", joints)];
  }

  /** One quantity of several bodies or joints. */
  #quantity(title: string, what: string, names: readonly string[]): Plot {
    const shown = names.slice(0, CURVES);
    if (shown.length < names.length) {
      this.#notes.push(`${title}: the first ${CURVES} of ${names.length} are plotted`);
    }
    const readings = shown.map((name) => ({ name, ...this.#reading(what, name) }));
    const dimension = readings[0]?.dimension;
    const unit = dimension && unitOf(dimension, this.#file.settings.units);
    return this.#plot(title, unit, readings);
  }

  /** In quotes a name may be anything: its own quotes are doubled. */
  #reading(what: string, name: string) {
    return parseStateFormula(`${what}('${name.replaceAll("'", "''")}')`, this.#data);
  }

  #energy(): Plot {
    const { units } = this.#file.settings;
    const read = (part: "kinetic" | "potential" | "total") => ({
      name: part,
      read: (state: BodyState) => state.energy()[part],
    });
    const curves = [read("kinetic"), read("potential"), read("total")];
    return this.#plot("Energy", unitOf("energy", units), curves);
  }

  #constraints(): Plot {
    if (this.#data.joints.length === 0) return this.#plot("Constraint error", undefined, []);
    const curves = [
      { name: "positions", read: (state: BodyState) => floor(state.constraintError().position) },
      { name: "velocities", read: (state: BodyState) => floor(state.constraintError().velocity) },
    ];
    return this.#plot("Constraint error", undefined, curves, true);
  }

  #steps(): Plot {
    const { times, lengths } = this.#recording.steps;
    const { time } = this.#axes();
    return {
      title: "Step size",
      x: time,
      y: { label: "step", unit: time.unit, log: true },
      series: [{ name: "step", x: times, y: lengths }],
      synced: true,
    };
  }

  #plot(title: string, unit: string | undefined, curves: readonly Curve[], log = false): Plot {
    const { frames, solution } = this.#recording;
    const { time } = this.#axes();
    return {
      title,
      x: time,
      y: { label: "", ...(unit !== undefined && { unit }), log },
      series: curves.map(({ name, read }) => ({
        name,
        x: this.#times,
        y: frames.map(read),
      })),
      marks: solution.events.slice(0, 50).map((event) => ({ x: event.time, label: event.name })),
      synced: true,
    };
  }

  #axes() {
    return { time: { label: "t", unit: timeUnit(this.#file.settings.units) } };
  }
}

/** Logarithms have no place for zero: rounding is the least there is. */
function floor(value: number): number {
  return Math.max(value, 1e-17);
}
