// A view: puts a subject, a stage and buttons together, and lets time pass.

import type { Body, Force, Joint, VectorLike } from "../../bodies.js";
import { show as told } from "../../ground/checking/index.js";
import { handleView } from "../report/page/hands.js";
import type { NamedView } from "../report/view.js";
import { ARROWS, type ArrowKind } from "./arrows.js";
import { type ControlActions, Controls } from "./controls.js";
import { DragHand } from "./drag.js";
import { feedOf } from "./feeds.js";
import { FLAT, FlatStage } from "./flat-stage.js";
import { Gaze } from "./gaze.js";
import { Inspector } from "./inspector.js";
import { describeKeys, handleKeys } from "./keys.js";
import { Legend } from "./legend.js";
import {
  checkShown,
  SHOWN_AT_FIRST,
  type ShowOptions,
  type ViewOptions,
  wrong,
} from "./options.js";
import { Sharpness } from "./sharpness.js";
import { Shell } from "./shell.js";
import { sliders } from "./sliders.js";
import type { ViewSource } from "./source.js";
import { SpaceStage } from "./space-stage.js";
import type { Stage } from "./stage.js";
import { Subject } from "./subject.js";
import { DARK, LIGHT, type Theme, tintsOf } from "./tints.js";

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
  readonly #shell = new Shell();
  readonly #end = new AbortController();
  readonly #stage: Stage;
  readonly #gaze: Gaze;
  readonly #inspector: Inspector;
  readonly #legend: Legend;
  readonly #controls: Controls;
  readonly #drag: DragHand;
  readonly #sharpness: Sharpness;
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
    const feed = feedOf(source, options.model, options.drive ?? true);
    const { from, up, follow, traces, draw } = options;
    const wanted = Object.entries({ from, up, follow, traces, draw });
    const given = Object.fromEntries(wanted.filter(([, value]) => value !== undefined));
    this.#subject = new Subject(feed, given);
    this.#show = { ...SHOWN_AT_FIRST, names: options.labels ?? false, ...options.show };
    this.#gaze = new Gaze(this.#subject.scene.view, options.projection);
    this.#stage = this.#newStage();
    this.#sharpness = new Sharpness(this.#stage);
    this.#inspector = new Inspector({
      close: () => this.select(undefined),
      trace: (name) => {
        this.#isStale = true;
        return this.#subject.toggleTrace(name);
      },
    });
    this.#legend = new Legend(
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
    this.#controls = new Controls(feed, this.#actions(), this.#show, this.#gaze.isPerspective);
    this.#drag = this.#newDrag();
    this.#assemble(element);
    this.#shell.observe(() => this.#resize());
    this.#resize();
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
    this.#shell.tell("");
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
    this.#gaze.look(from);
    this.#isStale = true;
  }

  /** Puts everything into the picture. */
  fit(): void {
    this.#gaze.fit();
    this.#isStale = true;
  }

  /** Shows or hides parts of the picture. */
  show(parts: ShowOptions): void {
    checkShown(parts);
    this.#show = { ...this.#show, ...parts };
    this.#isStale = true;
  }

  /** Shows the numbers of a body, joint or force, by its handle or its name; undefined: of none. */
  select(part: string | Body | Joint | Force | undefined): void {
    const chosen = part === undefined ? undefined : this.#subject.named(part);
    this.#inspector.choose(chosen, this.#subject.feed);
    this.#legend.press(this.#subject.scene.bodies.findIndex(({ name }) => name === chosen?.name));
    this.#isStale = true;
  }

  /** Draws at once what would be drawn in the next frame. */
  draw(): void {
    this.#subject.read();
    this.#paint();
  }

  /** The picture as a PNG. */
  async picture(): Promise<Blob> {
    this.#sharpness.whole();
    this.draw();
    return this.#shell.picture();
  }

  /** Takes everything out of the page and gives its memory back. The source stays as it is. */
  dispose(): void {
    if (this.#end.signal.aborted) return;
    this.#drag.release();
    this.#end.abort();
    cancelAnimationFrame(this.#frame);
    this.#stage.dispose();
    this.#shell.dispose();
  }

  #newStage(): Stage {
    let stage: Stage | undefined;
    try {
      if (!this.#options.flat) stage = new SpaceStage(this.#shell.place, LIGHT);
    } catch {
      this.#shell.tell(FLAT);
    }
    stage ??= new FlatStage(this.#shell.place, LIGHT);
    this.#build(stage);
    describeKeys(stage.canvas, this.#subject.scene.name);
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
          if (isHolding && !this.isPlaying) this.#shell.tell("Press play, then it follows.");
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
    const { legend = true, controls = true, sliders: wanted } = this.#options;
    const { feed } = this.#subject;
    const set = (values: Readonly<Record<string, number>>) => {
      this.#isStale = true;
      return this.#try(() => feed.set?.(values));
    };
    this.#shell.assemble(
      element,
      legend ? [this.#legend.element] : [],
      [this.#inspector.element],
      controls ? [this.#controls.element, sliders(feed, wanted, set)] : [],
    );
  }

  #resize(): void {
    const { clientWidth: width, clientHeight: height } = this.#shell.place;
    if (width === 0 || height === 0) return;
    this.#gaze.camera.fit(width, height);
    this.#sharpness.resize(width, height);
    this.draw();
  }

  #listen(): void {
    const { signal } = this.#end;
    handleView(
      {
        canvas: this.#stage.canvas,
        camera: this.#gaze.camera,
        home: this.#subject.scene.view.from,
        changed: () => {
          this.#gaze.hold();
          this.#isStale = true;
        },
        step: (count) => this.step(count),
        takes: (event) => this.#drag.takes(event),
      },
      signal,
    );
    const keys = {
      " ": () => this.#toggle(),
      f: () => this.fit(),
      n: () => this.show({ names: !this.#show.names }),
      p: () => this.#project(!this.#gaze.isPerspective),
      Escape: () => this.select(undefined),
    };
    handleKeys(this.#stage.canvas, keys, signal);
    this.#dark.addEventListener("change", () => this.#recolour(), { signal });
  }

  #recolour(): void {
    const { theme = "auto" } = this.#options;
    const isDark = theme === "dark" || (theme === "auto" && this.#dark.matches);
    this.#theme = isDark ? DARK : LIGHT;
    this.#shell.isDark = isDark;
    const { length } = this.#subject.scene.bodies;
    this.#stage.recolour(this.#theme, length);
    this.#legend.recolour(tintsOf(this.#theme, length));
    this.#isStale = true;
  }

  #next(now: number): void {
    this.#frame = requestAnimationFrame((next) => this.#next(next));
    const passed = Math.max(0, now - (this.#last ?? now)) / 1000;
    this.#last = now;
    if (!this.#shell.isVisible) return;
    const { feed } = this.#subject;
    this.#try(() => feed.advance(passed));
    const isMoving = feed.time !== this.#drawn;
    if (this.#sharpness.isOther(isMoving, this.isPlaying, 1000 * passed)) this.#isStale = true;
    if (!this.#isStale && !isMoving) return;
    this.#subject.read();
    if (this.#subject.refresh()) {
      this.#build(this.#stage);
      this.#gaze.adapt(this.#subject.scene.view);
    }
    this.#paint();
  }

  #paint(): void {
    const subject = this.#subject;
    const { scene, table, scales, size, trails, feed } = subject;
    this.#isStale = false;
    this.#drawn = feed.time;
    this.#gaze.camera.follow(table);
    const kinds = (Object.keys(ARROWS) as ArrowKind[]).filter((kind) => this.#show[kind]);
    this.#stage.draw({
      scene,
      table,
      camera: this.#gaze.camera,
      time: feed.time,
      shown: this.#show,
      arrows: subject.arrows(kinds),
      scales,
      size,
      trails,
      absent: subject.absent(),
      highlight: this.#highlight,
      isPerspective: this.#gaze.isPerspective,
    });
    this.#controls.update(this.#show);
    this.#inspector.update(feed, this.#theme);
  }

  #toggle(): void {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  #project(isPerspective: boolean): void {
    this.#gaze.isPerspective = isPerspective;
    this.#isStale = true;
  }

  /** A second click on the same lets go of it. */
  #choose(name: string | undefined): void {
    this.select(name === this.#inspector.chosen?.name ? undefined : name);
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
    this.#shell.tell(error instanceof Error ? error.message : String(error), true);
  }
}
