// Script of a page: fills in animations and plots.

import uPlot from "uplot";
import { decodeNumbers, decodePoses, decodeTimes } from "../encode.js";
import type { PageData, PlotData, SceneData } from "../page-data.js";
import { bodyList, timeControls, viewControls } from "./controls.js";
import { make } from "./dom.js";
import { Motion } from "./motion.js";
import { PageRenderer } from "./page-renderer.js";
import { Player } from "./player.js";
import { optionsOf } from "./plot-options.js";
import { attachControls } from "./pointer-controls.js";
import { onTheme } from "./theme.js";

// Plots by uPlot; plots over time are synchronised with an animation.

const HEIGHT = 250;
/** Milliseconds between updates of the legend while an animation plays. */
const LEGEND_INTERVAL_MS = 120;
/** uPlot mode for gaps that extend to the next point. */
const EXPAND = 2;

/** Curves in the format of uPlot. */
interface Lines {
  /** One x for all curves, with undefined for a missing point and null for a gap; or an x for each. */
  readonly data: uPlot.AlignedData;
  readonly isOrdered: boolean;
}

function showPlot(figure: HTMLElement, plot: PlotData, player: Player | undefined): void {
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
  let lastUpdate = 0;
  player.listen((time) => {
    marker.place(time);
    const now = performance.now();
    const isDue = now - lastUpdate > LEGEND_INTERVAL_MS || !player.isPlaying;
    if (!isDue || chart.root.matches(":hover") || !lines.isOrdered) return;
    lastUpdate = now;
    const idx = chart.valToIdx(time);
    chart.setLegend({ idxs: chart.data.map((ys, i) => (i === 0 ? idx : nearest(ys, idx))) });
  });
}

function draw(box: HTMLElement, plot: PlotData, lines: Lines): uPlot {
  const width = box.clientWidth || 480;
  const options = optionsOf(plot, lines.isOrdered, width, HEIGHT);
  return new uPlot(options, lines.data, box);
}

/** Returns the nearest index at which a curve has a point. */
function nearest(ys: ArrayLike<unknown>, index: number): number {
  for (let away = 0; away < ys.length; away++) {
    if (ys[index - away] !== undefined) return index - away;
    if (index + away < ys.length && ys[index + away] !== undefined) return index + away;
  }
  return index;
}

/** Adds a marker line at the time of the animation. A click moves the animation to that time. */
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
      // Reading the element's width would force a layout each time.
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
    return [isOrdered ? separated(x) : Array.from(x), y] as [number[], (number | null)[]];
  });
  if (!isOrdered) return { data: [null, ...tables] as unknown as uPlot.AlignedData, isOrdered };
  if (tables.length === 0) return { data: [[]], isOrdered };
  // A gap extends to the next point of its own curve.
  const modes = tables.map(() => [EXPAND, EXPAND]);
  return { data: tables.length === 1 ? tables[0]! : uPlot.join(tables, modes), isOrdered };
}

/** Shifts the second of two points with equal x, as at jumps, by an invisible amount. */
function separated(x: Float64Array): number[] {
  const all = Array.from(x);
  const step = 1e-7 * (all.at(-1)! - all[0]!);
  for (let i = 1; i < all.length; i++) if (all[i]! <= all[i - 1]!) all[i] = all[i - 1]! + step;
  return all;
}

const data = JSON.parse(document.getElementById("data")!.textContent!) as PageData;
const renderers: PageRenderer[] = [];
const players: Player[] = [];

const animations = document.querySelectorAll<HTMLElement>("figure.animation");
for (const [i, scene] of data.scenes.entries()) animate(animations[i]!, scene);
const figures = document.querySelectorAll<HTMLElement>("figure.plot");
for (const [i, plot] of data.plots.entries()) showPlot(figures[i]!, plot, players[plot.scene]);

function animate(figure: HTMLElement, scene: SceneData): void {
  const canvas = make("canvas", {
    tabindex: "0",
    role: "img",
    "aria-label": `Animation of ${scene.name}. Space plays, left and right arrows step, with Shift arrows turn the view; plus and minus zoom.`,
  });
  const { frames } = scene;
  const motion = new Motion(decodeTimes(frames), frames.bodies, decodePoses(frames));
  const renderer = new PageRenderer(scene, motion, canvas);
  const player = new Player(renderer.motion.start, renderer.motion.end);
  renderers.push(renderer);
  players.push(player);
  figure.append(
    make("div", { class: "stage" }, canvas),
    make(
      "div",
      { class: "controls" },
      timeControls(player, frames),
      viewControls(player, renderer),
      bodyList(renderer),
    ),
  );
  attachControls({
    canvas,
    camera: renderer.camera,
    home: scene.view.from,
    changed: () => {
      renderer.isStale = true;
    },
    step: (count) => player.seek(renderer.motion.neighbour(player.time, count)),
  });
  player.listen((time) => {
    renderer.time = time;
    renderer.isStale = true;
  });
  player.seek(player.start);
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) player.play();
}

/** Space plays and pauses, unless the focused element uses it. */
addEventListener("keydown", (event) => {
  if (event.key !== " " || event.ctrlKey || event.metaKey || event.altKey) return;
  const { target } = event;
  const isTyping =
    target instanceof HTMLElement && target.closest("button, select, summary") !== null;
  const figure = target instanceof HTMLElement ? target.closest("figure.animation") : null;
  const index = figure === null ? 0 : [...animations].indexOf(figure as HTMLElement);
  const player = players[index];
  if (isTyping || player === undefined) return;
  event.preventDefault();
  player.toggle();
});

function paint(): void {
  for (const renderer of renderers) renderer.refresh();
  requestAnimationFrame(paint);
}
if (renderers.length > 0) requestAnimationFrame(paint);
