// The script of a page: puts animations and plots in their places.

import type { PageData, SceneData } from "../page-data.js";
import { bodyList, timeControls, viewControls } from "./controls.js";
import { make } from "./dom.js";
import { handleView } from "./hands.js";
import { Player } from "./player.js";
import { showPlot } from "./plots.js";
import { Stage } from "./stage.js";

const data = JSON.parse(document.getElementById("data")!.textContent!) as PageData;
const stages: Stage[] = [];
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
  const stage = new Stage(scene, canvas);
  const player = new Player(stage.motion.start, stage.motion.end);
  stages.push(stage);
  players.push(player);
  figure.append(
    make("div", { class: "stage" }, canvas),
    make(
      "div",
      { class: "controls" },
      timeControls(player, scene.frames),
      viewControls(player, stage),
      bodyList(stage),
    ),
  );
  handleView({
    canvas,
    camera: stage.camera,
    home: scene.view.from,
    changed: () => {
      stage.isStale = true;
    },
    step: (count) => player.seek(stage.motion.neighbour(player.time, count)),
  });
  player.listen((time) => {
    stage.time = time;
    stage.isStale = true;
  });
  player.seek(player.start);
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) player.play();
}

/** Space plays and pauses, unless something that has a use for it is in focus. */
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
  for (const stage of stages) stage.refresh();
  requestAnimationFrame(paint);
}
if (stages.length > 0) requestAnimationFrame(paint);
