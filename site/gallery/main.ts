// Gallery: each model moves in its card while visible; equations are shown as curves. One worker runs them in turn.

import { Animation, onTheme, Player, sketch } from "nodrift/draw";
import { find, make } from "../dom.js";
import type { Answer, AnswerOf, Request } from "../play/protocol.js";
import { catalogue } from "./catalogue.js";
import type { Entry } from "./entry.js";

interface Card {
  readonly entry: Entry;
  readonly canvas: HTMLCanvasElement;
  isSeen: boolean;
  isAsked: boolean;
  animation?: Animation;
  /** Redraws the curves, if the entry has curves. */
  redraw?: () => void;
  player?: Player;
}

const worker = new Worker(new URL("../play/worker.ts", import.meta.url), { type: "module" });
const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
const cards = catalogue.map(cardOf);
let running: Card | undefined;

const visibility = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      const card = cards.find(({ canvas }) => canvas === target);
      if (!card) continue;
      card.isSeen = isIntersecting;
      if (!isStill && card.player) {
        if (isIntersecting) card.player.play();
        else card.player.pause();
      }
    }
    void next();
  },
  { rootMargin: "100px" },
);

lay();
worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => receive(data));
for (const { canvas } of cards) visibility.observe(canvas);
requestAnimationFrame(paint);
onTheme(() => {
  for (const { redraw } of cards) redraw?.();
});

function cardOf(entry: Entry): Card {
  const what = entry.group === "Equations" ? "as curves over time" : "moving";
  const canvas = make("canvas", { role: "img", "aria-label": `${entry.title}, ${what}` });
  return { entry, canvas, isSeen: false, isAsked: false };
}

function lay(): void {
  const parent = find("gallery");
  for (const name of new Set(catalogue.map(({ group }) => group))) {
    const own = cards.filter(({ entry }) => entry.group === name);
    parent.append(make("h2", {}, name), make("div", { class: "grid" }, ...own.map(articleOf)));
  }
}

function articleOf({ entry, canvas }: Card): HTMLElement {
  const link = make("a", { href: `./play.html?model=${entry.name}` }, entry.title);
  return make(
    "article",
    { class: "entry card" },
    canvas,
    make(
      "div",
      { class: "words" },
      make("h3", {}, link),
      make("p", {}, entry.watch[0]),
      make("p", { class: "checked" }, `Checked: ${entry.checked}`),
    ),
  );
}

/** Requests the motion of the first visible card without one. */
async function next(): Promise<void> {
  if (running) return;
  const card = cards.find(({ isSeen, isAsked }) => isSeen && !isAsked);
  if (!card) return;
  card.isAsked = true;
  running = card;
  const text = await (await fetch(`./models/${card.entry.name}.json`)).text();
  const id = cards.indexOf(card) + 1;
  const model = { base: text, settings: [], text, choice: {}, quantities: [] };
  const request: Request = { kind: "run", id, ...model };
  worker.postMessage(request);
}

function receive(answer: Answer): void {
  const card = cards[answer.id - 1];
  if (answer.kind === "motion" && card) show(card, answer);
  const isOver =
    answer.kind === "refused" ||
    (answer.kind === "motion" && answer.isDone) ||
    (answer.kind === "problems" && answer.marks.length > 0);
  if (!isOver) return;
  running = undefined;
  void next();
}

function show(card: Card, { scene, plots: [plot] }: AnswerOf<"motion">): void {
  if (!scene) {
    card.redraw = () =>
      plot?.series[0] &&
      sketch(card.canvas, { x: plot.series[0].x, ys: plot.series.map(({ y }) => y) });
    card.redraw();
    return;
  }
  const time = card.player?.time;
  card.player?.pause();
  if (card.animation) card.animation.replace(scene);
  else card.animation = new Animation(card.canvas, scene);
  const { animation } = card;
  const player = new Player(animation.start, animation.end);
  player.listen((now) => animation.show(now));
  card.player = player;
  player.seek(time ?? player.start);
  if (!isStill && card.isSeen) player.play();
}

function paint(): void {
  for (const { animation, isSeen } of cards) if (isSeen) animation?.refresh();
  requestAnimationFrame(paint);
}
