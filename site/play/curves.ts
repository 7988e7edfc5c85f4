// Plotted curves of a run: quantities of the file and the user, energy, constraint error, step size and cost.

import type { Plot } from "nodrift/draw";
import { timeUnit, unitOf } from "nodrift/files";
import type { Solution } from "nodrift/solve";
import { CURVES, type Curve, type PlayState, type Subject } from "./subject.js";

/** Lower bound of values on logarithmic axes, which cannot show zero. */
const MIN_LOG_VALUE = 1e-17;

interface Group {
  readonly title: string;
  readonly unit: string | undefined;
  readonly isLog: boolean;
  readonly curves: readonly Curve[];
  readonly values: number[][];
}

export class Curves {
  readonly refused: { readonly formula: string; readonly message: string }[] = [];
  readonly #subject: Subject;
  readonly #groups: readonly Group[];
  readonly #steps = new Series();
  readonly #costs = new Series();
  readonly #times: number[] = [];
  #last: number;

  constructor(subject: Subject, quantities: readonly string[], start: number) {
    this.#subject = subject;
    this.#last = start;
    this.#groups = [...this.#chosen(quantities), ...this.#motion(), ...this.#always()];
  }

  /** Records the end of a step. */
  step(time: number): void {
    const length = Math.abs(time - this.#last);
    this.#last = time;
    if (length > 0) this.#steps.add(time, length);
  }

  /** Records the cost of steps up to a time, in microseconds per step. */
  cost(time: number, microseconds: number): void {
    this.#costs.add(time, microseconds);
  }

  /** Reads the new states. */
  read(solution: Solution<PlayState>): void {
    // The last state of a failed run may contain huge values that would distort the scale.
    const length = solution.length - (solution.status === "failed" && solution.length > 1 ? 1 : 0);
    for (let i = this.#times.length; i < length; i++) {
      const state = solution.state(i);
      this.#times.push(state.time);
      for (const { curves, values } of this.#groups) {
        for (const [k, { read }] of curves.entries()) values[k]!.push(read(state));
      }
    }
  }

  plots(): readonly Plot[] {
    const x = Float64Array.from(this.#times);
    const time = { label: "t", unit: timeUnit(this.#subject.file.settings.units) };
    const axis = (unit: string | undefined, log: boolean) => ({
      label: "",
      ...(unit !== undefined && { unit }),
      log,
    });
    const own = this.#groups.map(({ title, unit, isLog, curves, values }) => ({
      title,
      x: time,
      y: axis(unit, isLog),
      series: curves.map(({ name }, k) => ({ name, x, y: Float64Array.from(values[k]!) })),
    }));
    const single = (title: string, unit: string, { x, y }: Series) => ({
      title,
      x: time,
      y: axis(unit, true),
      series: [{ name: title.toLowerCase(), x: Float64Array.from(x), y: Float64Array.from(y) }],
    });
    return [
      ...own,
      single("Step size", time.unit, this.#steps),
      single("Cost per step", "µs", this.#costs),
    ];
  }

  #chosen(quantities: readonly string[]): readonly Group[] {
    return quantities.flatMap((formula) => {
      try {
        const curve = this.#subject.formula(formula);
        return [group(formula, curve.unit, [curve])];
      } catch (error) {
        this.refused.push({ formula, message: (error as Error).message });
        return [];
      }
    });
  }

  /** Returns the plots of the file, else its columns by unit, else the default plot. */
  #motion(): readonly Group[] {
    const { plots, columns } = this.#subject.file;
    const named = plots.length > 0 || columns.length === 0;
    if (named) {
      const shown = plots.length > 0 ? plots : [this.#subject.usual()];
      return shown.map(({ title, columns: own }) => group(title, own[0]?.unit, own));
    }
    return [...new Set(columns.map(({ unit }) => unit))].map((unit) => {
      const own = columns.filter((column) => column.unit === unit).slice(0, CURVES);
      return group(own.map(({ name }) => name).join(", "), unit, own);
    });
  }

  #always(): readonly Group[] {
    const { file, hasConstraints } = this.#subject;
    const energy = (part: "kinetic" | "potential" | "total"): Curve => ({
      name: part,
      read: (state) => state.energy()[part],
    });
    const error = (level: "position" | "velocity"): Curve => ({
      name: level === "position" ? "positions" : "velocities",
      read: (state) => Math.max(MIN_LOG_VALUE, state.constraintError()[level]),
    });
    const constraints = group("Constraint error", undefined, [
      error("position"),
      error("velocity"),
    ]);
    return [
      group("Energy", unitOf("energy", file.settings.units), [
        energy("kinetic"),
        energy("potential"),
        energy("total"),
      ]),
      ...(hasConstraints ? [{ ...constraints, isLog: true }] : []),
    ];
  }
}

function group(title: string, unit: string | undefined, curves: readonly Curve[]): Group {
  return { title, unit, isLog: false, curves, values: curves.map(() => []) };
}

/** Maximum number of points of a series; beyond it every second one is dropped. */
const MAX_POINTS = 20_000;

/** A curve that grows by a point per step, thinned evenly if it gets long. */
class Series {
  x: number[] = [];
  y: number[] = [];
  #every = 1;
  #count = 0;

  add(x: number, y: number): void {
    if (this.#count++ % this.#every !== 0) return;
    this.x.push(x);
    this.y.push(y);
    if (this.x.length <= MAX_POINTS) return;
    this.#every *= 2;
    this.x = this.x.filter((_, i) => i % 2 === 0);
    this.y = this.y.filter((_, i) => i % 2 === 0);
  }
}
