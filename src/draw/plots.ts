// Plots of curves by uPlot, in reports and the playground.

import uPlot from "uplot";
import { clear, colourOf, onTheme, theme } from "./colours.js";
import { make } from "./dom.js";
import { isOrdered, type Plot, type PlotAxis } from "./scene-data.js";
import { powerText, shortNumber, tickTexts } from "./text.js";

/** Options of a {@link PlotChart}. */
export interface PlotChartOptions {
  /** Height in pixels. Default: 250. */
  readonly height?: number;
  /** Called with the time at which the plot is clicked. A plot with it marks the present time. */
  readonly seek?: ((time: number) => void) | undefined;
  /** Charts with the same key share their cursor. */
  readonly sync?: string | undefined;
}

/** uPlot mode for gaps that extend to the next point. */
const EXPAND = 2;
const DEFAULT_HEIGHT = 250;
const DEFAULT_WIDTH = 480;

/** Curves in the format of uPlot. */
interface Lines {
  /** One x for all curves, with undefined for a missing point and null for a gap; or an x for each. */
  readonly data: uPlot.AlignedData;
  readonly isOrdered: boolean;
}

/**
 * A plot in an element of the page, with a legend, as in reports. Needs the style `nodrift/draw.css`.
 *
 * @example
 * const chart = new PlotChart(element, {
 *   title: "Height",
 *   x: { label: "t", unit: "s" },
 *   y: { label: "z", unit: "m" },
 *   series: [{ name: "ball", x: times, y: heights }],
 * }, { seek: (time) => player.seek(time) });
 * player.listen((time) => chart.place(time));
 */
export class PlotChart {
  readonly #box = make("div", { class: "box" });
  readonly #now = make("div", { class: "now" });
  readonly #options: PlotChartOptions;
  readonly #ends: readonly (() => void)[];
  #plot: Plot;
  #lines: Lines;
  #chart: uPlot;
  #time: number | undefined;

  constructor(parent: HTMLElement, plot: Plot, options: PlotChartOptions = {}) {
    parent.append(this.#box);
    this.#options = options;
    this.#plot = plot;
    this.#lines = linesOf(plot);
    this.#chart = this.#made();
    const sizes = new ResizeObserver(() => {
      const { clientWidth: width } = this.#box;
      const { height = DEFAULT_HEIGHT } = options;
      if (width > 0 && width !== this.#chart.width) this.#chart.setSize({ width, height });
      this.#mark();
    });
    sizes.observe(this.#box);
    this.#ends = [onTheme(() => this.#redraw()), () => sizes.disconnect()];
  }

  /** Shows other curves. */
  set plot(plot: Plot) {
    const hasSameCurves = keyOf(plot) === keyOf(this.#plot);
    const { isOrdered } = this.#lines;
    this.#plot = plot;
    this.#lines = linesOf(plot);
    if (hasSameCurves && isOrdered === this.#lines.isOrdered) this.#chart.setData(this.#lines.data);
    else this.#redraw();
    this.#mark();
  }

  /** Marks a time. */
  place(time: number): void {
    if (time === this.#time) return;
    this.#time = time;
    this.#mark();
  }

  /** Shows the values at a time in the legend, unless the pointer shows others. */
  showValues(time: number): void {
    const chart = this.#chart;
    if (!this.#lines.isOrdered || chart.root.matches(":hover")) return;
    const idx = chart.valToIdx(time);
    chart.setLegend({ idxs: chart.data.map((ys, i) => (i === 0 ? idx : nearest(ys, idx))) });
  }

  dispose(): void {
    for (const end of this.#ends) end();
    this.#chart.destroy();
    this.#box.remove();
  }

  #mark(): void {
    if (this.#time === undefined || this.#options.seek === undefined) return;
    const chart = this.#chart;
    const x = chart.valToPos(this.#time, "x");
    // Reading the element's width would force a layout each time.
    const isInside = x >= 0 && x <= chart.bbox.width / uPlot.pxRatio;
    this.#now.style.transform = `translateX(${x}px)`;
    this.#now.style.visibility = isInside ? "visible" : "hidden";
  }

  #redraw(): void {
    this.#chart.destroy();
    this.#chart = this.#made();
    this.#mark();
  }

  #made(): uPlot {
    const { height = DEFAULT_HEIGHT, seek, sync } = this.#options;
    const { data, isOrdered } = this.#lines;
    const width = this.#box.clientWidth || DEFAULT_WIDTH;
    const options = optionsOf(this.#plot, isOrdered, [width, height], sync);
    const chart = new uPlot(options, data, this.#box);
    if (seek === undefined) return chart;
    chart.over.append(this.#now);
    chart.over.addEventListener("click", ({ clientX }) =>
      seek(chart.posToVal(clientX - chart.over.getBoundingClientRect().left, "x")),
    );
    return chart;
  }
}

function keyOf({ x, y, series, marks }: Plot): string {
  return JSON.stringify([x, y, series.map(({ name }) => name), marks]);
}

/** Returns the nearest index at which a curve has a point. */
function nearest(ys: ArrayLike<unknown>, index: number): number {
  for (let away = 0; away < ys.length; away++) {
    if (ys[index - away] !== undefined) return index - away;
    if (index + away < ys.length && ys[index + away] !== undefined) return index + away;
  }
  return index;
}

function linesOf({ series, y: { log = false } }: Plot): Lines {
  const hasOrder = series.every(({ x }) => isOrdered(x));
  const tables = series.map(({ x, y }) => {
    const ys = Array.from(y, (value) =>
      Number.isFinite(value) && (!log || value > 0) ? value : null,
    );
    return [hasOrder ? separated(x) : Array.from(x), ys] as [number[], (number | null)[]];
  });
  if (!hasOrder) {
    return { data: [null, ...tables] as unknown as uPlot.AlignedData, isOrdered: false };
  }
  if (tables.length === 0) return { data: [[]], isOrdered: true };
  // A gap extends to the next point of its own curve.
  const modes = tables.map(() => [EXPAND, EXPAND]);
  return { data: tables.length === 1 ? tables[0]! : uPlot.join(tables, modes), isOrdered: true };
}

/** Shifts the second of two points with equal x, as at jumps, by an invisible amount. */
function separated(x: ArrayLike<number>): number[] {
  const all = Array.from(x);
  const step = 1e-7 * (all.at(-1)! - all[0]!);
  for (let i = 1; i < all.length; i++) if (all[i]! <= all[i - 1]!) all[i] = all[i - 1]! + step;
  return all;
}

// Drawing in addition to the curves of uPlot.

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
/** Maximum number of marks with names. */
const MAX_NAMED_MARKS = 12;

/** Returns isolated points between gaps, through which there is no line. */
function isolated(chart: uPlot, index: number): number[] {
  const ys = chart.data[index] as (number | null | undefined)[];
  const own = ys.flatMap((y, i) => (y === undefined ? [] : [i]));
  const isGap = (place: number) => (ys[own[place] ?? -1] ?? null) === null;
  return own.filter((i, place) => ys[i] !== null && isGap(place - 1) && isGap(place + 1));
}

/** Draws a curve through points in any order, directly, since uPlot has no paths for unordered points. */
function scattered(points: boolean, stroke: string): uPlot.Series.PathBuilder {
  return (chart, index) => {
    const { ctx } = chart;
    const [xs, ys] = chart.data[index] as unknown as [number[], (number | null)[]];
    const places = xs.map((x, i) => {
      const y = ys[i];
      if (y === null || y === undefined) return undefined;
      return [chart.valToPos(x, "x", true), chart.valToPos(y, "y", true)] as const;
    });
    ctx.save();
    ctx.beginPath();
    let isDown = false;
    for (const place of places) {
      if (place !== undefined && isDown) ctx.lineTo(...place);
      else if (place !== undefined) ctx.moveTo(...place);
      isDown = place !== undefined;
    }
    ctx.strokeStyle = stroke;
    ctx.lineWidth = 1.75 * uPlot.pxRatio;
    ctx.lineJoin = "round";
    ctx.stroke();
    ctx.fillStyle = theme().surface;
    for (const place of points ? places : []) {
      if (place === undefined) continue;
      ctx.beginPath();
      ctx.arc(...place, 3.2 * uPlot.pxRatio, 0, 2 * Math.PI);
      ctx.fill();
      ctx.stroke();
    }
    ctx.restore();
    return null;
  };
}

/** Draws dashed lines for events, with their names if there are few. */
function drawMarks(chart: uPlot, { marks = [] }: Plot): void {
  const { ctx, bbox } = chart;
  const { soft, surface } = theme();
  const ratio = uPlot.pxRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.font = `${11 * ratio}px ${FONT}`;
  ctx.fillStyle = soft;
  ctx.textAlign = "left";
  ctx.textBaseline = "alphabetic";
  ctx.lineJoin = "round";
  let free = Number.NEGATIVE_INFINITY;
  for (const { x, label } of marks) {
    const at = chart.valToPos(x, "x", true);
    ctx.beginPath();
    ctx.setLineDash([4 * ratio, 4 * ratio]);
    ctx.moveTo(at, bbox.top);
    ctx.lineTo(at, bbox.top + bbox.height);
    ctx.strokeStyle = clear(soft, 0.7);
    ctx.lineWidth = ratio;
    ctx.stroke();
    ctx.setLineDash([]);
    ctx.strokeStyle = clear(surface, 0.8);
    ctx.lineWidth = 3 * ratio;
    if (marks.length > MAX_NAMED_MARKS || at < free) continue;
    free = at + 14 * ratio;
    ctx.save();
    ctx.translate(at + 4 * ratio, bbox.top + 4 * ratio);
    ctx.rotate(Math.PI / 2);
    ctx.strokeText(label, 0, 0);
    ctx.fillText(label, 0, 0);
    ctx.restore();
  }
  ctx.restore();
}

const SMALL_FONT = `11px ${FONT}`;
const LABEL_FONT = `12px ${FONT}`;
/** Dash patterns of curves; they change when the colours of the palette repeat. */
const DASHES = [[], [7, 4], [2, 3]];
/** uPlot distribution of logarithmic scales. */
const LOGARITHMIC = 3;

function optionsOf(
  plot: Plot,
  isOrdered: boolean,
  [width, height]: readonly [number, number],
  sync: string | undefined,
): uPlot.Options {
  const { palette } = theme();
  const series = plot.series.map(
    ({ name, points = false, isReference = false }, i): uPlot.Series => {
      const stroke = isReference
        ? theme().soft
        : colourOf(theme(), i % palette.length, palette.length);
      return {
        label: name,
        stroke,
        width: 1.75,
        // Do not align points to pixels: smooth curves would get steps.
        pxAlign: 0,
        dash: DASHES[isReference ? 1 : Math.floor(i / palette.length) % DASHES.length]!,
        points: points
          ? { show: true, size: 7, fill: theme().surface, width: 1.75 }
          : { show: true, size: 3, fill: stroke, width: 0, filter: isolated },
        value: (_, value) => (value === null || value === undefined ? "" : shortNumber(value)),
        ...(!isOrdered && {
          facets: [
            { scale: "x", auto: true },
            { scale: "y", auto: true },
          ],
          paths: scattered(points, stroke),
        }),
      };
    },
  );
  const first: uPlot.Series = {
    label: axisLabel(plot.x),
    value: (_, value) => (value === null || value === undefined ? "" : shortNumber(value)),
  };
  return {
    mode: isOrdered ? 1 : 2,
    width,
    height,
    padding: [12, 18, 0, 0],
    series: [first, ...series],
    scales: { x: scaleOf(plot, "x", isOrdered), y: scaleOf(plot, "y", isOrdered) },
    axes: [axisOf(plot.x, "x"), axisOf(plot.y, "y")],
    legend: { live: isOrdered },
    cursor: {
      y: false,
      points: { size: 8 },
      drag: { x: isOrdered, y: false },
      ...(sync !== undefined && { sync: { key: sync } }),
    },
    hooks: { draw: [(chart) => drawMarks(chart, plot)] },
  };
}

function axisLabel({ label, unit }: PlotAxis): string {
  return unit === undefined ? label : `${label} [${unit}]`;
}

function scaleOf(plot: Plot, key: "x" | "y", isOrdered: boolean): uPlot.Scale {
  const { log = false } = plot[key];
  const isFitted = key === "x" && isOrdered && !log;
  return {
    time: false,
    distr: log ? LOGARITHMIC : 1,
    range: (_, low, high) => {
      if (low === null || high === null) return log ? [0.1, 10] : [0, 1];
      if (isFitted) return low === high ? [low - 0.5, high + 0.5] : [low, high];
      if (log) return logRange(low, high);
      return linearRange(low, high);
    },
  };
}

/** Returns the range with a margin; a constant curve is centred. */
function linearRange(low: number, high: number): [number, number] {
  const span = high - low;
  const size = Math.max(Math.abs(low), Math.abs(high));
  // Variation by rounding counts as constant.
  if (span <= 1e-13 * size || span === 0) {
    const more = size === 0 ? 1 : 0.1 * size;
    return [low - more, high + more];
  }
  return [low - 0.06 * span, high + 0.06 * span];
}

function logRange(low: number, high: number): [number, number] {
  const [a, b] = [Math.log10(low), Math.log10(high)];
  const more = Math.max(0.08 * (b - a), 0.15);
  return [10 ** (a - more), 10 ** (b + more)];
}

function axisOf(axis: PlotAxis, key: "x" | "y"): uPlot.Axis {
  const { soft, line } = theme();
  const isVertical = key === "y";
  return {
    scale: key,
    label: axisLabel(axis),
    stroke: soft,
    font: SMALL_FONT,
    labelFont: LABEL_FONT,
    labelSize: 20,
    labelGap: 2,
    gap: 5,
    grid: { stroke: clear(line, 0.8), width: 1 },
    ticks: { stroke: line, width: 1, size: 4 },
    space: isVertical ? 34 : 64,
    size: isVertical ? sizeFor : 30,
    values: (_, splits, _axis, _space, step) =>
      axis.log
        ? powers(splits)
        : tickTexts(
            splits.filter((split) => split !== null),
            step,
          ),
    ...(axis.log && { splits: (_, __, low, high) => decades(low, high), filter: (_, all) => all }),
  };
}

/** Returns the width of the longest number. */
function sizeFor(chart: uPlot, values: readonly string[] | null, axis: number): number {
  if (values === null) return 40;
  const longest = values.reduce((a, b) => ((b ?? "").length > a.length ? b : a), "");
  chart.ctx.save();
  chart.ctx.font = SMALL_FONT;
  const { width } = chart.ctx.measureText(longest);
  chart.ctx.restore();
  const { gap = 5, ticks } = chart.axes[axis]!;
  return Math.ceil(width) + gap + (ticks?.size ?? 4) + 6;
}

/** Returns at most eight powers of ten; in a range with fewer than two, also 2 and 5 times them. */
function decades(low: number, high: number): number[] {
  const [from, to] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const step = Math.max(1, Math.ceil((to - from) / 8));
  const all = Array.from({ length: to - from + 1 }, (_, i) => from + i)
    .filter((exponent) => exponent % step === 0)
    .map((exponent) => Number(`1e${exponent}`));
  const inside = (x: number) => x >= low && x <= high;
  if (all.filter(inside).length >= 2) return all.filter(inside);
  return all.flatMap((x) => [x, 2 * x, 5 * x]).filter(inside);
}

function powers(splits: readonly number[]): string[] {
  return splits.map((x) => {
    const isPower = Math.abs(Math.log10(x) - Math.round(Math.log10(x))) < 1e-9;
    return isPower ? powerText(x) : shortNumber(x, 2);
  });
}
