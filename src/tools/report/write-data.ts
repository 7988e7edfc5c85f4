// Scenes and plots as the data of a page, within the room there is for them.

import type { Vector } from "../../describe/model/model-data.js";
import type { Plot, Series } from "./blocks.js";
import { encodeFrames, encodeNumbers } from "./encode.js";
import type { PlotData, SceneData, SeriesData } from "./page-data.js";
import { isOrdered, reduce } from "./reduce.js";
import type { Absence, Frames, Item, Scene } from "./scene-data.js";

/** Bytes for what does not move in all animations of a page, and for what does. */
const STILL = 200_000;
const MOVING = 450_000;
/** Bytes for all plots. */
const PLOTS = 300_000;
/** Points of a series, and bytes each of them takes: two numbers of four bytes in base64. */
const POINTS = 1500;
const PER_POINT = 11;
/** Names are cut here, and lists of events. */
const NAME = 80;
const EVENTS = 300;

/** Data, and what the page says was left out. */
export interface Written<Data> {
  readonly data: Data;
  readonly notes: readonly string[];
}

/** JSON with seven digits, which are more than a screen shows; and nothing that could end a script. */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value, (_, entry) =>
    typeof entry === "number" ? Number(entry.toPrecision(7)) : entry,
  );
  return text
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}

/** Bytes of a text. */
export function sizeOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** One of `count` animations; `room` is what a page has left for all of them. */
export function writeScene(scene: Scene, count: number, room: number): Written<SceneData> {
  const { frames, items, ...rest } = scene;
  const drawn = fitting(named(items, frames.absences ?? []), STILL / count);
  const events = (frames.events ?? []).slice(0, EVENTS);
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
  const encoded = encodeFrames(shown, bodies, size, Math.min(MOVING / count, left));
  const { absences: _, ...parts } = still;
  return {
    data: { ...parts, frames: encoded },
    notes: notesOf(scene, encoded.count, drawn.length),
  };
}

/** What was left out. */
function notesOf({ frames, items }: Scene, count: number, drawn: number): string[] {
  const total = frames.total ?? frames.times.length;
  return [
    ...(count < total
      ? [`The animation shows ${grouped(count)} of ${grouped(total)} states.`]
      : []),
    ...(drawn < items.length
      ? [`Of ${grouped(items.length)} parts ${grouped(drawn)} are drawn.`]
      : []),
    ...((frames.events?.length ?? 0) > EVENTS
      ? [`Only the first ${EVENTS} events are marked.`]
      : []),
  ];
}

/** Whom an item stands for is of use to a page only where that is absent at times. */
function named(items: readonly Item[], absences: readonly Absence[]): readonly Item[] {
  const absent = new Set(absences.map(({ name }) => name));
  return items.map((item) => {
    const { of, ...drawing } = item;
    return of !== undefined && absent.has(of) ? item : drawing;
  });
}

/** Numbers instead of the names of what is absent at times: they may be long. */
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

/** The first items, as many as there is room for. */
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

/** `scene`: that whose time a synced plot has. `count`: how many series there are in all plots. */
export function writePlot(plot: Plot, scene: number, count: number): Written<PlotData> {
  const most = Math.max(8, Math.min(POINTS, Math.floor(PLOTS / PER_POINT / count)));
  const { title, x, y, marks = [] } = plot;
  const series = plot.series.map((each) => writeSeries(each, plot, most));
  const points = plot.series.map((each) => Math.min(each.x.length, each.y.length));
  const isReduced = points.some((length) => length > most);
  const data: PlotData = {
    title,
    x,
    y,
    series,
    marks: marks.slice(0, EVENTS).map((mark) => ({ x: mark.x, label: cut(mark.label) })),
    scene: plot.synced ? scene : -1,
  };
  const notes = isReduced
    ? [
        `Plots show up to ${grouped(most)} points of a line, its least and largest values among them.`,
      ]
    : [];
  return { data, notes };
}

function writeSeries(
  { name, x, y, points, isAside }: Series,
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
    aside: isAside ?? false,
    ordered,
    x: encodeNumbers(part(xs), plot.x.log ?? false),
    y: encodeNumbers(part(ys), plot.y.log ?? false),
  };
}

function cut(text: string): string {
  return text.length > NAME ? `${text.slice(0, NAME - 1)}…` : text;
}

/** A count with thin spaces between thousands. */
export function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, "\u202f");
}
