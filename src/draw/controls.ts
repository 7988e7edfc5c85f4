// Controls of all pictures: buttons, sliders and lists of reports, views and the playground.

import type { Animation } from "./animation.js";
import { type Camera, namedViews, type Vector } from "./camera.js";
import { onTheme } from "./colours.js";
import { button, icon, make, toggle } from "./dom.js";
import type { Frames } from "./scene-data.js";
import { shortNumber, timeText } from "./text.js";

const PLAY = "M8 5.2v13.6a.6.6 0 0 0 .9.5l10.8-6.8a.6.6 0 0 0 0-1L8.9 4.7a.6.6 0 0 0-.9.5z";
const PAUSE = "M7 5h3.4v14H7zM13.6 5H17v14h-3.4z";
const LOOP =
  "M17 3.5 20.5 7 17 10.5V8H8a4 4 0 0 0-3.9 4.9l-1.9.5A6 6 0 0 1 8 6h9zM7 20.5 3.5 17 7 13.5V16h9a4 4 0 0 0 3.9-4.9l1.9-.5A6 6 0 0 1 16 18H7z";
const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];
/** Steps of a time slider, and of the slider of a value. */
const TIME_STEPS = 1000;
const VALUE_STEPS = 400;

/** A button that plays and pauses. */
export class PlayButton {
  readonly element: HTMLButtonElement;
  #wasPlaying: boolean | undefined;

  constructor(toggle: () => void) {
    this.element = button("Play", icon(PLAY), toggle, "play");
  }

  show(isPlaying: boolean): void {
    if (isPlaying === this.#wasPlaying) return;
    this.#wasPlaying = isPlaying;
    const label = isPlaying ? "Pause" : "Play";
    this.element.replaceChildren(icon(isPlaying ? PAUSE : PLAY));
    this.element.setAttribute("aria-label", label);
    this.element.title = `${label} (space)`;
  }
}

/** A slider for the time between a start and an end, with ticks at events. */
export class TimeSlider {
  readonly element: HTMLElement;
  readonly input = make("input", {
    type: "range",
    min: "0",
    max: String(TIME_STEPS),
    step: "1",
    value: "0",
    "aria-label": "Time",
  });
  readonly #start: number;
  readonly #span: number;

  constructor(
    [start, end]: readonly [number, number],
    seek: (time: number) => void,
    events: NonNullable<Frames["events"]> = [],
  ) {
    this.#start = start;
    this.#span = end - start || 1;
    this.input.addEventListener("input", () =>
      seek(start + ((end - start) * Number(this.input.value)) / TIME_STEPS),
    );
    const ticks = events.map(({ time, name }) => {
      const tick = make("span", { title: `${name}, ${shortNumber(time)}` });
      tick.style.left = `${(100 * (time - start)) / this.#span}%`;
      return tick;
    });
    const marks = make("div", { class: "ticks", "aria-hidden": "true" }, ...ticks);
    this.element = make("div", { class: "track" }, this.input, marks);
  }

  show(time: number): void {
    const value = String(Math.round((TIME_STEPS * (time - this.#start)) / this.#span));
    if (this.input.value !== value) this.input.value = value;
  }
}

/** Creates the choice of the speed. */
export function speedChoice(
  speeds: readonly number[],
  present: number,
  choose: (speed: number) => void,
): HTMLSelectElement {
  const select = make("select", { "aria-label": "Speed" });
  for (const speed of [...new Set([...speeds, present])].sort((a, b) => a - b)) {
    select.append(new Option(`${shortNumber(speed, 3)}×`, String(speed)));
  }
  select.value = String(present);
  select.addEventListener("change", () => choose(Number(select.value)));
  return select;
}

/** A value that a slider changes. */
export interface SliderValue {
  readonly label: string;
  readonly value: number;
  readonly minimum: number;
  readonly maximum: number;
  /** Default: a four-hundredth of the range. */
  readonly step?: number;
  /** Unit, shown after the value. */
  readonly unit?: string | undefined;
}

/**
 * Creates a slider for a value. `set` may return false to refuse a value, which brings the previous one back.
 *
 * @example
 * const mass = slider({ label: "mass", value: 2, minimum: 0.5, maximum: 8, unit: "kg" }, (value) => {
 *   simulation.set(body, { mass: value });
 * });
 */
export function slider(given: SliderValue, set: (value: number) => unknown): HTMLElement {
  const { label, minimum, maximum, step = (maximum - minimum) / VALUE_STEPS, unit } = given;
  const input = make("input", {
    type: "range",
    min: String(minimum),
    max: String(maximum),
    step: step > 0 ? String(step) : "any",
  });
  const output = make("output", {});
  const show = (value: number) => {
    const text = `${shortNumber(value, 4)}${unit ? ` ${unit}` : ""}`;
    output.textContent = text;
    input.setAttribute("aria-valuetext", text);
  };
  let present = given.value;
  input.value = String(present);
  show(present);
  input.addEventListener("input", () => {
    const next = Number(input.value);
    if (set(next) === false) input.value = String(present);
    else present = next;
    show(present);
  });
  return make("label", {}, make("span", {}, label), output, input);
}

/** Maximum number of bodies for a complete list, and number of bodies listed if there are more. */
const MAX_LISTED = 24;
const LISTED_OF_MANY = 12;

/** List of names and colours. Pointing at or focusing a name emphasises its body. */
export class BodyList {
  readonly element = make("ul", { class: "bodies", "aria-label": "Bodies" });
  readonly #swatches: HTMLElement[] = [];
  readonly #chips: HTMLButtonElement[] = [];

  constructor(
    names: readonly string[],
    actions: {
      readonly point: (body: number | undefined) => void;
      readonly choose: (body: number) => void;
    },
  ) {
    const count = names.length > MAX_LISTED ? LISTED_OF_MANY : names.length;
    for (const [i, name] of names.slice(0, count).entries()) {
      const swatch = make("span", { class: "swatch" });
      const chip = button(name, make("span", {}, swatch, name), () => actions.choose(i));
      chip.setAttribute("aria-pressed", "false");
      for (const type of ["pointerenter", "focus"]) {
        chip.addEventListener(type, () => actions.point(i));
      }
      for (const type of ["pointerleave", "blur"]) {
        chip.addEventListener(type, () => actions.point(undefined));
      }
      this.#swatches.push(swatch);
      this.#chips.push(chip);
      this.element.append(make("li", {}, chip));
    }
    const more = names.length - count;
    if (more > 0) this.element.append(make("li", { class: "more" }, `and ${more} more`));
  }

  recolour(colour: (body: number) => string): void {
    for (const [i, swatch] of this.#swatches.entries()) swatch.style.background = colour(i);
  }

  press(body: number | undefined): void {
    for (const [i, chip] of this.#chips.entries()) {
      chip.setAttribute("aria-pressed", String(i === body));
    }
  }
}

/** Creates the list of the bodies of an animation. A chosen name stays emphasised. */
export function bodyList(animation: Animation): HTMLElement {
  let chosen: number | undefined;
  const list = new BodyList(
    animation.scene.bodies.map(({ name }) => name),
    {
      point: (body) => {
        animation.highlight = body ?? chosen;
      },
      choose: (body) => {
        chosen = chosen === body ? undefined : body;
        animation.highlight = chosen;
        list.press(chosen);
      },
    },
  );
  const recolour = () => list.recolour((body) => animation.colours()[body]!);
  recolour();
  onTheme(recolour);
  return list.element;
}

/**
 * Creates the play button, time slider and clock of a player.
 *
 * @example
 * const animation = new Animation(canvas, scene);
 * const player = new Player(animation.start, animation.end);
 * player.listen((time) => animation.show(time));
 * bar.append(timeControls(player, scene.frames), viewControls(player, animation));
 */
export function timeControls(
  player: Player,
  { timeUnit, events }: Pick<Frames, "timeUnit" | "events">,
): HTMLElement {
  const span = player.end - player.start;
  const play = new PlayButton(() => player.toggle());
  const track = new TimeSlider([player.start, player.end], (time) => player.seek(time), events);
  const clock = make("output", { class: "clock" });
  const total = timeText(player.end, span);
  player.listen((time, isPlaying) => {
    const text = timeText(time, span);
    clock.textContent = `${text} / ${total} ${timeUnit}`;
    track.show(time);
    track.input.setAttribute("aria-valuetext", `${text} ${timeUnit}`);
    play.show(isPlaying);
  });
  return make("div", { class: "row" }, play.element, track.element, clock);
}

/** Creates the controls for speed, repetition, names, view directions, and files of pictures and films. */
export function viewControls(player: Player, animation: Animation): HTMLElement {
  const { timeUnit } = animation.scene.frames;
  const pace = make("span", { class: "pace" });
  const showPace = (speed: number) => {
    player.speed = speed;
    pace.textContent = paceText(player.rate * speed, timeUnit);
  };
  showPace(1);
  const speed = speedChoice(SPEEDS, 1, showPace);
  const loop = toggle("Play again and again", icon(LOOP), player.loop, (isOn) => {
    player.loop = isOn;
  });
  const names = toggle("Show names", "Names", animation.names, (isOn) => {
    animation.names = isOn;
    animation.isStale = true;
  });
  const left = make(
    "div",
    { class: "group" },
    speed,
    pace,
    loop,
    names,
    ...saveButtons(animation, player),
  );
  return make("div", { class: "row" }, left, viewButtons(animation));
}

function viewButtons(animation: Animation): HTMLElement {
  const { view } = animation.scene;
  const { front, side, top, isometric } = namedViews(view);
  const views = { Front: front, Side: side, Top: top, Isometric: isometric, Reset: view.from };
  const buttons = Object.entries(views).map(([name, direction]) =>
    button(`${name} view`, name, () => {
      animation.camera.lookFrom(direction);
      animation.isStale = true;
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

// Saving of pictures and films.

/** Frames per second of a film. */
const FILM_FRAME_RATE = 30;
const FILM = "video/webm";

/** Creates the buttons that save the picture, and the motion as a film if the browser can record. */
function saveButtons(animation: Animation, player: Player): readonly HTMLElement[] {
  const name =
    animation.scene.name.replaceAll(/[^\w-]+/g, "-").replaceAll(/^-|-$/g, "") || "mechanism";
  const picture = button("Save this picture", "PNG", () => {
    animation.paint();
    animation.canvas.toBlob((blob) => blob && download(blob, `${name}.png`), "image/png");
  });
  const films =
    typeof MediaRecorder === "function" && "captureStream" in animation.canvas
      ? [filmButton(animation, player, `${name}.webm`)]
      : [];
  return [picture, ...films];
}

/** Creates the film button: it plays once from start to end at the set speed; a second press ends the film early. */
function filmButton(animation: Animation, player: Player, name: string): HTMLElement {
  let recorder: MediaRecorder | undefined;
  const made = button("Save the motion as a film", "WebM", () => {
    if (recorder?.state === "recording") {
      recorder.stop();
      return;
    }
    const parts: Blob[] = [];
    const loop = player.loop;
    recorder = new MediaRecorder(animation.canvas.captureStream(FILM_FRAME_RATE), {
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

// Rotating, panning and zooming the view by mouse, touch and keys.

/** Radians per pixel of a drag, and per key press. */
const DRAG = 0.009;
const KEY = Math.PI / 24;
const ZOOM_KEY = 1.15;

/** A picture whose camera is moved. */
export interface ControlledView {
  readonly canvas: HTMLCanvasElement;
  readonly camera: Camera;
  /** Initial view direction. */
  readonly home: Vector;
  changed(): void;
}

/** Actions of a picture besides those of its camera. */
export interface ControlActions {
  /** Goes to the next or previous frame. */
  readonly step?: (count: number) => void;
  /** Whether a press is handled elsewhere. */
  readonly takes?: (event: PointerEvent) => boolean;
  /** Ends the controls. */
  readonly signal?: AbortSignal;
}

/**
 * Rotates, pans and zooms a picture by mouse, touch and keys. The wheel alone scrolls the page; with Ctrl or ⌘,
 * which browsers also report for pinching on a touchpad, it zooms. Left and right arrows step through time; with Shift
 * all four arrows rotate the view. Up and down arrows alone scroll the page.
 */
export function attachControls(
  view: ControlledView,
  { step, takes, signal }: ControlActions = {},
): void {
  const { canvas } = view;
  const fingers = new Map<number, { x: number; y: number }>();
  const listen = <Type extends keyof HTMLElementEventMap>(
    type: Type,
    act: (event: HTMLElementEventMap[Type]) => void,
    passive = true,
  ) => canvas.addEventListener(type, act, { passive, ...(signal && { signal }) });
  listen("pointerdown", (event) => {
    if (takes?.(event)) return;
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  listen("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (before === undefined) return;
    const now = { x: event.clientX, y: event.clientY };
    const [dx, dy] = [now.x - before.x, now.y - before.y];
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (other !== undefined) {
      const distance = (at: { x: number; y: number }) => Math.hypot(at.x - other.x, at.y - other.y);
      view.camera.zoom(distance(now) / (distance(before) || 1), ...pointIn(canvas, other));
    } else if (event.shiftKey || event.buttons === 4) view.camera.pan(dx, dy);
    else view.camera.turn(-DRAG * dx, DRAG * dy);
    fingers.set(event.pointerId, now);
    view.changed();
  });
  for (const type of ["pointerup", "pointercancel"] as const) {
    listen(type, (event) => void fingers.delete(event.pointerId));
  }
  listen(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const at = { x: event.clientX, y: event.clientY };
      view.camera.zoom(Math.exp(-0.0015 * event.deltaY), ...pointIn(canvas, at));
      view.changed();
    },
    false,
  );
  listen("dblclick", () => {
    view.camera.lookFrom(view.home);
    view.changed();
  });
  listen(
    "keydown",
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const act = (event.shiftKey ? TURNS : KEYS)[event.key] ?? ZOOMS[event.key];
      if (act === undefined) return;
      event.preventDefault();
      act(view, step);
      view.changed();
    },
    false,
  );
}

type Keys = Readonly<Record<string, (view: ControlledView, step: ControlActions["step"]) => void>>;

const KEYS: Keys = {
  ArrowLeft: (_, step) => step?.(-1),
  ArrowRight: (_, step) => step?.(1),
  Home: ({ camera, home }) => camera.lookFrom(home),
};

/** Rotations of the view, as if the mechanism were pushed in the direction of the arrow. */
const TURNS: Keys = {
  ArrowLeft: ({ camera }) => camera.turn(KEY, 0),
  ArrowRight: ({ camera }) => camera.turn(-KEY, 0),
  ArrowUp: ({ camera }) => camera.turn(0, -KEY),
  ArrowDown: ({ camera }) => camera.turn(0, KEY),
};

/** Zoom keys; "=" is "+" without Shift on some keyboards. */
const ZOOMS: Keys = {
  "+": ({ camera }) => camera.zoom(ZOOM_KEY),
  "=": ({ camera }) => camera.zoom(ZOOM_KEY),
  "-": ({ camera }) => camera.zoom(1 / ZOOM_KEY),
};

function pointIn(canvas: HTMLCanvasElement, at: { x: number; y: number }): [number, number] {
  const { left, top } = canvas.getBoundingClientRect();
  return [at.x - left, at.y - top];
}

/** Called with the time, and whether the player plays. */
export type PlayerListener = (time: number, isPlaying: boolean) => void;

/** Durations in seconds below and above which a run is played slower or faster than real time. */
const MIN_REAL_TIME_S = 2.5;
const MAX_REAL_TIME_S = 22;
/** Target durations in seconds for short and long runs. */
const SHORT_TARGET_S = 6;
const LONG_TARGET_S = 15;
/** Pause at the end before the motion repeats, in seconds. */
const END_PAUSE_S = 0.7;

/**
 * Plays a time from a start to an end, again and again, in real time or slower or faster for very short and long ones.
 *
 * @example
 * const player = new Player(0, 10);
 * player.listen((time) => animation.show(time));
 * player.play();
 */
export class Player {
  time: number;
  /** Speed relative to the default rate. */
  speed = 1;
  loop = true;
  /** Simulated time per real second at speed 1. */
  readonly rate: number;
  #isPlaying = false;
  #last: number | undefined;
  #waited = 0;
  readonly #listeners: PlayerListener[] = [];

  constructor(
    readonly start: number,
    readonly end: number,
  ) {
    this.time = start;
    this.rate = rateFor(end - start);
  }

  get isPlaying(): boolean {
    return this.#isPlaying;
  }

  listen(listener: PlayerListener): void {
    this.#listeners.push(listener);
  }

  play(): void {
    if (this.#isPlaying || this.end <= this.start) return;
    if (this.time >= this.end) this.time = this.start;
    this.#isPlaying = true;
    this.#last = undefined;
    this.#tell();
    requestAnimationFrame((now) => this.#advance(now));
  }

  pause(): void {
    this.#isPlaying = false;
    this.#tell();
  }

  toggle(): void {
    if (this.#isPlaying) this.pause();
    else this.play();
  }

  /** Goes to a time and pauses there. */
  seek(time: number): void {
    this.time = Math.min(this.end, Math.max(this.start, time));
    this.pause();
  }

  #advance(now: number): void {
    if (!this.#isPlaying) return;
    // Limited, since a page in the background receives no frames.
    const passed = Math.min(0.1, Math.max(0, now - (this.#last ?? now)) / 1000);
    this.#last = now;
    if (this.time >= this.end) this.#waitAtEnd(passed);
    else this.time = Math.min(this.end, this.time + passed * this.rate * this.speed);
    this.#tell();
    requestAnimationFrame((next) => this.#advance(next));
  }

  #waitAtEnd(passed: number): void {
    if (!this.loop) {
      this.#isPlaying = false;
      return;
    }
    this.#waited += passed;
    if (this.#waited < END_PAUSE_S) return;
    this.#waited = 0;
    this.time = this.start;
  }

  #tell(): void {
    for (const listener of this.#listeners) listener(this.time, this.#isPlaying);
  }
}

/** Returns the playback rate: real time, or slower or faster by 1, 2 or 5 times a power of ten. */
export function rateFor(span: number): number {
  if (!(span > 0) || (span >= MIN_REAL_TIME_S && span <= MAX_REAL_TIME_S)) return 1;
  const wanted = span / (span < MIN_REAL_TIME_S ? SHORT_TARGET_S : LONG_TARGET_S);
  const power = 10 ** Math.floor(Math.log10(wanted));
  return ([5, 2].find((factor) => factor * power <= wanted * 1.001) ?? 1) * power;
}
