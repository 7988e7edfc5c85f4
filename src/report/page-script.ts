// Script of a page: fills in animations and plots.

import { Animation } from "../draw/animation.js";
import { attachControls, bodyList, Player, timeControls, viewControls } from "../draw/controls.js";
import { make } from "../draw/dom.js";
import { Motion } from "../draw/motion.js";
import { PlotChart } from "../draw/plots.js";
import {
  decodeNumbers,
  decodePoses,
  decodeTimes,
  type PageData,
  type PlotData,
  type SceneData,
} from "./encode.js";

/** Milliseconds between updates of the legend while an animation plays. */
const LEGEND_INTERVAL_MS = 120;

function showPlot(figure: HTMLElement, plot: PlotData, player: Player | undefined): void {
  const series = plot.series.map((one) => ({
    ...one,
    x: decodeNumbers(one.x),
    y: decodeNumbers(one.y),
  }));
  const sync = plot.scene < 0 ? undefined : `scene ${plot.scene}`;
  const seek = player && ((time: number) => player.seek(time));
  const chart = new PlotChart(figure, { ...plot, series }, { seek, sync });
  let lastUpdate = 0;
  player?.listen((time, isPlaying) => {
    chart.place(time);
    const now = performance.now();
    if (isPlaying && now - lastUpdate <= LEGEND_INTERVAL_MS) return;
    lastUpdate = now;
    chart.showValues(time);
  });
}

const data = JSON.parse(document.getElementById("data")!.textContent!) as PageData;
const shown: Animation[] = [];
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
  const animation = new Animation(canvas, scene, motion);
  const player = new Player(motion.start, motion.end);
  shown.push(animation);
  players.push(player);
  figure.append(
    make("div", { class: "stage" }, canvas),
    make(
      "div",
      { class: "controls" },
      timeControls(player, frames),
      viewControls(player, animation),
      bodyList(animation),
    ),
  );
  attachControls(animation, {
    step: (count) => player.seek(motion.neighbour(player.time, count)),
  });
  player.listen((time) => animation.show(time));
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
  for (const animation of shown) animation.refresh();
  requestAnimationFrame(paint);
}
if (shown.length > 0) requestAnimationFrame(paint);
