// Buttons of an animation.

import type { SceneData } from "../page-data.js";
import { button, icon, make, toggle } from "./dom.js";
import type { Player } from "./player.js";
import { saveButtons } from "./save.js";
import type { Stage } from "./stage.js";
import { shortNumber, timeText } from "./text.js";
import { onTheme } from "./theme.js";

const PLAY = "M8 5.2v13.6a.6.6 0 0 0 .9.5l10.8-6.8a.6.6 0 0 0 0-1L8.9 4.7a.6.6 0 0 0-.9.5z";
const PAUSE = "M7 5h3.4v14H7zM13.6 5H17v14h-3.4z";
const LOOP =
  "M17 3.5 20.5 7 17 10.5V8H8a4 4 0 0 0-3.9 4.9l-1.9.5A6 6 0 0 1 8 6h9zM7 20.5 3.5 17 7 13.5V16h9a4 4 0 0 0 3.9-4.9l1.9-.5A6 6 0 0 1 16 18H7z";
const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];
/** Steps of the slider from one end to the other. */
const STEPS = 1000;
/** Bodies that are listed by name: all, or the first if there are many. */
const LISTED = 24;
const FIRST = 12;

/** Play, slider and time. */
export function timeControls(
  player: Player,
  frames: Pick<SceneData["frames"], "timeUnit" | "events">,
): HTMLElement {
  const span = player.end - player.start;
  const playButton = button("Play", icon(PLAY), () => player.toggle(), "play");
  const slider = make("input", {
    type: "range",
    min: "0",
    max: String(STEPS),
    step: "1",
    value: "0",
    "aria-label": "Time",
  });
  slider.addEventListener("input", () =>
    player.seek(player.start + (span * Number(slider.value)) / STEPS),
  );
  const clock = make("output", { class: "clock" });
  const total = timeText(player.end, span);
  let wasPlaying: boolean | undefined;
  player.listen((time, isPlaying) => {
    const text = `${timeText(time, span)} ${frames.timeUnit}`;
    clock.textContent = `${timeText(time, span)} / ${total} ${frames.timeUnit}`;
    const value = String(Math.round((STEPS * (time - player.start)) / (span || 1)));
    if (slider.value !== value) slider.value = value;
    slider.setAttribute("aria-valuetext", text);
    if (isPlaying === wasPlaying) return;
    wasPlaying = isPlaying;
    playButton.replaceChildren(icon(isPlaying ? PAUSE : PLAY));
    playButton.setAttribute("aria-label", isPlaying ? "Pause" : "Play");
    playButton.title = isPlaying ? "Pause (space)" : "Play (space)";
  });
  const track = make("div", { class: "track" }, slider, eventTicks(player, frames.events ?? []));
  return make("div", { class: "row" }, playButton, track, clock);
}

function eventTicks(
  { start, end }: Player,
  events: readonly { readonly time: number; readonly name: string }[],
): HTMLElement {
  const ticks = events.map(({ time, name }) => {
    const tick = make("span", { title: `${name}, ${shortNumber(time)}` });
    tick.style.left = `${(100 * (time - start)) / (end - start || 1)}%`;
    return tick;
  });
  return make("div", { class: "ticks", "aria-hidden": "true" }, ...ticks);
}

/** Speed, loop, names and views. */
export function viewControls(player: Player, stage: Stage): HTMLElement {
  const { scene } = stage;
  const select = make("select", { "aria-label": "Speed" });
  for (const speed of SPEEDS) select.append(new Option(`${speed}×`, String(speed)));
  select.value = "1";
  const pace = make("span", { class: "pace" });
  const showPace = () => {
    pace.textContent = paceText(player.rate * player.speed, scene.frames.timeUnit);
  };
  showPace();
  select.addEventListener("change", () => {
    player.speed = Number(select.value);
    showPace();
  });
  const loop = toggle("Play again and again", icon(LOOP), player.loop, (isOn) => {
    player.loop = isOn;
  });
  const names = toggle("Show names", "Names", stage.names, (isOn) => {
    stage.names = isOn;
    stage.isStale = true;
  });
  const save = saveButtons(stage, player);
  const left = make("div", { class: "group" }, select, pace, loop, names, ...save);
  return make("div", { class: "row" }, left, viewButtons(stage));
}

function viewButtons(stage: Stage): HTMLElement {
  const { up, right, from } = stage.scene.view;
  const towards = [0, 1, 2].map((i) => {
    const [j, k] = [(i + 1) % 3, (i + 2) % 3];
    return right[j]! * up[k]! - right[k]! * up[j]!;
  });
  const mix = (t: number, r: number, u: number) =>
    [0, 1, 2].map((i) => t * towards[i]! + r * right[i]! + u * up[i]!) as [number, number, number];
  const views = [
    ["Front", mix(1, 0, 0)],
    ["Side", mix(0, 1, 0)],
    ["Top", mix(0, 0, 1)],
    ["Isometric", mix(0.735, 0.506, 0.449)],
    ["Reset", from],
  ] as const;
  const buttons = views.map(([name, direction]) =>
    button(`${name} view`, name, () => {
      stage.camera.lookFrom(direction);
      stage.isStale = true;
    }),
  );
  return make("div", { class: "group views" }, ...buttons);
}

/** How fast it is played. */
function paceText(rate: number, unit: string): string {
  if (unit !== "s") return `${shortNumber(rate, 3)} ${unit} a second`;
  if (Math.abs(rate - 1) < 1e-9) return "real time";
  if (rate < 1) return `real time ÷ ${shortNumber(1 / rate, 3)}`;
  return `real time × ${shortNumber(rate, 3)}`;
}

/** Names with their colours. One that is pointed at stands out in the picture. */
export function bodyList(stage: Stage): HTMLElement {
  const { bodies } = stage.scene;
  const swatches: HTMLElement[] = [];
  let chosen: number | undefined;
  const shown = bodies.length > LISTED ? FIRST : LISTED;
  const chips = bodies.slice(0, shown).map(({ name }, i) => {
    const swatch = make("span", { class: "swatch" });
    swatches.push(swatch);
    const chip = button(name, make("span", {}, swatch, name), () => {
      chosen = chosen === i ? undefined : i;
      stage.highlight = chosen;
      for (const [j, other] of chips.entries()) {
        other.setAttribute("aria-pressed", String(j === chosen));
      }
    });
    chip.setAttribute("aria-pressed", "false");
    chip.addEventListener("pointerenter", () => {
      stage.highlight = i;
    });
    chip.addEventListener("pointerleave", () => {
      stage.highlight = chosen;
    });
    return chip;
  });
  const colour = () => {
    const colours = stage.colours();
    for (const [i, swatch] of swatches.entries()) swatch.style.background = colours[i]!;
  };
  colour();
  onTheme(colour);
  const more = bodies.length - chips.length;
  const rest = more > 0 ? [make("span", { class: "more" }, `and ${more} more`)] : [];
  return make("div", { class: "bodies" }, ...chips, ...rest);
}
