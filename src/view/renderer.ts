// Interface of the renderers of a view: WebGL in 3D, or a 2D canvas as in reports. Both share an overlay with names, axes
// and scales.

import { jointRadius, paintFlat } from "../draw/animation.js";
import type { Camera, Point, Vector } from "../draw/camera.js";
import { type Theme, tintsOf } from "../draw/colours.js";
import { make } from "../draw/dom.js";
import type { PoseTable, Trail } from "../draw/motion.js";
import { paintAids, write } from "../draw/paint-aids.js";
import { paintArrow } from "../draw/paint-forces.js";
import { Pen } from "../draw/pen.js";
import type { Scene } from "../draw/scene-data.js";
import { shortNumber } from "../draw/text.js";
import { ARROWS, type Arrow, type ArrowKind, type Arrows } from "./arrows.js";
import type { NamedPart, Shown } from "./picture.js";

/** Input of one rendered frame. */
export interface RenderFrame {
  readonly scene: Scene;
  readonly table: PoseTable;
  readonly camera: Camera;
  readonly time: number;
  readonly shown: Shown & { readonly names: boolean };
  readonly arrows: readonly Arrow[];
  readonly scales: Arrows;
  /** Size of the mechanism. */
  readonly size: number;
  readonly trails: readonly Trail[];
  /** Joints and forces that are absent now. */
  readonly absent: ReadonlySet<string>;
  readonly highlight: number | undefined;
  readonly isPerspective: boolean;
}

/** A part under the pointer. */
export interface Picked extends NamedPart {
  /** Index of the body, if the part is one. */
  readonly body: number;
  /** Point in the world. */
  readonly at: Vector;
}

export interface SceneRenderer {
  /** Receives pointer and key events. */
  readonly canvas: HTMLCanvasElement;
  build(scene: Scene, table: PoseTable, kindOf: (name: string) => NamedPart["kind"]): void;
  recolour(theme: Theme, bodies: number): void;
  resize(width: number, height: number, ratio: number): void;
  /** Whether rendering is done in software. */
  readonly isSoftware: boolean;
  /** Sets the device pixels per CSS pixel of the picture; the overlay keeps full resolution. */
  setPixelRatio(ratio: number): void;
  draw(frame: RenderFrame): void;
  /** Projects a point of the world to the screen. */
  project(point: Vector): Point;
  pick(x: number, y: number): Picked | undefined;
  /** Returns the point of the world under the pointer at the depth of another point. */
  reach(x: number, y: number, asFarAs: Vector): Vector;
  dispose(): void;
}

export function penFor(
  context: CanvasRenderingContext2D,
  { camera, table, scene }: Pick<RenderFrame, "camera" | "table" | "scene">,
  theme: Theme,
): Pen {
  const tints = tintsOf(theme, scene.bodies.length);
  return new Pen(
    context,
    camera,
    table,
    theme,
    scene.bodies.map((_, i) => tints(i)),
  );
}

/** Returns a key of all input of {@link drawOverlay} but names: axes, gravity and scales. */
export function overlayKey({ scene, camera, arrows, scales, size }: RenderFrame): string {
  const { right, up, towards } = camera.sight;
  const kinds = [...new Set(arrows.map(({ kind }) => kind))];
  const full = kinds.map((kind) => `${kind} ${scales.full(kind)}`);
  const { gravity, bodies } = scene;
  return [right, up, towards, camera.scale, size, gravity, bodies.length, full].join();
}

/** Draws names, axes, gravity and scales over the picture. */
export function drawOverlay(
  pen: Pen,
  frame: RenderFrame,
  project: (point: Vector) => Point,
  [width, height]: readonly [number, number],
): void {
  const { scene, table, shown, camera } = frame;
  pen.unit = jointRadius(scene.view.detail, camera.scale);
  const place = (body: number, centre: Vector) => project(table.point(body, ...centre));
  paintAids(pen, scene, [width, height], shown.names && place);
  // Next to the length scale, or above it.
  drawArrowScales(pen, frame, width < 520 ? height - 24 : height);
}

/** Draws the scale of arrows: one line for each unit shown. */
function drawArrowScales(
  pen: Pen,
  { arrows, scales, size, camera, scene }: RenderFrame,
  height: number,
) {
  const kinds = [...new Set(arrows.map(({ kind }) => kind))];
  const tint = tintsOf(pen.theme, scene.bodies.length);
  for (const [row, kind] of kinds.entries()) {
    const full = scales.full(kind);
    const pixels = full * scales.lengthFor(kind, size) * camera.scale;
    // The legend of a long arrow shows only a fraction of it.
    const fraction = [1, 0.5, 0.2, 0.1].find((each) => each * pixels <= 90) ?? 0.05;
    const y = height - 24 - 18 * row;
    paintArrow(pen.context, [86, y, 0], [86 + fraction * pixels, y, 0], tint(kind), 1.8);
    const text = `${shortNumber(fraction * full)} ${ARROWS[kind]} ${KIND_NAMES[kind]}`;
    write(pen, text, 92 + fraction * pixels, y, tint(kind), "left");
  }
}

const KIND_NAMES: Readonly<Record<ArrowKind, string>> = {
  reactions: "reaction",
  forces: "force",
  velocities: "velocity",
};

// 2D picture as in reports, used without WebGL.

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
    const pen = penFor(this.canvas.getContext("2d")!, frame, this.#theme);
    pen.highlight = frame.highlight;
    const [size, ratio] = [this.#size, this.#ratio];
    paintFlat(pen, { ...frame, size, ratio, hasJoints: frame.shown.joints });
    this.#arrows(pen, frame);
    drawOverlay(pen, frame, (point) => this.project(point), size);
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
