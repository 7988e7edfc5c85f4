// View of a mechanism: combines subject, renderer and controls, and advances time.

import { show as showValue } from "../base/checking/index.js";
import type { Body, Force, Joint, Vector, VectorLike } from "../bodies.js";
import type { NamedView } from "../draw/camera.js";
import { DARK, LIGHT, type Theme, tintsOf } from "../draw/colours.js";
import {
  attachControls,
  BodyList,
  PlayButton,
  slider,
  speedChoice,
  TimeSlider,
} from "../draw/controls.js";
import { button, icon, make, toggle } from "../draw/dom.js";
import { drawStyle } from "../draw/generated-style.js";
import type { PoseTable } from "../draw/motion.js";
import { timeText } from "../draw/text.js";
import { ARROWS, type ArrowKind } from "./arrows.js";
import type { Feed, LiveGrip, ViewSource } from "./feed.js";
import { feedOf } from "./feeds.js";
import { Inspector } from "./inspector.js";
import {
  checkShown,
  SHOWN_AT_FIRST,
  type ShowOptions,
  type SliderOptions,
  type ViewOptions,
  wrong,
} from "./options.js";
import type { Picked, SceneRenderer } from "./renderer.js";
import { CanvasRenderer, NO_WEBGL_NOTICE } from "./renderer.js";
import { ViewSubject } from "./subject.js";
import { ViewCamera } from "./view-camera.js";
import { WebGlRenderer } from "./webgl-renderer.js";

// Layout of a view in a page: a shadow root with the picture, its overlays and the bars around it.

/** Style in addition to that of all pictures. */
const STYLE = `
:host { --panel: color-mix(in srgb, var(--card) 94%, transparent);
  display: block; height: 100%; min-height: 240px; contain: content; container-type: inline-size;
  background: var(--stage); font-size: 13px; line-height: 1.4; }
.view { display: flex; flex-direction: column; height: 100%; min-height: inherit; }
.stage { position: relative; flex: 1 1 auto; min-height: 160px; overflow: hidden; }
canvas { display: block; }
.picture, .signs { position: absolute; inset: 0; width: 100%; height: 100%; }
.picture { touch-action: pan-y; cursor: grab; }
.picture:focus-visible { outline-offset: -2px; }
.picture.holds, .picture:active { cursor: grabbing; touch-action: none; }
.signs { pointer-events: none; }
.notice { position: absolute; left: 8px; right: 8px; bottom: 56px; margin: 0 auto; width: fit-content; max-width: 36em; padding: 6px 10px;
  border: 1px solid var(--line); border-radius: 8px; background: var(--panel); color: var(--soft); }
.notice.bad { color: var(--bad); border-color: currentColor; }
.notice:empty { display: none; }
.bodies { flex: none; max-height: 84px; overflow: auto; padding: 6px 8px; }
.bar { flex: none; display: flex; flex-wrap: wrap; align-items: center; gap: 6px; padding: 8px; border-top: 1px solid var(--line); }
.bar .track { flex: 1 1 120px; min-width: 80px; }
.clock { color: var(--soft); }
.grow { flex: 1 1 0; }
.menu > div { bottom: calc(100% + 6px); z-index: 3; gap: 2px; margin: 0; }
.menu label { display: flex; align-items: center; gap: 8px; min-height: 26px; }
.menu label[aria-disabled="true"] { color: var(--soft); }
.panel { position: absolute; right: 8px; top: 48px; width: 250px; max-width: calc(100% - 16px); max-height: calc(100% - 64px); overflow: auto;
  padding: 10px; background: var(--panel); border: 1px solid var(--line); border-radius: 9px; }
.panel h2 { margin: 0 28px 4px 0; font-size: 14px; overflow-wrap: anywhere; }
.panel .close { position: absolute; right: 8px; top: 6px; padding: 0 8px; min-height: 24px; }
.panel dl { display: grid; grid-template-columns: auto 1fr; gap: 1px 10px; margin: 6px 0; }
.panel dt { color: var(--soft); }
.panel dd { margin: 0; text-align: right; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.panel canvas { width: 100%; height: 96px; }
.panel select { width: 100%; }
.panel .row { margin: 6px 0 0; }
.sliders { flex: none; }
@container (max-width: 520px) {
  .bodies { flex-wrap: nowrap; overflow: auto hidden; scrollbar-width: thin; }
  .bodies li { flex: none; }
  .panel { left: 8px; top: auto; bottom: 8px; width: auto; max-height: 62%; }
  .bar .track { flex-basis: 100%; order: -1; }
  .bar > select { width: 66px; }
  .wide { display: none; }
}
`;

/** The style sheet that all views share. A constructed one needs no permission of a content security policy. */
let sheet: CSSStyleSheet | undefined;

function viewStyle(): CSSStyleSheet {
  if (sheet === undefined) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(drawStyle() + STYLE);
  }
  return sheet;
}

class ViewLayout {
  /** Contains the canvases. */
  readonly place = make("div", { class: "stage" });
  /** Whether a part of the view is on the screen. */
  isVisible = true;
  readonly #host = make("div", { class: "nodrift-view" });
  readonly #notice = make("p", { class: "notice", role: "status" });
  readonly #observers: { disconnect(): void }[] = [];

  /** Adds the view to the page. */
  assemble(
    element: HTMLElement,
    above: readonly HTMLElement[],
    over: readonly HTMLElement[],
    below: readonly HTMLElement[],
  ): void {
    const root = this.#host.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [viewStyle()];
    this.place.append(...over, this.#notice);
    root.append(make("div", { class: "view" }, ...above, this.place, ...below));
    element.append(this.#host);
  }

  /** Calls `resize` when the size of the picture changes, and tracks whether it is visible. */
  observe(resize: () => void): void {
    const sizes = new ResizeObserver(resize);
    sizes.observe(this.place);
    const sight = new IntersectionObserver((entries) => {
      this.isVisible = entries.some(({ isIntersecting }) => isIntersecting);
    });
    sight.observe(this.#host);
    this.#observers.push(sizes, sight);
  }

  set isDark(isDark: boolean) {
    this.#host.style.colorScheme = isDark ? "dark" : "light";
  }

  /** Shows a notice below the picture; an empty text removes it. */
  showNotice(text: string, isBad = false): void {
    this.#notice.textContent = text;
    this.#notice.classList.toggle("bad", isBad);
  }

  /** Returns all canvases as one PNG. */
  picture(): Promise<Blob> {
    const canvases = this.place.querySelectorAll<HTMLCanvasElement>(".picture, .signs");
    const combined = make("canvas", {});
    [combined.width, combined.height] = [canvases[0]!.width, canvases[0]!.height];
    const context = combined.getContext("2d")!;
    for (const canvas of canvases) context.drawImage(canvas, 0, 0);
    return new Promise((done, fail) =>
      combined.toBlob((blob) => (blob ? done(blob) : fail(wrong("the picture could not be made")))),
    );
  }

  dispose(): void {
    for (const observer of this.#observers) observer.disconnect();
    this.#host.remove();
  }
}

// Control of the pixel ratio. By default it is that of the screen. With software rendering it is reduced while frames are
// late, and restored when the picture stands still.

/** Maximum device pixels per CSS pixel: more are not visible, and cost time. */
const MAX_PIXEL_RATIO = 2;
/** Longest frame interval in milliseconds that counts as on time at 60 Hz. */
const MAX_FRAME_MS = 25;
/** Frames per sample: the median ignores single late frames. */
const FRAMES_PER_SAMPLE = 12;
/** Factor by which the pixel ratio is reduced. */
const SCALE_STEP = 0.75;
/** Minimum scale: below it bars and pins of a joint run together. */
const MIN_SCALE = 0.5;
/** Frame interval in milliseconds from which the page must have been in the background. */
const BACKGROUND_MS = 500;

export class PixelRatioControl {
  readonly #renderer: Pick<SceneRenderer, "isSoftware" | "resize" | "setPixelRatio">;
  readonly #gaps: number[] = [];
  /** Present pixel ratio, relative to that of the screen. */
  #scale = 1;

  constructor(renderer: Pick<SceneRenderer, "isSoftware" | "resize" | "setPixelRatio">) {
    this.#renderer = renderer;
  }

  get scale(): number {
    return this.#scale;
  }

  /** Sets the size of the picture. */
  resize(width: number, height: number): void {
    const ratio = screenRatio();
    this.#renderer.resize(width, height, ratio);
    if (this.#scale !== 1) this.#renderer.setPixelRatio(this.#scale * ratio);
  }

  /**
   * Records a frame interval in milliseconds; returns whether the pixel ratio changed and a repaint is needed. If playing
   * but nothing moved, the worker's next frame is still pending.
   */
  update(isMoving: boolean, isPlaying: boolean, gap: number): boolean {
    if (!this.#renderer.isSoftware) return false;
    if (!isMoving) return !isPlaying && this.reset();
    if (gap <= 0 || gap > BACKGROUND_MS) return false;
    this.#gaps.push(gap);
    if (this.#gaps.length < FRAMES_PER_SAMPLE) return false;
    const median = this.#gaps.sort((a, b) => a - b)[FRAMES_PER_SAMPLE / 2]!;
    this.#gaps.length = 0;
    return median > MAX_FRAME_MS && this.#set(Math.max(MIN_SCALE, SCALE_STEP * this.#scale));
  }

  /** Restores full resolution. Returns whether it had been reduced. */
  reset(): boolean {
    this.#gaps.length = 0;
    return this.#set(1);
  }

  #set(scale: number): boolean {
    if (scale === this.#scale) return false;
    this.#scale = scale;
    this.#renderer.setPixelRatio(scale * screenRatio());
    return true;
  }
}

function screenRatio(): number {
  return Math.min(MAX_PIXEL_RATIO, devicePixelRatio || 1);
}

// Keyboard shortcuts of a view, except those that rotate it.

const KEYS =
  "Space plays, left and right arrows step, Shift with arrows rotates the view, plus and minus zoom, F fits, P changes " +
  "the perspective, N shows names, Escape deselects.";

/** Makes a picture focusable and describes its keys. */
function describeKeys(canvas: HTMLCanvasElement, name: string): void {
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", `${name}. ${KEYS}`);
}

/** Handles keys; the case of letters is ignored. */
function handleKeys(
  element: HTMLElement,
  keys: Readonly<Record<string, () => void>>,
  signal: AbortSignal,
): void {
  element.addEventListener(
    "keydown",
    (event) => {
      const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      act();
    },
    { signal },
  );
}

// Clicks and drags on the picture: a clicked part shows its values, a dragged body follows the pointer.

/** Distance in pixels within which a press is a click. */
const CLICK_RADIUS_PX = 5;

interface DragActions {
  readonly renderer: SceneRenderer;
  readonly feed: Feed;
  readonly table: () => PoseTable;
  readonly select: (name: string | undefined) => void;
  readonly isDraggable: boolean;
  /** Called when a body is grabbed or released. */
  readonly holds: (isHolding: boolean) => void;
  readonly failed: (error: unknown) => void;
}

/** A grabbed body. */
interface GrabbedBody {
  readonly pointer: number;
  readonly at: Vector;
  grip: LiveGrip | undefined;
  isOver: boolean;
}

class DragControls {
  readonly #actions: DragActions;
  #press: { readonly x: number; readonly y: number } | undefined;
  #grabbed: GrabbedBody | undefined;

  constructor(actions: DragActions, signal: AbortSignal) {
    this.#actions = actions;
    const { canvas } = actions.renderer;
    canvas.addEventListener("pointermove", (event) => this.#move(event), { signal });
    canvas.addEventListener("pointerup", (event) => this.#up(event), { signal });
    canvas.addEventListener("pointercancel", () => this.release(), { signal });
    // While a finger drags a body the page must not scroll.
    canvas.addEventListener(
      "touchstart",
      (event) => {
        if (this.#grabbed !== undefined) event.preventDefault();
      },
      { signal, passive: false },
    );
  }

  /** Whether a press grabs a body; then the view does not rotate. */
  takes(event: PointerEvent): boolean {
    const { renderer, feed, isDraggable } = this.#actions;
    const [x, y] = placeIn(renderer.canvas, event);
    this.#press = { x, y };
    if (!isDraggable || feed.grab === undefined || event.button !== 0 || event.shiftKey)
      return false;
    const picked = renderer.pick(x, y);
    if (picked === undefined || picked.kind !== "body" || this.#grabbed !== undefined) return false;
    this.#grab(event.pointerId, picked);
    renderer.canvas.setPointerCapture(event.pointerId);
    return true;
  }

  #grab(pointer: number, { name, body, at }: Picked): void {
    const { feed, table, holds, failed } = this.#actions;
    const grabbed: GrabbedBody = { pointer, at, grip: undefined, isOver: false };
    this.#grabbed = grabbed;
    holds(true);
    // A worker responds later, perhaps after the body has been released.
    Promise.resolve(feed.grab!(name, table().local(body, at))).then((grip) => {
      if (grabbed.isOver) grip.release();
      else grabbed.grip = grip;
    }, failed);
  }

  #move(event: PointerEvent): void {
    const grabbed = this.#grabbed;
    if (grabbed === undefined || grabbed.pointer !== event.pointerId) return;
    const { renderer, failed } = this.#actions;
    try {
      grabbed.grip?.moveTo(renderer.reach(...placeIn(renderer.canvas, event), grabbed.at));
    } catch (error) {
      failed(error);
    }
  }

  #up(event: PointerEvent): void {
    const { renderer, select } = this.#actions;
    const [x, y] = placeIn(renderer.canvas, event);
    const press = this.#press;
    this.#press = undefined;
    this.release();
    if (press === undefined || Math.hypot(x - press.x, y - press.y) > CLICK_RADIUS_PX) return;
    select(renderer.pick(x, y)?.name);
  }

  /** Releases the grabbed body. */
  release(): void {
    const grabbed = this.#grabbed;
    if (grabbed === undefined) return;
    grabbed.isOver = true;
    this.#grabbed = undefined;
    this.#actions.holds(false);
    try {
      grabbed.grip?.release();
    } catch (error) {
      this.#actions.failed(error);
    }
  }
}

function placeIn(canvas: HTMLCanvasElement, event: PointerEvent): [number, number] {
  const { left, top } = canvas.getBoundingClientRect();
  return [event.clientX - left, event.clientY - top];
}

// Controls of a view: time, view direction and visible parts.

const STEP =
  "M6 5.2v13.6a.6.6 0 0 0 .9.5l9-6.8a.6.6 0 0 0 0-1l-9-6.8a.6.6 0 0 0-.9.5zM17 5h2.4v14H17z";
const REWIND =
  "M18 5.2v13.6a.6.6 0 0 1-.9.5l-9-6.8a.6.6 0 0 1 0-1l9-6.8a.6.6 0 0 1 .9.5zM4.6 5H7v14H4.6z";
const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];
/** Milliseconds between two updates of the clock text while playing. */
const CLOCK_INTERVAL_MS = 60;

/** Actions of the controls. */
interface ViewActions {
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

/** Parts that can be shown, in the order of the menu; those that need values come last. */
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

class Controls {
  readonly element = make("div", { class: "bar", role: "toolbar", "aria-label": "View" });
  readonly #feed: Feed;
  readonly #play: PlayButton;
  readonly #clock = make("span", { class: "clock" });
  readonly #track: TimeSlider | undefined;
  readonly #boxes = new Map<keyof ShowOptions, HTMLInputElement>();
  #text = "";
  #lastClockUpdate = 0;

  constructor(feed: Feed, actions: ViewActions, show: ShowOptions, isPerspective: boolean) {
    this.#feed = feed;
    this.#play = new PlayButton(actions.toggle);
    if (feed.moves) this.#addTime(actions);
    if (feed.span) {
      this.#track = new TimeSlider(feed.span, actions.seek, feed.frames?.events);
      this.element.append(this.#track.element);
    } else this.element.append(make("span", { class: "grow" }));
    this.element.append(
      viewMenu(actions),
      button("Fit the picture (F)", "Fit", actions.fit, "wide"),
      wide(toggle("Perspective (P)", "3D", isPerspective, actions.project)),
      this.#showMenu(actions, show),
    );
  }

  #addTime(actions: ViewActions): void {
    const feed = this.#feed;
    const rewind = button("Back to the start", icon(REWIND), actions.rewind);
    rewind.disabled = feed.rewind === undefined;
    const step = button("One step (right arrow)", icon(STEP), () => actions.step(1));
    step.disabled = feed.step === undefined;
    const speed = speedChoice(SPEEDS, feed.speed, actions.speed);
    speed.disabled = !feed.hasSpeed;
    this.element.append(rewind, this.#play.element, step, speed, this.#clock);
  }

  #showMenu(actions: ViewActions, shown: ShowOptions): HTMLElement {
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
        line.title = "This source reports no values of its parts";
      }
      return line;
    });
    return menu("Show", ...lines);
  }

  /** Updates the clock. While playing this is throttled, since each new text causes a layout. */
  #showTime(text: string, now: number): void {
    const isEarly = this.#feed.isPlaying && now - this.#lastClockUpdate < CLOCK_INTERVAL_MS;
    if (text === this.#text || isEarly) return;
    this.#lastClockUpdate = now;
    this.#text = text;
    this.#clock.textContent = text;
    this.#track?.input.setAttribute("aria-valuetext", text);
  }

  /** Updates the controls to the present state. */
  update(shown: ShowOptions, now = performance.now()): void {
    const feed = this.#feed;
    for (const [name, box] of this.#boxes) box.checked = shown[name] ?? false;
    const span = feed.span ? feed.span[1] - feed.span[0] : Math.max(1, Math.abs(feed.time));
    this.#track?.show(feed.time);
    this.#showTime(`${timeText(feed.time, span)} s`, now);
    this.#play.show(feed.isPlaying);
  }
}

function viewMenu(actions: ViewActions): HTMLElement {
  const select = make("select", { "aria-label": "Look from", class: "wide" });
  select.append(new Option("Look from", ""));
  for (const view of VIEWS) select.append(new Option(view, view));
  select.addEventListener("change", () => {
    if (select.value !== "") actions.look(select.value as NamedView | "home");
    select.value = "";
  });
  return select;
}

/** Hides a control on narrow screens, where touch gestures replace it. */
function wide(element: HTMLElement): HTMLElement {
  element.classList.add("wide");
  return element;
}

function menu(label: string, ...lines: readonly HTMLElement[]): HTMLElement {
  const made = make(
    "details",
    { class: "menu" },
    make("summary", { role: "button" }, label),
    make("div", {}, ...lines),
  );
  made.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !made.open) return;
    made.open = false;
    made.querySelector("summary")?.focus();
  });
  return made;
}

/** Returns the range of a parameter, by default derived from the present value. */
export function rangeFor(
  value: number,
  { minimum, maximum }: SliderOptions,
): readonly [number, number] {
  const [low, high] =
    value === 0 ? [-1, 1] : value > 0 ? [value / 10, 3 * value] : [3 * value, value / 10];
  return [minimum ?? Math.min(low, maximum ?? low), maximum ?? Math.max(high, minimum ?? high)];
}

/** Creates a slider for each requested parameter. `set` returns whether the value was accepted. */
function sliders(
  feed: Feed,
  wanted: ViewOptions["sliders"],
  set: (values: Readonly<Record<string, number>>) => boolean,
): HTMLElement {
  const place = make("div", { class: "sliders" });
  if (wanted === false || feed.set === undefined) return place;
  const parameters = feed.parameters();
  const shown = wanted ? parameters.filter(({ name }) => Object.hasOwn(wanted, name)) : parameters;
  for (const { name, value } of shown) {
    const options = wanted?.[name] ?? {};
    const [minimum, maximum] = rangeFor(value, options);
    const given = { label: options.label ?? name, value, minimum, maximum, unit: options.unit };
    place.append(slider(given, (next) => set({ [name]: next })));
  }
  return place;
}

/**
 * An animated picture of a mechanism. Created by {@link view}.
 *
 * @example
 * const shown = view(document.querySelector("#machine"), simulation);
 * shown.pause();
 * shown.look("front");
 * shown.dispose();
 */
export class View {
  readonly #options: ViewOptions;
  readonly #subject: ViewSubject;
  readonly #layout = new ViewLayout();
  readonly #end = new AbortController();
  readonly #renderer: SceneRenderer;
  readonly #viewCamera: ViewCamera;
  readonly #inspector: Inspector;
  readonly #legend: BodyList;
  readonly #controls: Controls;
  readonly #drag: DragControls;
  readonly #pixelRatio: PixelRatioControl;
  readonly #dark = matchMedia("(prefers-color-scheme: dark)");
  #show: Required<ShowOptions>;
  #theme: Theme = LIGHT;
  #highlight: number | undefined;
  #isStale = true;
  #drawn = Number.NaN;
  #last: number | undefined;
  #frame = 0;

  /** Use {@link view}. */
  constructor(element: HTMLElement, source: ViewSource, options: ViewOptions) {
    this.#options = options;
    const feed = feedOf(source, options.model, options.autoAdvance ?? true);
    const { from, up, follow, traces, draw } = options;
    const wanted = Object.entries({ from, up, follow, traces, draw });
    const given = Object.fromEntries(wanted.filter(([, value]) => value !== undefined));
    this.#subject = new ViewSubject(feed, given);
    this.#show = { ...SHOWN_AT_FIRST, names: options.labels ?? false, ...options.show };
    this.#viewCamera = new ViewCamera(this.#subject.scene.view, options.projection);
    this.#renderer = this.#createRenderer();
    this.#pixelRatio = new PixelRatioControl(this.#renderer);
    this.#inspector = new Inspector({
      close: () => this.select(undefined),
      trace: (name) => {
        this.#isStale = true;
        return this.#subject.toggleTrace(name);
      },
    });
    this.#legend = new BodyList(
      feed.data.bodies.map(({ name }) => name),
      {
        point: (body) => {
          this.#highlight = body;
          this.#isStale = true;
        },
        choose: (body) => this.#choose(feed.data.bodies[body]!.name),
      },
    );
    if (options.speed !== undefined) feed.speed = options.speed;
    this.#controls = new Controls(
      feed,
      this.#actions(),
      this.#show,
      this.#viewCamera.isPerspective,
    );
    this.#drag = this.#createDrag();
    this.#assemble(element);
    this.#layout.observe(() => this.#resize());
    this.#resize();
    this.#listen();
    this.#recolour();
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (feed.moves) feed.isPlaying = options.play ?? !isCalm;
    this.#frame = requestAnimationFrame((now) => this.#next(now));
  }

  /** Simulated time of the picture in seconds. */
  get time(): number {
    return this.#subject.feed.time;
  }

  /** Whether the view draws without WebGL. */
  get isFlat(): boolean {
    return this.#renderer instanceof CanvasRenderer;
  }

  /** Whether the motion is playing. */
  get isPlaying(): boolean {
    return this.#subject.feed.isPlaying;
  }

  /** Simulated seconds per real second. */
  get speed(): number {
    return this.#subject.feed.speed;
  }

  set speed(speed: number) {
    if (!(speed >= 0)) throw wrong(`speed is ${showValue(speed)}; give 0 or more: 1 is real time`);
    this.#subject.feed.speed = speed;
  }

  /** Starts playing. */
  play(): void {
    const { feed } = this.#subject;
    if (feed.moves) feed.isPlaying = true;
    this.#layout.showNotice("");
    this.#isStale = true;
  }

  /** Pauses the motion. */
  pause(): void {
    this.#subject.feed.isPlaying = false;
    this.#isStale = true;
  }

  /** Pauses, then moves by steps of a simulation or stored states of a solution; -1 goes back, if the source can. */
  step(count = 1): void {
    this.pause();
    this.#try(() => this.#subject.feed.step?.(count));
  }

  /** Returns to the initial state; parameters keep their values. */
  rewind(): void {
    this.#try(() => this.#subject.feed.rewind?.());
    this.#subject.forget();
    this.#isStale = true;
  }

  /** Goes to a time of a solution and pauses there. */
  seek(time: number): void {
    const { seek } = this.#subject.feed;
    if (seek === undefined) throw wrong("only solutions can seek: this source has no known span");
    this.pause();
    seek(time);
  }

  /** Looks from a side, or from a direction in the world, with everything in the picture. */
  look(from: NamedView | "home" | VectorLike): void {
    this.#viewCamera.look(from);
    this.#isStale = true;
  }

  /** Fits everything into the picture. */
  fit(): void {
    this.#viewCamera.fit();
    this.#isStale = true;
  }

  /** Shows or hides parts of the picture. */
  show(parts: ShowOptions): void {
    checkShown(parts);
    this.#show = { ...this.#show, ...parts };
    this.#isStale = true;
  }

  /** Selects a body, joint or force by its handle or name, and shows its values; undefined deselects. */
  select(part: string | Body | Joint | Force | undefined): void {
    const chosen = part === undefined ? undefined : this.#subject.named(part);
    this.#inspector.choose(chosen, this.#subject.feed);
    this.#legend.press(this.#subject.scene.bodies.findIndex(({ name }) => name === chosen?.name));
    this.#isStale = true;
  }

  /** Draws the next frame immediately. */
  draw(): void {
    this.#subject.read();
    this.#paint();
  }

  /** Returns the picture as a PNG. */
  async picture(): Promise<Blob> {
    this.#pixelRatio.reset();
    this.draw();
    return this.#layout.picture();
  }

  /** Removes the view from the page and frees its memory. The source is not changed. */
  dispose(): void {
    if (this.#end.signal.aborted) return;
    this.#drag.release();
    this.#end.abort();
    cancelAnimationFrame(this.#frame);
    this.#renderer.dispose();
    this.#layout.dispose();
  }

  #createRenderer(): SceneRenderer {
    let renderer: SceneRenderer | undefined;
    try {
      if (!this.#options.flat) renderer = new WebGlRenderer(this.#layout.place, LIGHT);
    } catch {
      this.#layout.showNotice(NO_WEBGL_NOTICE);
    }
    renderer ??= new CanvasRenderer(this.#layout.place, LIGHT);
    this.#build(renderer);
    describeKeys(renderer.canvas, this.#subject.scene.name);
    return renderer;
  }

  #build(renderer: SceneRenderer): void {
    const { scene, table } = this.#subject;
    renderer.build(scene, table, (name) => this.#subject.kindOf(name));
  }

  #createDrag(): DragControls {
    return new DragControls(
      {
        renderer: this.#renderer,
        feed: this.#subject.feed,
        table: () => this.#subject.table,
        select: (name) => this.#choose(name),
        isDraggable: this.#options.drag ?? true,
        holds: (isHolding) => {
          this.#renderer.canvas.classList.toggle("holds", isHolding);
          if (isHolding && !this.isPlaying)
            this.#layout.showNotice("Press play: dragged bodies move only while time passes.");
        },
        failed: (error) => this.#fail(error),
      },
      this.#end.signal,
    );
  }

  #actions(): ViewActions {
    return {
      toggle: () => this.#toggle(),
      step: (count) => this.step(count),
      rewind: () => this.rewind(),
      seek: (time) => this.seek(time),
      speed: (speed) => {
        this.speed = speed;
      },
      look: (from) => this.look(from),
      fit: () => this.fit(),
      project: (isPerspective) => this.#project(isPerspective),
      show: (parts) => this.show(parts),
    };
  }

  #assemble(element: HTMLElement): void {
    const { legend = true, controls = true, sliders: wanted } = this.#options;
    const { feed } = this.#subject;
    const set = (values: Readonly<Record<string, number>>) => {
      this.#isStale = true;
      return this.#try(() => feed.set?.(values));
    };
    this.#layout.assemble(
      element,
      legend ? [this.#legend.element] : [],
      [this.#inspector.element],
      controls ? [this.#controls.element, sliders(feed, wanted, set)] : [],
    );
  }

  #resize(): void {
    const { clientWidth: width, clientHeight: height } = this.#layout.place;
    if (width === 0 || height === 0) return;
    this.#viewCamera.camera.fit(width, height);
    this.#pixelRatio.resize(width, height);
    this.draw();
  }

  #listen(): void {
    const { signal } = this.#end;
    attachControls(
      {
        canvas: this.#renderer.canvas,
        camera: this.#viewCamera.camera,
        home: this.#subject.scene.view.from,
        changed: () => {
          this.#viewCamera.hold();
          this.#isStale = true;
        },
      },
      { step: (count) => this.step(count), takes: (event) => this.#drag.takes(event), signal },
    );
    const keys = {
      " ": () => this.#toggle(),
      f: () => this.fit(),
      n: () => this.show({ names: !this.#show.names }),
      p: () => this.#project(!this.#viewCamera.isPerspective),
      Escape: () => this.select(undefined),
    };
    handleKeys(this.#renderer.canvas, keys, signal);
    this.#dark.addEventListener("change", () => this.#recolour(), { signal });
  }

  #recolour(): void {
    const { theme = "auto" } = this.#options;
    const isDark = theme === "dark" || (theme === "auto" && this.#dark.matches);
    this.#theme = isDark ? DARK : LIGHT;
    this.#layout.isDark = isDark;
    const { length } = this.#subject.scene.bodies;
    this.#renderer.recolour(this.#theme, length);
    this.#legend.recolour(tintsOf(this.#theme, length));
    this.#isStale = true;
  }

  #next(now: number): void {
    this.#frame = requestAnimationFrame((next) => this.#next(next));
    const passed = Math.max(0, now - (this.#last ?? now)) / 1000;
    this.#last = now;
    if (!this.#layout.isVisible) return;
    const { feed } = this.#subject;
    this.#try(() => feed.advance(passed));
    const isMoving = feed.time !== this.#drawn;
    if (this.#pixelRatio.update(isMoving, this.isPlaying, 1000 * passed)) this.#isStale = true;
    if (!this.#isStale && !isMoving) return;
    this.#subject.read();
    if (this.#subject.refresh()) {
      this.#build(this.#renderer);
      this.#viewCamera.adapt(this.#subject.scene.view);
    }
    this.#paint();
  }

  #paint(): void {
    const subject = this.#subject;
    const { scene, table, scales, size, trails, feed } = subject;
    this.#isStale = false;
    this.#drawn = feed.time;
    this.#viewCamera.camera.follow(table);
    const kinds = (Object.keys(ARROWS) as ArrowKind[]).filter((kind) => this.#show[kind]);
    this.#renderer.draw({
      scene,
      table,
      camera: this.#viewCamera.camera,
      time: feed.time,
      shown: this.#show,
      arrows: subject.arrows(kinds),
      scales,
      size,
      trails,
      absent: subject.absent(),
      highlight: this.#highlight,
      isPerspective: this.#viewCamera.isPerspective,
    });
    this.#controls.update(this.#show);
    this.#inspector.update(feed, this.#theme);
  }

  #toggle(): void {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  #project(isPerspective: boolean): void {
    this.#viewCamera.isPerspective = isPerspective;
    this.#isStale = true;
  }

  /** Selects a part, or deselects it if it is selected already. */
  #choose(name: string | undefined): void {
    this.select(name === this.#inspector.chosen?.name ? undefined : name);
  }

  /** Runs an action; on an error shows it to the user, pauses and returns false. */
  #try(act: () => unknown): boolean {
    try {
      act();
      return true;
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  #fail(error: unknown): void {
    this.pause();
    this.#layout.showNotice(error instanceof Error ? error.message : String(error), true);
  }
}
