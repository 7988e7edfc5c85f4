// Interface of the renderers of a view: WebGL in 3D, or a 2D canvas as in reports. Both share an overlay with names, axes
// and scales.

import type { Camera, Point, Vector } from "../report/page/camera.js";
import { drawAxes, drawGravity, drawNames, drawScale, write } from "../report/page/draw-corners.js";
import { paintArrow } from "../report/page/draw-forces.js";
import { Pen } from "../report/page/pen.js";
import { shortNumber } from "../report/page/text.js";
import type { Scene } from "../report/scene-data.js";
import { ARROWS, type Arrow, type ArrowKind, type Arrows } from "./arrows.js";
import type { NamedPart, Shown } from "./picture.js";
import type { PoseTable } from "./pose-table.js";
import { type Theme, tintsOf } from "./tints.js";
import type { Trail } from "./trail.js";

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

/** Maximum and minimum radius of a joint in pixels, and its radius relative to a typical part. */
const MAX_JOINT_RADIUS_PX = 6.5;
const MIN_JOINT_RADIUS_PX = 1.1;
const JOINT_RADIUS_FRACTION = 0.085;

/** Returns the radius of a joint in pixels. */
export function jointRadius(
  { scene, camera }: Pick<RenderFrame, "scene" | "camera">,
  maxRadius = MAX_JOINT_RADIUS_PX,
): number {
  return Math.min(
    maxRadius,
    Math.max(MIN_JOINT_RADIUS_PX, JOINT_RADIUS_FRACTION * scene.view.detail * camera.scale),
  );
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
  const { scene, table, shown } = frame;
  pen.unit = jointRadius(frame);
  if (shown.names) {
    drawNames(pen, scene.bodies, width, height, (body, centre) =>
      project(table.point(body, ...centre)),
    );
  }
  drawAxes(pen, height);
  drawGravity(pen, scene.gravity, width);
  drawScale(pen, scene.frames.lengthUnit, width, height);
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
