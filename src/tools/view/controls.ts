// Buttons of a view: time below the picture, what is shown, from where.

import { button, icon, make, toggle } from "../report/page/dom.js";
import { shortNumber, timeText } from "../report/page/text.js";
import type { NamedView } from "../report/view.js";
import type { Feed } from "./feed.js";
import type { ShowOptions } from "./options.js";

const PLAY = "M8 5.2v13.6a.6.6 0 0 0 .9.5l10.8-6.8a.6.6 0 0 0 0-1L8.9 4.7a.6.6 0 0 0-.9.5z";
const PAUSE = "M7 5h3.4v14H7zM13.6 5H17v14h-3.4z";
const STEP =
  "M6 5.2v13.6a.6.6 0 0 0 .9.5l9-6.8a.6.6 0 0 0 0-1l-9-6.8a.6.6 0 0 0-.9.5zM17 5h2.4v14H17z";
const REWIND =
  "M18 5.2v13.6a.6.6 0 0 1-.9.5l-9-6.8a.6.6 0 0 1 0-1l9-6.8a.6.6 0 0 1 .9.5zM4.6 5H7v14H4.6z";
const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];
/** Milliseconds between two texts of the clock while time passes. */
const PACE = 60;
/** Steps of the slider of time. */
const STEPS = 2000;

/** What buttons do. */
export interface ControlActions {
  toggle(): void;
  step(count: number): void;
  rewind(): void;
  seek(time: number): void;
  speed(speed: number): void;
  look(from: NamedView | "home"): void;
  fit(): void;
  project(isPerspective: boolean): void;
  show(parts: ShowOptions): void;
}

/** What can be shown, in the order of the menu; those that need numbers are last. */
const PARTS: readonly (readonly [keyof ShowOptions, string, boolean])[] = [
  ["names", "Names", false],
  ["joints", "Joints", false],
  ["frames", "Frames", false],
  ["masses", "Centres of mass", false],
  ["grid", "Grid", false],
  ["reactions", "Reactions", true],
  ["forces", "Forces", true],
  ["velocities", "Velocities", true],
];

const VIEWS = ["home", "front", "side", "top", "isometric"] as const;

export class Controls {
  readonly element = make("div", { class: "bar", role: "toolbar", "aria-label": "View" });
  readonly #feed: Feed;
  readonly #play: HTMLButtonElement;
  readonly #clock = make("span", { class: "clock" });
  readonly #slider: HTMLInputElement | undefined;
  readonly #boxes = new Map<keyof ShowOptions, HTMLInputElement>();
  #wasPlaying: boolean | undefined;
  #text = "";
  #told = 0;

  constructor(feed: Feed, actions: ControlActions, show: ShowOptions, isPerspective: boolean) {
    this.#feed = feed;
    this.#play = button("Play", icon(PLAY), actions.toggle, "play");
    if (feed.moves) this.#addTime(actions);
    if (feed.span) {
      this.#slider = slider(feed.span, actions.seek);
      this.element.append(this.#slider);
    } else this.element.append(make("span", { class: "grow" }));
    this.element.append(
      viewMenu(actions),
      button("Fit the picture (F)", "Fit", actions.fit, "wide"),
      wide(toggle("Perspective (P)", "3D", isPerspective, actions.project)),
      this.#showMenu(actions, show),
    );
  }

  #addTime(actions: ControlActions): void {
    const feed = this.#feed;
    const rewind = button("Back to the start", icon(REWIND), actions.rewind);
    rewind.disabled = feed.rewind === undefined;
    const step = button("One step (right arrow)", icon(STEP), () => actions.step(1));
    step.disabled = feed.step === undefined;
    const speed = make("select", { "aria-label": "Speed" });
    const speeds = [...new Set([...SPEEDS, feed.speed])].sort((a, b) => a - b);
    for (const each of speeds) speed.append(new Option(`${shortNumber(each, 3)}×`, String(each)));
    speed.value = String(feed.speed);
    speed.disabled = !feed.hasSpeed;
    speed.addEventListener("change", () => actions.speed(Number(speed.value)));
    this.element.append(rewind, this.#play, step, speed, this.#clock);
  }

  #showMenu(actions: ControlActions, shown: ShowOptions): HTMLElement {
    const hasNumbers = this.#feed.readings() !== undefined;
    const lines = PARTS.map(([name, label, needsNumbers]) => {
      const box = make("input", { type: "checkbox" });
      box.checked = shown[name] ?? false;
      box.disabled = needsNumbers && !hasNumbers;
      box.addEventListener("change", () => actions.show({ [name]: box.checked }));
      this.#boxes.set(name, box);
      const line = make("label", {}, box, label);
      if (box.disabled) {
        line.setAttribute("aria-disabled", "true");
        line.title = "This source tells no numbers of its parts";
      }
      return line;
    });
    return menu("Show", ...lines);
  }

  /** While time passes nobody reads more digits than these, and each new text is laid out. */
  #tellTime(text: string, now: number): void {
    const isEarly = this.#feed.isPlaying && now - this.#told < PACE;
    if (text === this.#text || isEarly) return;
    this.#told = now;
    this.#text = text;
    this.#clock.textContent = text;
    this.#slider?.setAttribute("aria-valuetext", text);
  }

  /** As things are now. */
  update(shown: ShowOptions, now = performance.now()): void {
    const feed = this.#feed;
    for (const [name, box] of this.#boxes) box.checked = shown[name] ?? false;
    const span = feed.span ? feed.span[1] - feed.span[0] : Math.max(1, Math.abs(feed.time));
    if (this.#slider && feed.span) {
      const value = String(Math.round((STEPS * (feed.time - feed.span[0])) / (span || 1)));
      if (this.#slider.value !== value) this.#slider.value = value;
    }
    this.#tellTime(`${timeText(feed.time, span)} s`, now);
    if (feed.isPlaying === this.#wasPlaying) return;
    this.#wasPlaying = feed.isPlaying;
    const label = feed.isPlaying ? "Pause" : "Play";
    this.#play.replaceChildren(icon(feed.isPlaying ? PAUSE : PLAY));
    this.#play.setAttribute("aria-label", label);
    this.#play.title = `${label} (space)`;
  }
}

function slider([from, to]: readonly [number, number], seek: (time: number) => void) {
  const made = make("input", { type: "range", min: "0", max: String(STEPS), "aria-label": "Time" });
  made.value = "0";
  made.addEventListener("input", () => seek(from + ((to - from) * Number(made.value)) / STEPS));
  return made;
}

function viewMenu(actions: ControlActions): HTMLElement {
  const select = make("select", { "aria-label": "Look from", class: "wide" });
  select.append(new Option("Look from", ""));
  for (const view of VIEWS) select.append(new Option(view, view));
  select.addEventListener("change", () => {
    if (select.value !== "") actions.look(select.value as NamedView | "home");
    select.value = "";
  });
  return select;
}

/** Where there is little room the picture is turned by fingers, and fits by a double tap. */
function wide(element: HTMLElement): HTMLElement {
  element.classList.add("wide");
  return element;
}

function menu(label: string, ...lines: readonly HTMLElement[]): HTMLElement {
  const made = make(
    "details",
    {},
    make("summary", { role: "button" }, label),
    make("div", { class: "menu" }, ...lines),
  );
  made.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !made.open) return;
    made.open = false;
    made.querySelector("summary")?.focus();
  });
  return made;
}
