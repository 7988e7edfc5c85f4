// Plots of a run, of any kind of system. What they hold follows from the model and the numbers of states alone: never from
// how long something took.

import type { State } from "../../../seam/index.js";
import type { Plot, PlotAxis, Series } from "../blocks.js";

/** Curves in one plot, and plots for one quantity. */
const CURVES = 8;
const PLOTS = 8;
/** Numbers that are read for one quantity: of more parts fewer states are read. */
const READINGS = 400_000;
const FEWEST = 60;

/** One line of a plot. */
export interface Curve<T extends State> {
  readonly name: string;
  readonly read: (state: T) => number;
}

/** States of one solution, with the name they have in legends. */
export interface Track<T extends State> {
  /** Empty if there is only one. */
  readonly name: string;
  readonly states: readonly T[];
}

export interface PlotSource<T extends State> {
  readonly tracks: readonly Track<T>[];
  readonly timeUnit: string;
  readonly events: readonly { readonly time: number; readonly name: string }[];
  /** Whether x is the time of an animation. */
  readonly isSynced: boolean;
}

export interface PlotWanted<T extends State> {
  readonly title: string;
  readonly unit?: string | undefined;
  readonly label?: string;
  readonly log?: boolean;
  readonly curves: readonly Curve<T>[];
  /** In place of time: a phase plot. */
  readonly x?: (Curve<T> & { readonly unit?: string | undefined }) | undefined;
}

export class PlotMaker<T extends State> {
  /** What was left out, in sentences. */
  readonly notes: string[] = [];
  readonly #source: PlotSource<T>;

  constructor(source: PlotSource<T>) {
    this.#source = source;
  }

  /** One plot, or several where there are many curves. */
  plots(wanted: PlotWanted<T>): readonly Plot[] {
    const { title, unit, label = "", log = false, x } = wanted;
    const shown = this.#largest(wanted);
    const groups = Array.from({ length: Math.ceil(shown.length / CURVES) }, (_, i) =>
      shown.slice(CURVES * i, CURVES * (i + 1)),
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

  /** All curves; of very many those with the largest numbers, in their order. */
  #largest({ title, curves, x }: PlotWanted<T>): readonly (readonly Series[])[] {
    const all = this.#series(curves, x);
    const most = CURVES * PLOTS;
    if (all.length <= most) return all.filter((series) => series.length > 0);
    const peaks = all.map((series) => Math.max(0, ...series.map(({ y }) => peakOf(y))));
    const least = [...peaks].sort((a, b) => b - a)[most - 1]!;
    this.notes.push(`${title}: the ${most} with the largest numbers of ${all.length} are plotted`);
    return all.filter((_, i) => peaks[i]! >= least).slice(0, most);
  }

  /**
   * The curves of each solution, for each curve. One that has no number anywhere is none. State by state: all reactions of a
   * state come from one solve, which is kept as long as that state is read.
   */
  #series(curves: readonly Curve<T>[], x: Curve<T> | undefined): readonly (readonly Series[])[] {
    const tracks = this.#source.tracks.map(({ name, states }) => {
      const read = thinned(states, curves.length);
      const [places, values] = [new Float64Array(read.length), curves.map(() => newNumbers(read))];
      for (const [k, state] of read.entries()) {
        places[k] = x ? numberIn(x, state) : state.time;
        for (const [i, curve] of curves.entries()) values[i]![k] = numberIn(curve, state);
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

/** Of parts that a mode lacks there is no number. */
function numberIn<T extends State>({ read }: Curve<T>, state: T): number {
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

/** As many states as all curves together may read, evenly, the last among them. */
function thinned<T>(states: readonly T[], curves: number): readonly T[] {
  const most = Math.max(FEWEST, Math.floor(READINGS / Math.max(1, curves)));
  if (states.length <= most) return states;
  return Array.from(
    { length: most },
    (_, i) => states[Math.round((i * (states.length - 1)) / (most - 1))]!,
  );
}
