// Small plots as SVG, which need no script. Colours are those of the page's style; texts are escaped by who gives them.

import { escaped } from "../../report/index.js";

/** A scale from numbers to a length, with round numbers for its labels. */
export class Scale {
  readonly ticks: readonly number[];

  constructor(
    readonly from: number,
    readonly to: number,
    readonly start: number,
    readonly end: number,
    count = 4,
  ) {
    this.ticks = ticksOf(from, to, count);
  }

  at(value: number): number {
    const part = this.to === this.from ? 0.5 : (value - this.from) / (this.to - this.from);
    return Math.round(10 * (this.start + part * (this.end - this.start))) / 10;
  }
}

/** Multiples of 1, 2 or 5 times a power of ten. */
function ticksOf(from: number, to: number, count: number): number[] {
  const span = to - from;
  if (!(span > 0) || !Number.isFinite(span)) return [from];
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= rough) ?? rough;
  const ticks: number[] = [];
  for (let k = Math.ceil(from / step - 1e-9); k * step <= to + 1e-9 * span; k++)
    ticks.push(k * step);
  return ticks;
}

/** Few digits, as many as tell the ends of a scale apart. */
export function label(value: number, span = Math.abs(value)): string {
  if (value === 0 || Math.abs(value) < 1e-12 * span) return "0";
  const size = Math.max(Math.abs(value), span);
  if (size >= 1e5 || size < 1e-3)
    return value.toExponential(1).replace("e+", "e").replace(".0e", "e");
  const digits = Math.max(0, Math.min(6, 2 - Math.floor(Math.log10(span || size))));
  return String(Number(value.toFixed(digits)));
}

/** Numbers that are plotted along an axis. */
export function extentOf(values: readonly number[]): readonly [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (!(low <= high)) return [0, 1];
  if (low === high) return [low - 0.5 * (Math.abs(low) || 1), high + 0.5 * (Math.abs(high) || 1)];
  return [low, high];
}

export const WIDTH = 320;
export const HEIGHT = 190;
const [LEFT, RIGHT, TOP, BOTTOM] = [46, 10, 8, 26];

/** A plot with axes. What is in it is made by the scales. */
export function plot(
  x: readonly [number, number],
  y: readonly [number, number],
  about: string,
  draw: (x: Scale, y: Scale) => string,
): string {
  const across = new Scale(x[0], x[1], LEFT, WIDTH - RIGHT, 6);
  const up = new Scale(y[0], y[1], HEIGHT - BOTTOM, TOP, 5);
  const lines = up.ticks.map((tick) => {
    const at = up.at(tick);
    return `<path class="grid" d="M${LEFT} ${at}H${WIDTH - RIGHT}"/><text x="${LEFT - 6}" y="${at + 4}" text-anchor="end">${label(tick, y[1] - y[0])}</text>`;
  });
  const below = across.ticks.map(
    (tick) =>
      `<text x="${across.at(tick)}" y="${HEIGHT - BOTTOM + 16}" text-anchor="middle">${label(tick, x[1] - x[0])}</text>`,
  );
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(about)}">${lines.join("")}${below.join("")}<path class="axis" d="M${LEFT} ${HEIGHT - BOTTOM}H${WIDTH - RIGHT}"/>${draw(across, up)}</svg>`;
}

/** How often values fall into slices. */
export function histogram(values: readonly number[], about: string): string {
  const [low, high] = extentOf(values);
  const count = Math.max(5, Math.min(30, Math.round(Math.sqrt(values.length))));
  const bins = new Array<number>(count).fill(0);
  for (const value of values) {
    bins[Math.min(count - 1, Math.floor(((value - low) / (high - low)) * count))]!++;
  }
  return plot([low, high], [0, Math.max(1, ...bins)], about, (x, y) =>
    bins
      .map((n, i) => {
        const [from, to] = [
          x.at(low + (i * (high - low)) / count),
          x.at(low + ((i + 1) * (high - low)) / count),
        ];
        const top = y.at(n);
        return `<rect class="bar" x="${from}" y="${top}" width="${Math.max(0.5, to - from - 1).toFixed(1)}" height="${(y.at(0) - top).toFixed(1)}"/>`;
      })
      .join(""),
  );
}

/** Points that can be chosen: each belongs to a case. */
export function scatter(
  points: readonly { readonly x: number; readonly y: number; readonly row: number }[],
  about: string,
): string {
  const [x, y] = [extentOf(points.map((one) => one.x)), extentOf(points.map((one) => one.y))];
  return plot(x, y, about, (across, up) =>
    points
      .map(
        ({ x: a, y: b, row }) =>
          `<circle class="dot" data-row="${row}" cx="${across.at(a)}" cy="${up.at(b)}" r="2.2"/>`,
      )
      .join(""),
  );
}
