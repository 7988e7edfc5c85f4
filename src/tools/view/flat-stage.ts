// A flat picture, as reports draw it: where there is no WebGL.

import type { Camera, Point } from "../report/page/camera.js";
import { clear } from "../report/page/colours.js";
import { make } from "../report/page/dom.js";
import { paintArrow } from "../report/page/draw-forces.js";
import { drawItem } from "../report/page/draw-items.js";
import { ink, trail as line, type Pen } from "../report/page/pen.js";
import type { Named } from "./picture.js";
import { drawSigns, jointRadius, type Picked, penFor, type Shot, type Stage } from "./stage.js";
import { type Theme, tintsOf } from "./tints.js";

type Three = readonly [number, number, number];

/** What users are told. */
export const FLAT =
  "There is no WebGL here, so the picture is drawn flat, as in reports: it turns, but has no perspective.";

/** Pixels within which something is picked. */
const NEAR = 22;

export class FlatStage implements Stage {
  readonly canvas: HTMLCanvasElement;
  /** Lines are few pixels: fewer would not be faster. */
  readonly isSlow = false;
  #theme: Theme;
  #size: readonly [number, number] = [1, 1];
  #ratio = 1;
  #last: Shot | undefined;
  #kindOf: (name: string) => Named["kind"] = () => "joint";

  constructor(place: HTMLElement, theme: Theme) {
    this.#theme = theme;
    this.canvas = make("canvas", { class: "picture" });
    place.append(this.canvas);
  }

  build(...[, , kindOf]: Parameters<Stage["build"]>): void {
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

  sharpen(): void {}

  draw(shot: Shot): void {
    this.#last = shot;
    const context = this.canvas.getContext("2d")!;
    context.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
    context.fillStyle = this.#theme.surface;
    context.fillRect(0, 0, ...this.#size);
    const pen = penFor(context, shot, this.#theme);
    pen.unit = jointRadius(shot);
    pen.highlight = shot.highlight;
    this.#items(pen, shot, true);
    for (const trail of shot.trails) {
      const points = trail.upTo(shot.time, shot.table);
      const places = Array.from({ length: points.length / 3 }, (_, i) =>
        shot.camera.project([points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!]),
      );
      line(context, places);
      ink(context, clear(pen.edge(pen.colour(trail.anchor[0])), 0.7), 1.6);
    }
    this.#items(pen, shot, false);
    this.#arrows(pen, shot);
    drawSigns(pen, shot, (point) => this.project(point), this.#size);
  }

  #items(pen: Pen, { scene, absent, shown }: Shot, isFloor: boolean): void {
    for (const item of scene.items) {
      const isPart = (item.kind === "road" || item.kind === "plane") === isFloor;
      const isHidden = !shown.joints && (item.kind === "joint" || item.kind === "ground");
      if (isPart && !isHidden && !(item.of && absent.has(item.of))) drawItem(pen, item);
    }
    pen.flush();
  }

  #arrows(pen: Pen, { arrows, scales, size, camera, scene }: Shot): void {
    const tint = tintsOf(this.#theme, scene.bodies.length);
    for (const arrow of arrows) {
      const [from, to] = scales.drawn(arrow, size);
      paintArrow(pen.context, camera.project(from), camera.project(to), tint(arrow.kind), 2);
    }
  }

  get #camera(): Camera | undefined {
    return this.#last?.camera;
  }

  project(point: Three): Point {
    return this.#camera?.project(point) ?? [0, 0, 0];
  }

  /** The nearest joint or body by its symbol or centre of mass. */
  pick(x: number, y: number): Picked | undefined {
    const shot = this.#last;
    if (shot === undefined) return undefined;
    const { scene, table } = shot;
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
    return nearest !== undefined && far(nearest) < NEAR ? nearest : undefined;
  }

  /** Parallel light: pixels are lengths, wherever. */
  reach(x: number, y: number, asFarAs: Three): Three {
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
