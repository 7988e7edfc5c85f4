// What paints a view: with WebGL in space, or flat as reports do. Above either lies the same second canvas with names, axes
// and scales.

import type { Camera, Point, Three } from "../report/page/camera.js";
import { drawAxes, drawGravity, drawNames, drawScale, write } from "../report/page/draw-corners.js";
import { paintArrow } from "../report/page/draw-forces.js";
import { Pen } from "../report/page/pen.js";
import { shortNumber } from "../report/page/text.js";
import type { Scene } from "../report/scene-data.js";
import { ARROWS, type Arrow, type ArrowKind, type Arrows } from "./arrows.js";
import type { Named, Shown } from "./picture.js";
import type { PoseTable } from "./pose-table.js";
import { type Theme, tintsOf } from "./tints.js";
import type { Trail } from "./trail.js";

/** Everything a picture is made of. */
export interface Shot {
  readonly scene: Scene;
  readonly table: PoseTable;
  readonly camera: Camera;
  readonly time: number;
  readonly shown: Shown & { readonly names: boolean };
  readonly arrows: readonly Arrow[];
  readonly scales: Arrows;
  /** Of the mechanism. */
  readonly size: number;
  readonly trails: readonly Trail[];
  /** Joints and forces that are not there now. */
  readonly absent: ReadonlySet<string>;
  readonly highlight: number | undefined;
  readonly isPerspective: boolean;
}

/** Something under the pointer. */
export interface Picked extends Named {
  /** Number of the body, if it is one. */
  readonly body: number;
  /** In the world. */
  readonly at: Three;
}

export interface Stage {
  /** Takes the hands of the user. */
  readonly canvas: HTMLCanvasElement;
  build(scene: Scene, table: PoseTable, kindOf: (name: string) => Named["kind"]): void;
  recolour(theme: Theme, bodies: number): void;
  resize(width: number, height: number, ratio: number): void;
  /** Whether the processor paints in place of a graphics card. */
  readonly isSlow: boolean;
  /** Paints with so many pixels for one of the page; names and scales stay sharp. */
  sharpen(ratio: number): void;
  draw(shot: Shot): void;
  /** On the screen. */
  project(point: Three): Point;
  pick(x: number, y: number): Picked | undefined;
  /** The point of the world under the pointer that is as far away as another. */
  reach(x: number, y: number, asFarAs: Three): Three;
  dispose(): void;
}

/** Radius of a joint in pixels: at most, at least, and relative to a usual part. */
const MOST = 6.5;
const LEAST = 1.1;
const OF_PART = 0.085;

/** In pixels. */
export function jointRadius(
  { scene, camera }: Pick<Shot, "scene" | "camera">,
  most = MOST,
): number {
  return Math.min(most, Math.max(LEAST, OF_PART * scene.view.detail * camera.scale));
}

export function penFor(
  context: CanvasRenderingContext2D,
  { camera, table, scene }: Pick<Shot, "camera" | "table" | "scene">,
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

/** Tells signs without names apart: what {@link drawSigns} reads for axes, gravity and scales. */
export function signsKey({ scene, camera, arrows, scales, size }: Shot): string {
  const { right, up, towards } = camera.sight;
  const kinds = [...new Set(arrows.map(({ kind }) => kind))];
  const full = kinds.map((kind) => `${kind} ${scales.full(kind)}`);
  const { gravity, bodies } = scene;
  return [right, up, towards, camera.scale, size, gravity, bodies.length, full].join();
}

/** Names, axes, gravity and scales: over the picture. */
export function drawSigns(
  pen: Pen,
  shot: Shot,
  project: (point: Three) => Point,
  [width, height]: readonly [number, number],
): void {
  const { scene, table, shown } = shot;
  pen.unit = jointRadius(shot);
  if (shown.names) {
    drawNames(pen, scene.bodies, width, height, (body, centre) =>
      project(table.point(body, ...centre)),
    );
  }
  drawAxes(pen, height);
  drawGravity(pen, scene.gravity, width);
  drawScale(pen, scene.frames.lengthUnit, width, height);
  // Beside the scale of lengths, or above it.
  drawArrowScales(pen, shot, width < 520 ? height - 24 : height);
}

/** How long an arrow of so much is: one line for each unit that is shown. */
function drawArrowScales(pen: Pen, { arrows, scales, size, camera, scene }: Shot, height: number) {
  const kinds = [...new Set(arrows.map(({ kind }) => kind))];
  const tint = tintsOf(pen.theme, scene.bodies.length);
  for (const [row, kind] of kinds.entries()) {
    const full = scales.full(kind);
    const pixels = full * scales.lengthFor(kind, size) * camera.scale;
    // A long arrow is told by half or a fifth of it.
    const part = [1, 0.5, 0.2, 0.1].find((each) => each * pixels <= 90) ?? 0.05;
    const y = height - 24 - 18 * row;
    paintArrow(pen.context, [86, y, 0], [86 + part * pixels, y, 0], tint(kind), 1.8);
    const text = `${shortNumber(part * full)} ${ARROWS[kind]} ${LABELS[kind]}`;
    write(pen, text, 92 + part * pixels, y, tint(kind), "left");
  }
}

const LABELS: Readonly<Record<ArrowKind, string>> = {
  reactions: "reaction",
  forces: "force",
  velocities: "velocity",
};
