// Plots, by uPlot; those over time go with an animation.

import uPlot from "uplot";
import type { PlotData } from "../page-data.js";
import { decodeNumbers } from "./decode.js";
import { make } from "./dom.js";
import type { Player } from "./player.js";
import { optionsOf } from "./plot-options.js";
import { onTheme } from "./theme.js";

const HEIGHT = 250;
/** Milliseconds between values in the legend while an animation plays. */
const PAUSE = 120;
/** uPlot's word for gaps that reach to the next point. */
const EXPAND = 2;

/** Lines as uPlot wants them. */
interface Lines {
  /** One x for all; undefined is where a line has no point, null is a gap. Or an x for each. */
  readonly data: uPlot.AlignedData;
  readonly isOrdered: boolean;
}

export function showPlot(figure: HTMLElement, plot: PlotData, player: Player | undefined): void {
  const lines = linesOf(plot);
  const box = make("div", { class: "box" });
  figure.append(box);
  let chart = draw(box, plot, lines);
  let marker = addMarker(chart, player);
  new ResizeObserver(() => {
    const width = box.clientWidth;
    if (width > 0 && width !== chart.width) chart.setSize({ width, height: HEIGHT });
  }).observe(box);
  onTheme(() => {
    chart.destroy();
    chart = draw(box, plot, lines);
    marker = addMarker(chart, player);
    if (player) marker.place(player.time);
  });
  if (player === undefined) return;
  let told = 0;
  player.listen((time) => {
    marker.place(time);
    const now = performance.now();
    const isDue = now - told > PAUSE || !player.isPlaying;
    if (!isDue || chart.root.matches(":hover") || !lines.isOrdered) return;
    told = now;
    const idx = chart.valToIdx(time);
    chart.setLegend({ idxs: chart.data.map((ys, i) => (i === 0 ? idx : nearest(ys, idx))) });
  });
}

function draw(box: HTMLElement, plot: PlotData, lines: Lines): uPlot {
  const width = box.clientWidth || 480;
  const options = optionsOf(plot, lines.isOrdered, width, HEIGHT);
  return new uPlot(options, lines.data, box);
}

/** The nearest place where a line has a point. */
function nearest(ys: ArrayLike<unknown>, index: number): number {
  for (let away = 0; away < ys.length; away++) {
    if (ys[index - away] !== undefined) return index - away;
    if (index + away < ys.length && ys[index + away] !== undefined) return index + away;
  }
  return index;
}

/** A line where the animation is. A click takes the animation there. */
function addMarker(chart: uPlot, player: Player | undefined) {
  const line = make("div", { class: "now" });
  if (player !== undefined) {
    chart.over.append(line);
    chart.over.addEventListener("click", (event) => {
      const { left } = chart.over.getBoundingClientRect();
      player.seek(chart.posToVal(event.clientX - left, "x"));
    });
  }
  return {
    place(time: number): void {
      const x = chart.valToPos(time, "x");
      // Asking the element for its width would lay out the page again, each time.
      const isInside = x >= 0 && x <= chart.bbox.width / uPlot.pxRatio;
      line.style.transform = `translateX(${x}px)`;
      line.style.visibility = isInside ? "visible" : "hidden";
    },
  };
}

function linesOf(plot: PlotData): Lines {
  const isOrdered = plot.series.every(({ ordered }) => ordered);
  const tables = plot.series.map((series) => {
    const x = decodeNumbers(series.x);
    const y = Array.from(decodeNumbers(series.y), (value) =>
      Number.isFinite(value) ? value : null,
    );
    return [isOrdered ? apart(x) : Array.from(x), y] as [number[], (number | null)[]];
  });
  if (!isOrdered) return { data: [null, ...tables] as unknown as uPlot.AlignedData, isOrdered };
  if (tables.length === 0) return { data: [[]], isOrdered };
  // A gap reaches to the next point of its own line, not only to that of another.
  const modes = tables.map(() => [EXPAND, EXPAND]);
  return { data: tables.length === 1 ? tables[0]! : uPlot.join(tables, modes), isOrdered };
}

/** Where something jumps, two points have the same x: the second is moved by an invisible amount. */
function apart(x: Float64Array): number[] {
  const all = Array.from(x);
  const step = 1e-7 * (all.at(-1)! - all[0]!);
  for (let i = 1; i < all.length; i++) if (all[i]! <= all[i - 1]!) all[i] = all[i - 1]! + step;
  return all;
}
