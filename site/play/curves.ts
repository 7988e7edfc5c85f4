// What is plotted of a run: quantities of the file and of the visitor, energy, constraint error, steps and their cost.

import type { BodyState } from "nodrift/bodies";
import { type ModelFile, parseStateFormula, unitOf } from "nodrift/files";
import type { Solution } from "nodrift/solve";
import { StepLog } from "../../src/tools/cli/run/step-log.js";
import type { PlotLines } from "./protocol.js";

/** Curves of one plot. */
const CURVES = 8;
/** Logarithms have no place for zero: rounding is the least there is. */
const LEAST = 1e-17;

interface Curve {
  readonly name: string;
  readonly read: (state: BodyState) => number;
}

interface Group {
  readonly title: string;
  readonly unit: string | undefined;
  readonly isLog: boolean;
  readonly curves: readonly Curve[];
  readonly values: number[][];
}

export class Curves {
  readonly refused: { readonly formula: string; readonly message: string }[] = [];
  readonly #file: ModelFile;
  readonly #groups: readonly Group[];
  readonly #steps: StepLog;
  readonly #times: number[] = [];
  readonly #costTimes: number[] = [];
  readonly #costs: number[] = [];

  constructor(file: ModelFile, quantities: readonly string[], start: number) {
    this.#file = file;
    this.#steps = new StepLog(start);
    this.#groups = [...this.#chosen(quantities), ...this.#motion(), ...this.#always()];
  }

  /** A step has ended. */
  step(time: number): void {
    this.#steps.add(time);
  }

  /** Microseconds that steps have taken up to a time. */
  cost(time: number, microseconds: number): void {
    this.#costTimes.push(time);
    this.#costs.push(microseconds);
  }

  /** Reads the states that are new. */
  read(solution: Solution<BodyState>): void {
    // Where a run has failed its last numbers are those that made it fail: no scale has room for them.
    const length = solution.length - (solution.status === "failed" && solution.length > 1 ? 1 : 0);
    for (let i = this.#times.length; i < length; i++) {
      const state = solution.state(i);
      this.#times.push(state.time);
      for (const { curves, values } of this.#groups) {
        for (const [k, { read }] of curves.entries()) values[k]!.push(read(state));
      }
    }
  }

  plots(): readonly PlotLines[] {
    const x = Float64Array.from(this.#times);
    const own = this.#groups.map(({ title, unit, isLog, curves, values }) => ({
      title,
      unit,
      isLog,
      x,
      curves: curves.map(({ name }, k) => ({ name, y: Float64Array.from(values[k]!) })),
    }));
    const { times, lengths } = this.#steps;
    return [
      ...own,
      single("Step size", "s", times, lengths),
      single("Cost per step", "µs", this.#costTimes, this.#costs),
    ];
  }

  #chosen(quantities: readonly string[]): readonly Group[] {
    const { units } = this.#file.settings;
    return quantities.flatMap((formula) => {
      try {
        const { read, dimension } = parseStateFormula(formula, this.#file.model.data());
        const unit = dimension && unitOf(dimension, units);
        return [group(formula, unit, [{ name: formula, read }])];
      } catch (error) {
        this.refused.push({ formula, message: (error as Error).message });
        return [];
      }
    });
  }

  /** Plots of the file, else its columns by unit, else angles or displacements of joints, or heights. */
  #motion(): readonly Group[] {
    const { plots, columns, settings } = this.#file;
    if (plots.length > 0) {
      return plots.map(({ title, columns: own }) => group(title, own[0]?.unit, own));
    }
    if (columns.length > 0) {
      return [...new Set(columns.map(({ unit }) => unit))].map((unit) => {
        const own = columns.filter((column) => column.unit === unit).slice(0, CURVES);
        return group(own.map(({ name }) => name).join(", "), unit, own);
      });
    }
    const { joints, bodies } = this.#file.model.data();
    const sensed = (["angle", "displacement"] as const).flatMap((what) => {
      const names = joints
        .filter(({ sensors }) => Object.hasOwn(sensors, what))
        .map(({ name }) => name);
      return names.length === 0 ? [] : [{ what, names }];
    });
    const [{ what, names }] =
      sensed.length > 0 ? [sensed[0]!] : [{ what: "z", names: bodies.map(({ name }) => name) }];
    const readings = names.slice(0, CURVES).map((name) => ({
      name,
      ...parseStateFormula(`${what}('${name.replaceAll("'", "''")}')`, this.#file.model.data()),
    }));
    const { dimension } = readings[0] ?? {};
    const unit = dimension && unitOf(dimension, settings.units);
    return [group(what === "angle" ? "Angles of joints" : what, unit, readings)];
  }

  #always(): readonly Group[] {
    const { settings, model } = this.#file;
    const energy = (part: "kinetic" | "potential" | "total"): Curve => ({
      name: part,
      read: (state) => state.energy()[part],
    });
    const error = (level: "position" | "velocity"): Curve => ({
      name: level === "position" ? "positions" : "velocities",
      read: (state) => Math.max(LEAST, state.constraintError()[level]),
    });
    const constraints = group("Constraint error", undefined, [
      error("position"),
      error("velocity"),
    ]);
    return [
      group("Energy", unitOf("energy", settings.units), [
        energy("kinetic"),
        energy("potential"),
        energy("total"),
      ]),
      ...(model.data().joints.length > 0 ? [{ ...constraints, isLog: true }] : []),
    ];
  }
}

function group(title: string, unit: string | undefined, curves: readonly Curve[]): Group {
  return { title, unit, isLog: false, curves, values: curves.map(() => []) };
}

function single(
  title: string,
  unit: string,
  x: readonly number[],
  y: readonly number[],
): PlotLines {
  const curves = [{ name: title.toLowerCase(), y: Float64Array.from(y) }];
  return { title, unit, isLog: true, x: Float64Array.from(x), curves };
}
