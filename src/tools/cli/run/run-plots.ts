// Which plots a report has: those of the file, or the ones an engineer would want first.

import type { BodyState, ModelData } from "../../../bodies.js";
import { type ModelFile, parseStateFormula, unitOf } from "../../files/index.js";
import type { Plot } from "../../report/index.js";
import { CommonPlots, CURVES } from "./common-plots.js";
import type { Recording } from "./record-run.js";

/** Seconds that reading reactions may take; less for a stopped run, whose user is waiting. */
const PATIENCE = 8;
const HURRY = 0.1;

interface Plots {
  readonly plots: readonly Plot[];
  /** What was left out. */
  readonly notes: readonly string[];
}

export function runPlots(file: ModelFile, recording: Recording<BodyState>): Plots {
  return new PlotMaker(file, recording).plots();
}

class PlotMaker {
  readonly #file: ModelFile;
  readonly #recording: Recording<BodyState>;
  readonly #data: ModelData;
  readonly #common: CommonPlots<BodyState>;
  readonly #notes: string[] = [];

  constructor(file: ModelFile, recording: Recording<BodyState>) {
    this.#file = file;
    this.#recording = recording;
    this.#data = file.model.data();
    this.#common = new CommonPlots(file, recording);
  }

  plots(): Plots {
    const plots = [
      ...this.#motion(),
      ...this.#reactions(),
      this.#common.energy(),
      this.#common.constraints(this.#data.joints.length > 0),
      this.#common.steps(),
    ].filter((plot) => plot.series.length > 0);
    return { plots, notes: this.#notes };
  }

  /** Plots of the file; else its columns by unit; else what joints measure, or where bodies are. */
  #motion(): Plot[] {
    const asked = this.#common.ofFile();
    if (asked.length > 0) return asked;
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
    const expected = ((performance.now() - began) / 1000) * this.#common.times.length;
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
    return this.#common.plot(title, unit, readings);
  }

  /** In quotes a name may be anything: its own quotes are doubled. */
  #reading(what: string, name: string) {
    return parseStateFormula(`${what}('${name.replaceAll("'", "''")}')`, this.#data);
  }
}
