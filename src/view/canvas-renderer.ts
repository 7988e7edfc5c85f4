// 2D picture as in reports, used without WebGL.

import type { Camera, Point, Vector } from "../report/page/camera.js";
import { clear } from "../report/page/colours.js";
import { make } from "../report/page/dom.js";
import { paintArrow } from "../report/page/draw-forces.js";
import { drawItem } from "../report/page/draw-items.js";
import { ink, trail as line, type Pen } from "../report/page/pen.js";
import type { NamedPart } from "./picture.js";
import {
  drawOverlay,
  jointRadius,
  type Picked,
  penFor,
  type RenderFrame,
  type SceneRenderer,
} from "./renderer.js";
import { type Theme, tintsOf } from "./tints.js";

/** Notice shown to the user. */
export const NO_WEBGL_NOTICE =
  "WebGL is not available: the picture is drawn in 2D, as in reports. It can be rotated, but has no perspective.";

/** Distance in pixels within which a part is picked. */
const PICK_RADIUS_PX = 22;

export class CanvasRenderer implements SceneRenderer {
  readonly canvas: HTMLCanvasElement;
  /** False: a lower resolution would not make line drawing faster. */
  readonly isSoftware = false;
  #theme: Theme;
  #size: readonly [number, number] = [1, 1];
  #ratio = 1;
  #last: RenderFrame | undefined;
  #kindOf: (name: string) => NamedPart["kind"] = () => "joint";

  constructor(place: HTMLElement, theme: Theme) {
    this.#theme = theme;
    this.canvas = make("canvas", { class: "picture" });
    place.append(this.canvas);
  }

  build(...[, , kindOf]: Parameters<SceneRenderer["build"]>): void {
    this.#kindOf = kindOf;
  }

  recolour(theme: Theme): void {
    this.#theme = theme;
  }

  resize(width: number, height: number, ratio: number): void {
    this.#size = [width, height];
    this.#ratio = ratio;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
  }

  setPixelRatio(): void {}

  draw(frame: RenderFrame): void {
    this.#last = frame;
    const context = this.canvas.getContext("2d")!;
    context.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
    context.fillStyle = this.#theme.surface;
    context.fillRect(0, 0, ...this.#size);
    const pen = penFor(context, frame, this.#theme);
    pen.unit = jointRadius(frame);
    pen.highlight = frame.highlight;
    this.#items(pen, frame, true);
    for (const trail of frame.trails) {
      const points = trail.upTo(frame.time, frame.table);
      const places = Array.from({ length: points.length / 3 }, (_, i) =>
        frame.camera.project([points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!]),
      );
      line(context, places);
      ink(context, clear(pen.edge(pen.colour(trail.anchor[0])), 0.7), 1.6);
    }
    this.#items(pen, frame, false);
    this.#arrows(pen, frame);
    drawOverlay(pen, frame, (point) => this.project(point), this.#size);
  }

  #items(pen: Pen, { scene, absent, shown }: RenderFrame, isFloor: boolean): void {
    for (const item of scene.items) {
      const isPart = (item.kind === "road" || item.kind === "plane") === isFloor;
      const isHidden = !shown.joints && (item.kind === "joint" || item.kind === "ground");
      if (isPart && !isHidden && !(item.of && absent.has(item.of))) drawItem(pen, item);
    }
    pen.flush();
  }

  #arrows(pen: Pen, { arrows, scales, size, camera, scene }: RenderFrame): void {
    const tint = tintsOf(this.#theme, scene.bodies.length);
    for (const arrow of arrows) {
      const [from, to] = scales.drawn(arrow, size);
      paintArrow(pen.context, camera.project(from), camera.project(to), tint(arrow.kind), 2);
    }
  }

  get #camera(): Camera | undefined {
    return this.#last?.camera;
  }

  project(point: Vector): Point {
    return this.#camera?.project(point) ?? [0, 0, 0];
  }

  /** Returns the nearest joint or body, by its symbol or centre of mass. */
  pick(x: number, y: number): Picked | undefined {
    const frame = this.#last;
    if (frame === undefined) return undefined;
    const { scene, table } = frame;
    const joints = scene.items.flatMap((item): Picked[] =>
      item.kind === "joint" && item.of !== undefined
        ? [{ kind: this.#kindOf(item.of), name: item.of, body: -1, at: table.point(...item.at) }]
        : [],
    );
    const bodies = scene.bodies.map(
      ({ name, centre }, body): Picked => ({
        kind: "body",
        name,
        body,
        at: table.point(body, ...centre),
      }),
    );
    const far = ({ at }: Picked) => {
      const [a, b] = this.project(at);
      return Math.hypot(a - x, b - y);
    };
    const nearest = [...joints, ...bodies].sort((a, b) => far(a) - far(b))[0];
    return nearest !== undefined && far(nearest) < PICK_RADIUS_PX ? nearest : undefined;
  }

  /** In a parallel projection pixels are lengths at any depth. */
  reach(x: number, y: number, asFarAs: Vector): Vector {
    const camera = this.#camera;
    if (camera === undefined) return asFarAs;
    const [a, b] = this.project(asFarAs);
    const { right, up } = camera.sight;
    const [dx, dy] = [(x - a) / camera.scale, (b - y) / camera.scale];
    const at = (i: 0 | 1 | 2) => asFarAs[i] + dx * right[i] + dy * up[i];
    return [at(0), at(1), at(2)];
  }

  dispose(): void {
    this.canvas.remove();
    this.#last = undefined;
  }
}
