// Controls of an animation.

import type { SceneData } from "../page-data.js";
import { button, icon, make, toggle } from "./dom.js";
import type { PageRenderer } from "./page-renderer.js";
import type { Player } from "./player.js";
import { shortNumber, timeText } from "./text.js";
import { onTheme } from "./theme.js";

// Saving of pictures and films.

/** Frames per second of a film. */
const FILM_FRAME_RATE = 30;
const FILM = "video/webm";

/** Creates the buttons that save the picture, and the motion as a film if the browser can record. */
function saveButtons(renderer: PageRenderer, player: Player): readonly HTMLElement[] {
  const name =
    renderer.scene.name.replaceAll(/[^\w-]+/g, "-").replaceAll(/^-|-$/g, "") || "mechanism";
  const picture = button("Save this picture", "PNG", () => {
    renderer.paint();
    renderer.canvas.toBlob((blob) => blob && download(blob, `${name}.png`), "image/png");
  });
  const films =
    typeof MediaRecorder === "function" && "captureStream" in renderer.canvas
      ? [filmButton(renderer, player, `${name}.webm`)]
      : [];
  return [picture, ...films];
}

/** Creates the film button: it plays once from start to end at the set speed; a second press ends the film early. */
function filmButton(renderer: PageRenderer, player: Player, name: string): HTMLElement {
  let recorder: MediaRecorder | undefined;
  const made = button("Save the motion as a film", "WebM", () => {
    if (recorder?.state === "recording") {
      recorder.stop();
      return;
    }
    const parts: Blob[] = [];
    const loop = player.loop;
    recorder = new MediaRecorder(renderer.canvas.captureStream(FILM_FRAME_RATE), {
      mimeType: FILM,
    });
    recorder.addEventListener("dataavailable", ({ data }) => parts.push(data));
    recorder.addEventListener("stop", () => {
      player.loop = loop;
      made.textContent = "WebM";
      made.setAttribute("aria-pressed", "false");
      download(new Blob(parts, { type: FILM }), name);
    });
    made.textContent = "Stop";
    made.setAttribute("aria-pressed", "true");
    player.loop = false;
    player.seek(player.start);
    recorder.start();
    player.play();
  });
  player.listen((time) => {
    if (time >= player.end && recorder?.state === "recording") recorder.stop();
  });
  return made;
}

function download(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser reads the address after this call.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

const PLAY = "M8 5.2v13.6a.6.6 0 0 0 .9.5l10.8-6.8a.6.6 0 0 0 0-1L8.9 4.7a.6.6 0 0 0-.9.5z";
const PAUSE = "M7 5h3.4v14H7zM13.6 5H17v14h-3.4z";
const LOOP =
  "M17 3.5 20.5 7 17 10.5V8H8a4 4 0 0 0-3.9 4.9l-1.9.5A6 6 0 0 1 8 6h9zM7 20.5 3.5 17 7 13.5V16h9a4 4 0 0 0 3.9-4.9l1.9-.5A6 6 0 0 1 16 18H7z";
const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];
/** Steps of the time slider. */
const STEPS = 1000;
/** Maximum number of bodies for a complete list, and number of bodies listed if there are more. */
const MAX_LISTED = 24;
const LISTED_OF_MANY = 12;

/** Creates the play button, slider and clock. */
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

/** Creates the controls for speed, loop, names and view directions. */
export function viewControls(player: Player, renderer: PageRenderer): HTMLElement {
  const { scene } = renderer;
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
  const names = toggle("Show names", "Names", renderer.names, (isOn) => {
    renderer.names = isOn;
    renderer.isStale = true;
  });
  const save = saveButtons(renderer, player);
  const left = make("div", { class: "group" }, select, pace, loop, names, ...save);
  return make("div", { class: "row" }, left, viewButtons(renderer));
}

function viewButtons(renderer: PageRenderer): HTMLElement {
  const { up, right, from } = renderer.scene.view;
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
      renderer.camera.lookFrom(direction);
      renderer.isStale = true;
    }),
  );
  return make("div", { class: "group views" }, ...buttons);
}

/** Formats the playback speed. */
function paceText(rate: number, unit: string): string {
  if (unit !== "s") return `${shortNumber(rate, 3)} ${unit} a second`;
  if (Math.abs(rate - 1) < 1e-9) return "real time";
  if (rate < 1) return `real time ÷ ${shortNumber(1 / rate, 3)}`;
  return `real time × ${shortNumber(rate, 3)}`;
}

/** Creates the list of names and colours. Pointing at a name highlights its body. */
export function bodyList(renderer: PageRenderer): HTMLElement {
  const { bodies } = renderer.scene;
  const swatches: HTMLElement[] = [];
  let chosen: number | undefined;
  const shown = bodies.length > MAX_LISTED ? LISTED_OF_MANY : MAX_LISTED;
  const chips = bodies.slice(0, shown).map(({ name }, i) => {
    const swatch = make("span", { class: "swatch" });
    swatches.push(swatch);
    const chip = button(name, make("span", {}, swatch, name), () => {
      chosen = chosen === i ? undefined : i;
      renderer.highlight = chosen;
      for (const [j, other] of chips.entries()) {
        other.setAttribute("aria-pressed", String(j === chosen));
      }
    });
    chip.setAttribute("aria-pressed", "false");
    chip.addEventListener("pointerenter", () => {
      renderer.highlight = i;
    });
    chip.addEventListener("pointerleave", () => {
      renderer.highlight = chosen;
    });
    return chip;
  });
  const colour = () => {
    const colours = renderer.colours();
    for (const [i, swatch] of swatches.entries()) swatch.style.background = colours[i]!;
  };
  colour();
  onTheme(colour);
  const more = bodies.length - chips.length;
  const rest = more > 0 ? [make("span", { class: "more" }, `and ${more} more`)] : [];
  return make("div", { class: "bodies" }, ...chips, ...rest);
}
