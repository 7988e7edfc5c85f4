// How plots look.

import type uPlot from "uplot";
import type { PlotAxis } from "../blocks.js";
import type { PlotData } from "../page-data.js";
import { clear, colourOf } from "./colours.js";
import { drawMarks, FONT, lonely, scattered } from "./plot-paths.js";
import { powerText, shortNumber, tickTexts } from "./text.js";
import { theme } from "./theme.js";

const SMALL = `11px ${FONT}`;
const LABEL = `12px ${FONT}`;
/** Lines after those of the palette are dashed, so that colours may come again. */
const DASHES = [[], [7, 4], [2, 3]];
/** uPlot's word for scales of powers. */
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
      // Points between pixels stay there: smooth curves would get steps.
      pxAlign: 0,
      dash: DASHES[aside ? 1 : Math.floor(i / palette.length) % DASHES.length]!,
      points: points
        ? { show: true, size: 7, fill: theme().surface, width: 1.75 }
        : { show: true, size: 3, fill: stroke, width: 0, filter: lonely },
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

/** A little more than there is; a line that does not change is in the middle. */
function linearRange(low: number, high: number): [number, number] {
  const span = high - low;
  const size = Math.max(Math.abs(low), Math.abs(high));
  // Rounding is no motion.
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
    font: SMALL,
    labelFont: LABEL,
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

/** As broad as the longest number. */
function sizeFor(chart: uPlot, values: readonly string[] | null, axis: number): number {
  if (values === null) return 40;
  const longest = values.reduce((a, b) => ((b ?? "").length > a.length ? b : a), "");
  chart.ctx.save();
  chart.ctx.font = SMALL;
  const { width } = chart.ctx.measureText(longest);
  chart.ctx.restore();
  const { gap = 5, ticks } = chart.axes[axis]!;
  return Math.ceil(width) + gap + (ticks?.size ?? 4) + 6;
}

/** Powers of ten, not more than eight; of a range without two of them also 2 and 5 times those. */
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
