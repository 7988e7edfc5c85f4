// Options and extra drawing of plots.

import uPlot from "uplot";
import type { PlotAxis } from "../blocks.js";
import type { PlotData } from "../page-data.js";
import { clear, colourOf } from "./colours.js";
import { powerText, shortNumber, tickTexts } from "./text.js";
import { theme } from "./theme.js";

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
function drawMarks(chart: uPlot, { marks }: PlotData): void {
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

export function optionsOf(
  plot: PlotData,
  isOrdered: boolean,
  width: number,
  height: number,
): uPlot.Options {
  const { palette } = theme();
  const series = plot.series.map(({ name, points, aside }, i): uPlot.Series => {
    const stroke = aside ? theme().soft : colourOf(theme(), i % palette.length, palette.length);
    return {
      label: name,
      stroke,
      width: 1.75,
      // Do not align points to pixels: smooth curves would get steps.
      pxAlign: 0,
      dash: DASHES[aside ? 1 : Math.floor(i / palette.length) % DASHES.length]!,
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
  });
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
      ...(plot.scene >= 0 && { sync: { key: `scene ${plot.scene}` } }),
    },
    hooks: { draw: [(chart) => drawMarks(chart, plot)] },
  };
}

function axisLabel({ label, unit }: PlotAxis): string {
  return unit === undefined ? label : `${label} [${unit}]`;
}

function scaleOf(plot: PlotData, key: "x" | "y", isOrdered: boolean): uPlot.Scale {
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
