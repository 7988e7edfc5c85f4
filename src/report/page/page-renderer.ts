// Renderer of an animation on its canvas.

import type { SceneData } from "../page-data.js";
import type { Scene } from "../scene-data.js";
import { Camera, type Vector } from "./camera.js";
import { colourOf } from "./colours.js";
import { drawAxes, drawGravity, drawNames, drawScale, Trace } from "./draw-corners.js";
import { drawItem } from "./draw-items.js";
import type { Motion } from "./motion.js";
import { Pen } from "./pen.js";
import { onTheme, theme } from "./theme.js";

/** Maximum and minimum radius of a joint in pixels, and its radius relative to a typical part. */
const MAX_JOINT_RADIUS_PX = 6.5;
const MIN_JOINT_RADIUS_PX = 1.1;
const JOINT_RADIUS_FRACTION = 0.085;

export class PageRenderer {
  readonly camera: Camera;
  names: boolean;
  time: number;
  /** Whether the picture is out of date. */
  isStale = true;
  readonly #pen: Pen;
  readonly #traces: readonly { readonly trace: Trace; readonly own: Vector }[];
  readonly #ends: readonly (() => void)[];
  #isVisible = true;
  #width = 0;
  #height = 0;

  constructor(
    readonly scene: SceneData | Scene,
    readonly motion: Motion,
    readonly canvas: HTMLCanvasElement,
  ) {
    this.camera = new Camera(scene.view);
    this.time = this.motion.start;
    this.names = scene.labels;
    const context = canvas.getContext("2d")!;
    this.#pen = new Pen(context, this.camera, this.motion, theme(), this.colours());
    this.#traces = scene.traces.map(([body, x, y, z]) => {
      const own: Vector = [x, y, z];
      return { trace: new Trace(body, own, this.#pen, this.motion), own };
    });
    const offTheme = onTheme(() => {
      this.#pen.theme = theme();
      this.#pen.colours = this.colours();
      this.paint();
    });
    const size = new ResizeObserver(() => this.#resize());
    const sight = new IntersectionObserver((entries) => {
      this.#isVisible = entries.some(({ isIntersecting }) => isIntersecting);
    });
    size.observe(canvas);
    sight.observe(canvas);
    this.#ends = [offTheme, () => size.disconnect(), () => sight.disconnect()];
  }

  /** Releases the canvas, for another motion. */
  dispose(): void {
    for (const end of this.#ends) end();
  }

  /** Repaints if the picture is out of date and visible. */
  refresh(): void {
    if (this.isStale && this.#isVisible) this.paint();
  }

  colours(): readonly string[] {
    const { length } = this.scene.bodies;
    return this.scene.bodies.map((_, i) => colourOf(theme(), i, length));
  }

  /** Highlighted body, if any. */
  set highlight(body: number | undefined) {
    this.#pen.highlight = body;
    this.isStale = true;
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this.canvas;
    if (clientWidth === 0 || clientHeight === 0) return;
    [this.#width, this.#height] = [clientWidth, clientHeight];
    this.camera.fit(clientWidth, clientHeight);
    this.paint();
  }

  /** Draws the mechanism at the present time. */
  paint(): void {
    this.isStale = false;
    const ratio = devicePixelRatio || 1;
    const [width, height] = [this.#width, this.#height];
    if (width === 0) return;
    const sizes = [Math.round(width * ratio), Math.round(height * ratio)] as const;
    // Setting a size clears the canvas and allocates it again.
    if (this.canvas.width !== sizes[0]) this.canvas.width = sizes[0];
    if (this.canvas.height !== sizes[1]) this.canvas.height = sizes[1];
    const pen = this.#pen;
    const { context } = pen;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = pen.theme.surface;
    context.fillRect(0, 0, width, height);
    this.motion.moveTo(this.time);
    this.camera.follow(this.motion);
    const part = JOINT_RADIUS_FRACTION * this.scene.view.detail * this.camera.scale;
    pen.unit = Math.min(MAX_JOINT_RADIUS_PX, Math.max(MIN_JOINT_RADIUS_PX, part));
    this.#drawItems(true);
    const frame = this.motion.frameAt(this.time);
    for (const { trace, own } of this.#traces)
      trace.draw(frame, this.motion.point(trace.body, ...own));
    this.#drawItems(false);
    if (this.names) drawNames(pen, this.scene.bodies, width, height);
    drawAxes(pen, height);
    drawGravity(pen, this.scene.gravity, width);
    drawScale(pen, this.scene.frames.lengthUnit, width, height);
  }

  /** Draws roads and planes, which lie below traces, or all other items, which lie above. */
  #drawItems(isFloor: boolean): void {
    const absent = new Set(
      this.scene.frames.absences
        ?.filter(({ from, to }) => from <= this.time && this.time < to)
        .map(({ name }) => name),
    );
    for (const item of this.scene.items) {
      const isPart = (item.kind === "road" || item.kind === "plane") === isFloor;
      if (isPart && (item.of === undefined || !absent.has(item.of))) drawItem(this.#pen, item);
    }
    this.#pen.flush();
  }
}
