// Data of scenes and plots in a page, within its byte budget.

import {
  type Absence,
  type Frames,
  type Item,
  isOrdered,
  type Plot,
  type Scene,
  type Series,
} from "../draw/scene-data.js";
import type { Vector } from "../model/model-data.js";
import type { PlotData, SceneData, SeriesData } from "./encode.js";
import { encodeFrames, encodeNumbers } from "./encode.js";

// Data reduction without visible change.

/** Returns the indices of the points that are kept, in order. */
export function reduce(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  most: number,
  ordered: boolean,
): number[] {
  const count = Math.min(x.length, y.length);
  if (count <= most) return Array.from({ length: count }, (_, i) => i);
  // Minimum and maximum of y, and a gap; unless x is ordered, minimum and maximum of x too.
  const perPart = 2 + (hasGaps(y, count) ? 1 : 0) + (ordered ? 0 : 2);
  const parts = Math.max(1, Math.floor((most - 2) / perPart));
  const chosen = new Set([0, count - 1]);
  for (let part = 0; part < parts; part++) {
    const from = Math.floor((part * count) / parts);
    const to = Math.floor(((part + 1) * count) / parts);
    extremes(y, from, to, chosen);
    if (!ordered) extremes(x, from, to, chosen);
  }
  return [...chosen].sort((a, b) => a - b);
}

function hasGaps(y: ArrayLike<number>, count: number): boolean {
  for (let i = 0; i < count; i++) if (!Number.isFinite(y[i])) return true;
  return false;
}

function extremes(values: ArrayLike<number>, from: number, to: number, chosen: Set<number>): void {
  let [low, high, gap] = [-1, -1, -1];
  for (let i = from; i < to; i++) {
    const value = values[i]!;
    if (!Number.isFinite(value)) {
      gap = i;
      continue;
    }
    if (low < 0 || value < values[low]!) low = i;
    if (high < 0 || value > values[high]!) high = i;
  }
  for (const i of [low, high, gap]) if (i >= 0) chosen.add(i);
}

/** Bytes for the static parts and for the motion of all animations of a page. */
const STATIC_BYTES = 200_000;
const MOTION_BYTES = 450_000;
/** Bytes for all plots of a page. */
const PLOT_BYTES = 300_000;
/** Maximum points of a series, and bytes per point: two numbers of four bytes in base64. */
const MAX_POINTS = 1500;
const BYTES_PER_POINT = 11;
/** Maximum length of names, and maximum number of events. */
const MAX_NAME_LENGTH = 80;
const MAX_EVENTS = 300;

/** Data, and notes about omissions. */
export interface Written<Data> {
  readonly data: Data;
  readonly notes: readonly string[];
}

/** Returns JSON with seven digits, more than a screen shows, escaped so that it cannot end a script element. */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value, (_, entry) =>
    typeof entry === "number" ? Number(entry.toPrecision(7)) : entry,
  );
  return text
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}

/** Returns the size of a text in bytes. */
export function sizeOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Writes one of `count` animations; `room` is the byte budget left for all of them. */
export function writeScene(scene: Scene, count: number, room: number): Written<SceneData> {
  const { frames, items, ...rest } = scene;
  const drawn = fitting(named(items, frames.absences ?? []), STATIC_BYTES / count);
  const events = (frames.events ?? []).slice(0, MAX_EVENTS);
  const still = {
    ...rest,
    name: cut(rest.name),
    bodies: rest.bodies.map(({ name, centre }) => ({ name: cut(name), centre })),
    ...renamed(drawn, frames.absences ?? []),
  };
  const shown: Frames = {
    ...frames,
    absences: still.absences,
    events: events.map(({ time, name }) => ({ time, name: cut(name) })),
    lengthUnit: cut(frames.lengthUnit),
    timeUnit: cut(frames.timeUnit),
  };
  const bodies = frames.positions.length / 3 / frames.times.length;
  const left = room / count - sizeOf(toJson([still, shown.events]));
  const size = spanOf(scene.view.extremes);
  const encoded = encodeFrames(shown, bodies, size, Math.min(MOTION_BYTES / count, left));
  const { absences: _, ...parts } = still;
  return {
    data: { ...parts, frames: encoded },
    notes: notesOf(scene, encoded.count, drawn.length),
  };
}

/** Returns notes about omissions. */
function notesOf({ frames, items }: Scene, count: number, drawn: number): string[] {
  const total = frames.total ?? frames.times.length;
  return [
    ...(count < total
      ? [`The animation shows ${grouped(count)} of ${grouped(total)} states.`]
      : []),
    ...(drawn < items.length
      ? [`Of ${grouped(items.length)} parts ${grouped(drawn)} are drawn.`]
      : []),
    ...((frames.events?.length ?? 0) > MAX_EVENTS
      ? [`Only the first ${MAX_EVENTS} events are marked.`]
      : []),
  ];
}

/** Keeps the part names of items only if the part is absent at times. */
function named(items: readonly Item[], absences: readonly Absence[]): readonly Item[] {
  const absent = new Set(absences.map(({ name }) => name));
  return items.map((item) => {
    const { of, ...drawing } = item;
    return of !== undefined && absent.has(of) ? item : drawing;
  });
}

/** Replaces names of absent parts by indices, since names may be long. */
function renamed(items: readonly Item[], absences: readonly Absence[]) {
  const numbers = new Map(
    [...new Set(absences.map(({ name }) => name))].map((name, i) => [name, i]),
  );
  const short = (name: string) => String(numbers.get(name));
  return {
    items: items.map((item) => (item.of === undefined ? item : { ...item, of: short(item.of) })),
    absences: absences.map((absence) => ({ ...absence, name: short(absence.name) })),
  };
}

/** Returns as many of the first items as fit. */
function fitting(items: readonly Item[], room: number): readonly Item[] {
  let left = room;
  const over = items.findIndex((item) => {
    left -= toJson(item).length + 1;
    return left < 0;
  });
  return over < 0 ? items : items.slice(0, over);
}

function spanOf(points: readonly Vector[]): number {
  const ranges = [0, 1, 2].map((i) => {
    const all = points.map((point) => point[i]!);
    return Math.max(...all) - Math.min(...all);
  });
  return Math.max(...ranges);
}

/** Writes a plot. `scene`: scene of a synced plot. `count`: number of series in all plots. */
export function writePlot(plot: Plot, scene: number, count: number): Written<PlotData> {
  const most = Math.max(8, Math.min(MAX_POINTS, Math.floor(PLOT_BYTES / BYTES_PER_POINT / count)));
  const { title, x, y, marks = [] } = plot;
  const series = plot.series.map((each) => writeSeries(each, plot, most));
  const points = plot.series.map((each) => Math.min(each.x.length, each.y.length));
  const isReduced = points.some((length) => length > most);
  const data: PlotData = {
    title,
    x,
    y,
    series,
    marks: marks.slice(0, MAX_EVENTS).map((mark) => ({ x: mark.x, label: cut(mark.label) })),
    scene: plot.synced ? scene : -1,
  };
  const notes = isReduced
    ? [`Plots show up to ${grouped(most)} points per curve, including its minima and maxima.`]
    : [];
  return { data, notes };
}

function writeSeries(
  { name, x, y, points, isReference }: Series,
  plot: Plot,
  most: number,
): SeriesData {
  const isPlace = (value: number) => Number.isFinite(value) && (!plot.x.log || value > 0);
  const places = Array.from({ length: Math.min(x.length, y.length) }, (_, i) => i).filter((i) =>
    isPlace(x[i]!),
  );
  const [xs, ys] = [places.map((i) => x[i]!), places.map((i) => y[i]!)];
  const ordered = isOrdered(xs);
  const chosen = reduce(xs, ys, most, ordered);
  const part = (all: readonly number[]) => chosen.map((i) => all[i]!);
  return {
    name: cut(name),
    points: points ?? false,
    isReference: isReference ?? false,
    x: encodeNumbers(part(xs), plot.x.log ?? false),
    y: encodeNumbers(part(ys), plot.y.log ?? false),
  };
}

function cut(text: string): string {
  return text.length > MAX_NAME_LENGTH ? `${text.slice(0, MAX_NAME_LENGTH - 1)}…` : text;
}

/** Formats a count with thin spaces between thousands. */
export function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, "\u202f");
}
