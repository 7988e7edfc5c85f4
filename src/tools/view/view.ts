// A view: puts a subject, a stage and buttons together, and lets time pass.

import type { VectorLike } from "../../bodies.js";
import { vector } from "../../describe/model/option-checks.js";
import { unit } from "../../ground/algebra/vectors.js";
import { show as told } from "../../ground/checking/index.js";
import { NodriftError } from "../../ground/errors.js";
import { Camera, type Three } from "../report/page/camera.js";
import { make } from "../report/page/dom.js";
import { handleView } from "../report/page/hands.js";
import type { NamedView } from "../report/view.js";
import { ARROWS, type ArrowKind } from "./arrows.js";
import { type ControlActions, Controls } from "./controls.js";
import { DragHand } from "./drag.js";
import { feedOf } from "./feeds.js";
import { FlatStage } from "./flat-stage.js";
import { Inspector } from "./inspector.js";
import { Legend } from "./legend.js";
import { checkShown, checkViewOptions, type ShowOptions, type ViewOptions } from "./options.js";
import { sliders } from "./sliders.js";
import type { ViewSource } from "./source.js";
import { SpaceStage } from "./space-stage.js";
import type { Stage } from "./stage.js";
import { viewStyle } from "./style.js";
import { Subject } from "./subject.js";
import { DARK, LIGHT, type Theme, tintsOf } from "./tints.js";

const FLAT =
  "There is no WebGL here, so the picture is drawn flat, as in reports: it turns, but has no perspective.";
const KEYS =
  "Space plays, left and right arrows step, with Shift arrows turn the view, plus and minus zoom, F fits, P changes " +
  "the perspective, N shows names, Escape lets go.";
/** Pixels of a screen for one of the page: more are not seen, and cost time. */
const SHARPEST = 2;
const DEFAULTS: Required<ShowOptions> = {
  names: false,
  joints: true,
  frames: false,
  masses: false,
  grid: true,
  reactions: false,
  forces: false,
  velocities: false,
};

function wrong(text: string): NodriftError {
  return new NodriftError("DESCRIPTION", `view: ${text}`);
}

/**
 * A picture of a mechanism that moves. Made by {@link view}.
 *
 * @example
 * const shown = view(document.querySelector("#machine"), simulation);
 * shown.pause();
 * shown.look("front");
 * shown.dispose();
 */
export class View {
  readonly #options: ViewOptions;
  readonly #subject: Subject;
  readonly #host = make("div", { class: "nodrift-view" });
  readonly #place = make("div", { class: "stage" });
  readonly #notice = make("p", { class: "notice", role: "status" });
  readonly #end = new AbortController();
  readonly #stage: Stage;
  readonly #camera: Camera;
  readonly #inspector: Inspector;
  readonly #legend: Legend;
  readonly #controls: Controls;
  readonly #drag: DragHand;
  readonly #observers: readonly { disconnect(): void }[];
  readonly #dark = matchMedia("(prefers-color-scheme: dark)");
  #show: Required<ShowOptions>;
  #isPerspective: boolean;
  #theme: Theme = LIGHT;
  #highlight: number | undefined;
  #isVisible = true;
  #isStale = true;
  #isTouched = false;
  #drawn = Number.NaN;
  #last: number | undefined;
  #frame = 0;

  /** Use {@link view}. */
  constructor(element: HTMLElement, source: ViewSource, options: ViewOptions) {
    this.#options = options;
    const feed = feedOf(source, options.model, options.drive ?? true);
    const { from, up, follow, traces, draw } = options;
    const wanted = Object.entries({ from, up, follow, traces, draw });
    const given = Object.fromEntries(wanted.filter(([, value]) => value !== undefined));
    this.#subject = new Subject(feed, given);
    this.#show = { ...DEFAULTS, ...options.show };
    this.#isPerspective = options.projection !== "orthographic";
    this.#camera = new Camera(this.#subject.scene.view);
    this.#stage = this.#newStage();
    this.#inspector = new Inspector({
      close: () => this.select(undefined),
      trace: (name) => this.#trace(name),
    });
    this.#legend = new Legend(
      feed.data.bodies.map(({ name }) => name),
      {
        point: (body) => this.#point(body),
        choose: (body) => this.#choose(feed.data.bodies[body]!.name),
      },
    );
    if (options.speed !== undefined) feed.speed = options.speed;
    this.#controls = new Controls(feed, this.#actions(), this.#show, this.#isPerspective);
    this.#drag = this.#newDrag();
    this.#assemble(element);
    this.#observers = this.#observe();
    this.#listen();
    this.#recolour();
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (feed.moves) feed.isPlaying = options.play ?? !isCalm;
    this.#frame = requestAnimationFrame((now) => this.#next(now));
  }

  /** Simulated time of the picture. */
  get time(): number {
    return this.#subject.feed.time;
  }

  /** Whether it is drawn without WebGL. */
  get isFlat(): boolean {
    return this.#stage instanceof FlatStage;
  }

  /** Whether time passes. */
  get isPlaying(): boolean {
    return this.#subject.feed.isPlaying;
  }

  /** Simulated seconds in a real one. */
  get speed(): number {
    return this.#subject.feed.speed;
  }

  set speed(speed: number) {
    if (!(speed >= 0)) throw wrong(`speed is ${told(speed)}; give 0 or more: 1 is real time`);
    this.#subject.feed.speed = speed;
  }

  /** Lets time pass. */
  play(): void {
    const { feed } = this.#subject;
    if (feed.moves) feed.isPlaying = true;
    this.#tell("");
    this.#isStale = true;
  }

  /** Stops time. */
  pause(): void {
    this.#subject.feed.isPlaying = false;
    this.#isStale = true;
  }

  /** One step of a simulation, or one stored state of a solution, after a pause; -1 goes back, where it can. */
  step(count = 1): void {
    this.pause();
    this.#try(() => this.#subject.feed.step?.(count));
  }

  /** Back to the start; numbers that were set stay. */
  rewind(): void {
    this.#try(() => this.#subject.feed.rewind?.());
    this.#subject.forget();
    this.#isStale = true;
  }

  /** Goes to a time of a solution, and stays there. */
  seek(time: number): void {
    const { seek } = this.#subject.feed;
    if (seek === undefined) throw wrong("seek is for solutions: this motion is made as it goes");
    this.pause();
    seek(time);
  }

  /** Looks from a side, or from a direction in the world, with everything in the picture. */
  look(from: NamedView | "home" | VectorLike): void {
    this.#camera.lookFrom(this.#directionOf(from));
    this.#touch(false);
  }

  /** Puts everything into the picture. */
  fit(): void {
    const { towards } = this.#camera.sight;
    this.#camera.reframe(this.#subject.scene.view);
    this.#camera.lookFrom(towards);
    this.#touch(false);
  }

  /** Shows or hides parts of the picture. */
  show(parts: ShowOptions): void {
    checkShown(parts);
    this.#show = { ...this.#show, ...parts };
    this.#isStale = true;
  }

  /** Shows the numbers of a body, joint or force; undefined: of none. */
  select(name: string | undefined): void {
    const { feed } = this.#subject;
    this.#inspector.choose(name === undefined ? undefined : this.#subject.named(name), feed);
    this.#legend.press(feed.data.bodies.findIndex((body) => body.name === name));
    this.#isStale = true;
  }

  /** Draws at once what would be drawn in the next frame. */
  draw(): void {
    this.#subject.read();
    this.#paint();
  }

  /** The picture as a PNG. */
  async picture(): Promise<Blob> {
    this.draw();
    const [first, ...others] = this.#place.querySelectorAll<HTMLCanvasElement>(".picture, .signs");
    const whole = make("canvas", {});
    [whole.width, whole.height] = [first!.width, first!.height];
    const context = whole.getContext("2d")!;
    for (const canvas of [first!, ...others]) context.drawImage(canvas, 0, 0);
    return new Promise((done, fail) =>
      whole.toBlob((blob) => (blob ? done(blob) : fail(wrong("the picture could not be made")))),
    );
  }

  /** Takes everything out of the page and gives its memory back. The source stays as it is. */
  dispose(): void {
    if (this.#end.signal.aborted) return;
    this.#drag.release();
    this.#end.abort();
    cancelAnimationFrame(this.#frame);
    for (const observer of this.#observers) observer.disconnect();
    this.#stage.dispose();
    this.#host.remove();
  }

  #newStage(): Stage {
    let stage: Stage | undefined;
    try {
      if (!this.#options.flat) stage = new SpaceStage(this.#place, LIGHT);
    } catch {
      this.#tell(FLAT);
    }
    stage ??= new FlatStage(this.#place, LIGHT);
    this.#build(stage);
    stage.canvas.tabIndex = 0;
    stage.canvas.setAttribute("role", "img");
    stage.canvas.setAttribute("aria-label", `${this.#subject.scene.name}. ${KEYS}`);
    return stage;
  }

  #build(stage: Stage): void {
    const { scene, table } = this.#subject;
    stage.build(scene, table, (name) => this.#subject.kindOf(name));
  }

  #newDrag(): DragHand {
    return new DragHand(
      {
        stage: this.#stage,
        feed: this.#subject.feed,
        table: () => this.#subject.table,
        select: (name) => this.#choose(name),
        isDraggable: this.#options.drag ?? true,
        holds: (isHolding) => {
          this.#stage.canvas.classList.toggle("holds", isHolding);
          if (isHolding && !this.isPlaying) this.#tell("Press play, then it follows.");
        },
        failed: (error) => this.#fail(error),
      },
      this.#end.signal,
    );
  }

  #actions(): ControlActions {
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
    const root = this.#host.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [viewStyle()];
    const whole = make("div", { class: "view" }, this.#place);
    if (this.#options.legend ?? true) this.#place.append(this.#legend.element);
    this.#place.append(this.#inspector.element, this.#notice);
    if (this.#options.controls ?? true) {
      const { feed } = this.#subject;
      const set = (values: Readonly<Record<string, number>>) => {
        this.#isStale = true;
        return this.#try(() => feed.set?.(values));
      };
      whole.append(this.#controls.element, sliders(feed, this.#options.sliders, set));
    }
    root.append(whole);
    element.append(this.#host);
  }

  #observe(): readonly { disconnect(): void }[] {
    const sizes = new ResizeObserver(() => this.#resize());
    sizes.observe(this.#place);
    const sight = new IntersectionObserver((entries) => {
      this.#isVisible = entries.some(({ isIntersecting }) => isIntersecting);
    });
    sight.observe(this.#host);
    this.#resize();
    return [sizes, sight];
  }

  #resize(): void {
    const { clientWidth: width, clientHeight: height } = this.#place;
    if (width === 0 || height === 0) return;
    this.#camera.fit(width, height);
    this.#stage.resize(width, height, Math.min(SHARPEST, devicePixelRatio || 1));
    this.draw();
  }

  #listen(): void {
    const { signal } = this.#end;
    handleView(
      {
        canvas: this.#stage.canvas,
        camera: this.#camera,
        home: this.#subject.scene.view.from,
        changed: () => this.#touch(true),
        step: (count) => this.step(count),
        takes: (event) => this.#drag.takes(event),
      },
      signal,
    );
    const keys: Readonly<Record<string, () => void>> = {
      " ": () => this.#toggle(),
      f: () => this.fit(),
      n: () => this.show({ names: !this.#show.names }),
      p: () => this.#project(!this.#isPerspective),
      Escape: () => this.select(undefined),
    };
    this.#stage.canvas.addEventListener(
      "keydown",
      (event) => {
        const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
        if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        act();
      },
      { signal },
    );
    this.#dark.addEventListener("change", () => this.#recolour(), { signal });
  }

  #recolour(): void {
    const { theme = "auto" } = this.#options;
    const isDark = theme === "dark" || (theme === "auto" && this.#dark.matches);
    this.#theme = isDark ? DARK : LIGHT;
    this.#host.toggleAttribute("data-dark", isDark);
    const { length } = this.#subject.scene.bodies;
    this.#stage.recolour(this.#theme, length);
    this.#legend.recolour(tintsOf(this.#theme, length));
    this.#isStale = true;
  }

  #next(now: number): void {
    this.#frame = requestAnimationFrame((next) => this.#next(next));
    const passed = this.#last === undefined ? 0 : (now - this.#last) / 1000;
    this.#last = now;
    if (!this.#isVisible) return;
    const { feed } = this.#subject;
    this.#try(() => feed.advance(passed));
    if (!this.#isStale && feed.time === this.#drawn) return;
    this.#subject.read();
    if (this.#subject.refresh()) this.#rebuild();
    this.#paint();
  }

  #rebuild(): void {
    this.#build(this.#stage);
    if (!this.#isTouched) this.#camera.reframe(this.#subject.scene.view);
  }

  #paint(): void {
    const subject = this.#subject;
    const { scene, table, scales, size, trails, feed } = subject;
    this.#isStale = false;
    this.#drawn = feed.time;
    this.#camera.follow(table);
    const kinds = (Object.keys(ARROWS) as ArrowKind[]).filter((kind) => this.#show[kind]);
    this.#stage.draw({
      scene,
      table,
      camera: this.#camera,
      time: feed.time,
      shown: this.#show,
      arrows: subject.arrows(kinds),
      scales,
      size,
      trails,
      absent: subject.absent(),
      highlight: this.#highlight,
      isPerspective: this.#isPerspective,
    });
    this.#controls.update(this.#show);
    this.#inspector.update(feed, this.#theme);
  }

  #toggle(): void {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  #touch(isTouched: boolean): void {
    this.#isTouched = isTouched;
    this.#isStale = true;
  }

  #project(isPerspective: boolean): void {
    this.#isPerspective = isPerspective;
    this.#isStale = true;
  }

  #point(body: number | undefined): void {
    this.#highlight = body;
    this.#isStale = true;
  }

  /** A second click on the same lets go of it. */
  #choose(name: string | undefined): void {
    this.select(name === this.#inspector.chosen?.name ? undefined : name);
  }

  #trace(name: string): boolean {
    this.#isStale = true;
    const isOn = this.#subject.toggleTrace(name);
    this.#build(this.#stage);
    return isOn;
  }

  #directionOf(from: NamedView | "home" | VectorLike): Three {
    const { up, right, from: home } = this.#subject.scene.view;
    if (typeof from !== "string") return unit(vector("view", "from", from));
    const towards: Three = [
      right[1] * up[2] - right[2] * up[1],
      right[2] * up[0] - right[0] * up[2],
      right[0] * up[1] - right[1] * up[0],
    ];
    const mix = (t: number, r: number, u: number): Three =>
      unit([0, 1, 2].map((i) => t * towards[i]! + r * right[i]! + u * up[i]!) as unknown as Three);
    const views = { home, front: towards, side: right, top: up, isometric: mix(0.9, 0.62, 0.55) };
    if (from in views) return views[from];
    throw wrong(`there is no view "${from}"; there are ${Object.keys(views).join(", ")}`);
  }

  /** Tells the user, instead of the console, what went wrong; the motion stops there. */
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
    this.#tell(error instanceof Error ? error.message : String(error), true);
  }

  #tell(text: string, isBad = false): void {
    this.#notice.textContent = text;
    this.#notice.classList.toggle("bad", isBad);
  }
}

/**
 * Shows a mechanism in an element of a page: bodies, joints, springs, roads, arrows of forces, plots; it plays, pauses, steps and
 * is dragged. Needs `three` beside nodrift; without WebGL it draws flat.
 *
 * @example
 * const simulation = (await compile(m)).simulate({ step: 1 / 240 });
 * const shown = view(document.querySelector("#machine"), simulation, { show: { reactions: true } });
 */
export function view(element: HTMLElement, source: ViewSource, options: ViewOptions = {}): View {
  if (typeof (element as Partial<HTMLElement> | null)?.append !== "function") {
    throw wrong(`the element is ${told(element)}; give one of the page, like document.body`);
  }
  checkViewOptions(options);
  return new View(element, source, options);
}
