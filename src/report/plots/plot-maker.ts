// Plots of a run of any system. Their content depends only on the model and the states, never on timing.

import type { State } from "../../interfaces/index.js";
import type { Plot, PlotAxis, Series } from "../blocks.js";

/** Maximum number of curves per plot, and of plots per quantity. */
const MAX_CURVES = 8;
const MAX_PLOTS = 8;
/** Maximum number of values read per quantity; with more parts fewer states are read. */
const MAX_READINGS = 400_000;
const MIN_STATES = 60;

/** A curve of a plot. */
export interface Curve<T extends State> {
  readonly name: string;
  readonly read: (state: T) => number;
}

/** States of one solution, with its name in legends. */
export interface PlottedStates<T extends State> {
  /** Name; empty if there is only one solution. */
  readonly name: string;
  readonly states: readonly T[];
}

export interface PlotSource<T extends State> {
  readonly tracks: readonly PlottedStates<T>[];
  readonly timeUnit: string;
  readonly events: readonly { readonly time: number; readonly name: string }[];
  /** Whether x is the time of an animation. */
  readonly isSynced: boolean;
}

export interface PlotRequest<T extends State> {
  readonly title: string;
  readonly unit?: string | undefined;
  readonly label?: string;
  readonly log?: boolean;
  readonly curves: readonly Curve<T>[];
  /** Horizontal axis instead of time, for a phase plot. */
  readonly x?: (Curve<T> & { readonly unit?: string | undefined }) | undefined;
}

export class PlotMaker<T extends State> {
  /** Notes about omissions. */
  readonly notes: string[] = [];
  readonly #source: PlotSource<T>;

  constructor(source: PlotSource<T>) {
    this.#source = source;
  }

  /** Returns one plot, or several if there are many curves. */
  plots(wanted: PlotRequest<T>): readonly Plot[] {
    const { title, unit, label = "", log = false, x } = wanted;
    const shown = this.#largest(wanted);
    const groups = Array.from({ length: Math.ceil(shown.length / MAX_CURVES) }, (_, i) =>
      shown.slice(MAX_CURVES * i, MAX_CURVES * (i + 1)),
    );
    const y: PlotAxis = { label, ...(unit !== undefined && { unit }), log };
    return groups.map((series, i) => ({
      title: groups.length > 1 ? `${title} (${i + 1} of ${groups.length})` : title,
      x: x
        ? { label: x.name, ...(x.unit !== undefined && { unit: x.unit }) }
        : { label: "t", unit: this.#source.timeUnit },
      y,
      series: series.flat(),
      ...(!x && {
        marks: this.#source.events.slice(0, 50).map(({ time, name }) => ({ x: time, label: name })),
        synced: this.#source.isSynced,
      }),
    }));
  }

  /** Returns all curves; if there are too many, those with the largest values, in order. */
  #largest({ title, curves, x }: PlotRequest<T>): readonly (readonly Series[])[] {
    const all = this.#series(curves, x);
    const most = MAX_CURVES * MAX_PLOTS;
    if (all.length <= most) return all.filter((series) => series.length > 0);
    const peaks = all.map((series) => Math.max(0, ...series.map(({ y }) => peakOf(y))));
    const least = [...peaks].sort((a, b) => b - a)[most - 1]!;
    this.notes.push(`${title}: the ${most} with the largest values of ${all.length} are plotted`);
    return all.filter((_, i) => peaks[i]! >= least).slice(0, most);
  }

  /**
   * Returns the series of each curve, one for each solution; curves without values are dropped. Reads state by state,
   * since all reactions of a state come from one solve, cached while that state is read.
   */
  #series(curves: readonly Curve<T>[], x: Curve<T> | undefined): readonly (readonly Series[])[] {
    const tracks = this.#source.tracks.map(({ name, states }) => {
      const read = thinned(states, curves.length);
      const [places, values] = [new Float64Array(read.length), curves.map(() => newNumbers(read))];
      for (const [k, state] of read.entries()) {
        places[k] = x ? valueIn(x, state) : state.time;
        for (const [i, curve] of curves.entries()) values[i]![k] = valueIn(curve, state);
      }
      return { name, x: [...places], values };
    });
    return curves.map((curve, i) =>
      tracks
        .filter(({ values }) => values[i]!.some(Number.isFinite))
        .map(({ name, x: places, values }) => ({
          name: name === "" ? curve.name : `${curve.name}, ${name}`,
          x: places,
          y: [...values[i]!],
        })),
    );
  }
}

const newNumbers = (states: readonly unknown[]) => new Float64Array(states.length);

/** Returns a value; NaN for parts that the mode lacks. */
function valueIn<T extends State>({ read }: Curve<T>, state: T): number {
  try {
    return read(state);
  } catch {
    return Number.NaN;
  }
}

function peakOf(values: ArrayLike<number>): number {
  let peak = 0;
  for (let i = 0; i < values.length; i++) {
    const size = Math.abs(values[i]!);
    if (size > peak) peak = size;
  }
  return peak;
}

/** Thins states evenly to the number that all curves together may read; keeps the last one. */
function thinned<T>(states: readonly T[], curves: number): readonly T[] {
  const most = Math.max(MIN_STATES, Math.floor(MAX_READINGS / Math.max(1, curves)));
  if (states.length <= most) return states;
  return Array.from(
    { length: most },
    (_, i) => states[Math.round((i * (states.length - 1)) / (most - 1))]!,
  );
}
