// Drawing of aids: axes, gravity, a scale, names and traces.

import { dot, type Point, type Vector } from "./camera.js";
import { clear } from "./colours.js";
import type { Trail } from "./motion.js";
import { paintArrow } from "./paint-forces.js";
import { disc, ink, type Pen, tracePath } from "./pen.js";
import type { DrawnScene, Scene } from "./scene-data.js";
import { niceBelow, shortNumber } from "./text.js";

const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
const AXIS_PX = 24;
const EDGE_PX = 40;
/** Pixels reserved below the names. */
const FOOTER_PX = 52;
/** Maximum length of a scale in pixels. */
const MAX_SCALE_PX = 130;

/** Writes a text that is legible on any background. */
export function write(
  pen: Pen,
  text: string,
  x: number,
  y: number,
  style: string,
  align: CanvasTextAlign,
) {
  const { context, theme } = pen;
  context.font = FONT;
  context.textAlign = align;
  context.textBaseline = "middle";
  context.lineJoin = "round";
  context.strokeStyle = clear(theme.surface, 0.85);
  context.lineWidth = 4;
  context.strokeText(text, x, y);
  context.fillStyle = style;
  context.fillText(text, x, y);
}

/** Paints names of bodies, unless `place` is false, and axes, gravity and the length scale. */
export function paintAids(
  pen: Pen,
  { bodies, gravity, frames }: DrawnScene,
  [width, height]: readonly [number, number],
  place: false | ((body: number, centre: Vector) => Point),
): void {
  if (place) drawNames(pen, bodies, width, height, place);
  drawAxes(pen, height);
  drawGravity(pen, gravity, width);
  drawScale(pen, frames.lengthUnit, width, height);
}

/** Draws the axes x, y and z in the lower left corner. */
function drawAxes(pen: Pen, height: number): void {
  const origin: Point = [EDGE_PX, height - EDGE_PX, 0];
  const axes = ["x", "y", "z"].map((name, i) => {
    const unit: Vector = [i === 0 ? 1 : 0, i === 1 ? 1 : 0, i === 2 ? 1 : 0];
    return { name, style: pen.theme.axes[i]!, way: pen.way(-1, unit) };
  });
  axes.sort((a, b) => a.way[2] - b.way[2]);
  for (const { name, style, way } of axes) {
    const reach = Math.hypot(way[0], way[1]);
    if (reach < 0.2) {
      disc(pen.context, origin, 3.5, way[2] > 0 ? style : pen.theme.surface, style, 1.6);
      write(pen, name, origin[0] - 11, origin[1] + 9, style, "center");
      continue;
    }
    const tip: Point = [origin[0] + AXIS_PX * way[0], origin[1] + AXIS_PX * way[1], 0];
    paintArrow(pen.context, origin, tip, style, 1.7);
    const more = (AXIS_PX * reach + 8) / reach;
    write(pen, name, origin[0] + more * way[0], origin[1] + more * way[1], style, "center");
  }
}

/** Draws gravity as an arrow in the upper right corner. */
function drawGravity(pen: Pen, gravity: Vector, width: number): void {
  const size = Math.sqrt(dot(gravity, gravity));
  if (size === 0) return;
  const [x, y] = pen.way(-1, [gravity[0] / size, gravity[1] / size, gravity[2] / size]);
  const middle: Point = [width - 26, 32, 0];
  const { soft } = pen.theme;
  if (Math.hypot(x, y) < 0.2) disc(pen.context, middle, 4, pen.theme.surface, soft, 1.6);
  else {
    const end = (side: number): Point => [middle[0] + 15 * side * x, middle[1] + 15 * side * y, 0];
    paintArrow(pen.context, end(-1), end(1), soft, 1.7);
  }
  write(pen, "g", middle[0] - 14 - 4 * Math.abs(x), middle[1] - 8 * Math.abs(x), soft, "center");
}

/** Draws the length scale in the lower right corner. */
function drawScale(pen: Pen, unit: string, width: number, height: number): void {
  const { camera, context, theme } = pen;
  const length = niceBelow(MAX_SCALE_PX / camera.scale);
  const pixels = length * camera.scale;
  const [right, y] = [width - 22, height - 24];
  tracePath(context, [
    [right - pixels, y - 4, 0],
    [right - pixels, y, 0],
    [right, y, 0],
    [right, y - 4, 0],
  ]);
  ink(context, theme.soft, 1.6);
  const text = `${shortNumber(length)} ${unit}`;
  write(pen, text, right - pixels / 2, y - 11, theme.soft, "center");
}

/** Draws names at the centres of mass without overlaps. Names without room are counted below. */
function drawNames(
  pen: Pen,
  bodies: Scene["bodies"],
  width: number,
  height: number,
  project: (body: number, centre: Vector) => Point,
): void {
  const { context } = pen;
  context.font = FONT;
  const points = bodies.map(({ centre }, i) => project(i, centre));
  const wanted = bodies.map(({ name }, i) => ({
    x: points[i]![0],
    y: points[i]![1],
    width: context.measureText(name).width,
  }));
  const { placed, left } = placeNames(wanted, width, height - FOOTER_PX);
  for (const { index, x, y, isMoved } of placed) {
    const style = pen.edge(pen.colour(index));
    if (isMoved) {
      const end = wanted[index]!.width / 2;
      const nearest = Math.min(x + 2 * end, Math.max(x, wanted[index]!.x));
      tracePath(context, [[nearest, y, 0], points[index]!]);
      ink(context, clear(style, 0.5), 1);
    }
    write(pen, bodies[index]!.name, x, y, style, "left");
  }
  if (left.length === 0) return;
  const text = `${left.length} more ${left.length === 1 ? "name has" : "names have"} no room`;
  write(pen, text, width / 2, height - 12, pen.theme.soft, "center");
}

/** Paints the path of a point up to the present: faint, with its last part emphasised and fading. */
export function paintTrail(pen: Pen, trail: Trail, time: number): void {
  const { context, camera } = pen;
  const colour = pen.edge(pen.colour(trail.anchor[0]));
  const points = trail.upTo(time, pen.motion);
  const places = Array.from({ length: points.length / 3 }, (_, i) =>
    camera.project([points[3 * i]!, points[3 * i + 1]!, points[3 * i + 2]!]),
  );
  tracePath(context, places);
  ink(context, clear(colour, 0.16), 1.2);
  const tail = Math.ceil(0.3 * trail.length);
  const pieces = 24;
  const start = Math.max(0, places.length - tail);
  for (let i = 0; i < pieces; i++) {
    const from = Math.round(start + ((places.length - 1 - start) * i) / pieces);
    const to = Math.round(start + ((places.length - 1 - start) * (i + 1)) / pieces);
    tracePath(context, places.slice(from, to + 1));
    // Round caps of transparent segments would show as beads.
    context.lineCap = "butt";
    context.lineWidth = 1.8;
    context.strokeStyle = clear(colour, (0.75 * (i + 1)) / pieces);
    context.stroke();
  }
}

// Layout of names in a picture without overlaps. A name stands next to its body. If there is no room, it is moved up or

// down, with a line to the body; if the body is outside the picture, the name stands at the edge. Names without any room
// are counted.

/** Width of a name and position of its body, in pixels. */
export interface LabelRequest {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

export interface NamePlace {
  readonly index: number;
  /** Left end and vertical middle of the text. */
  readonly x: number;
  readonly y: number;
  /** Whether the name was moved, so that a line leads to its body. */
  readonly isMoved: boolean;
}

export interface NamePlaces {
  readonly placed: readonly NamePlace[];
  /** Indices of the names without room. */
  readonly left: readonly number[];
}

/** Line height, gap between names, and distance from the edges, in pixels. */
const LINE_PX = 15;
const GAP_PX = 4;
const NAME_EDGE_PX = 6;
/** Maximum number of lines by which a name is moved. */
const MAX_SHIFT_LINES = 12;

export function placeNames(
  wanted: readonly LabelRequest[],
  width: number,
  height: number,
): NamePlaces {
  const placed: (NamePlace & { readonly length: number })[] = [];
  const left: number[] = [];
  for (const [index, { x, y, width: length }] of wanted.entries()) {
    const inside = (at: number, low: number, high: number) => Math.min(high, Math.max(low, at));
    const home = { x: x + 8, y: y - 10 };
    const start = {
      x: inside(home.x, NAME_EDGE_PX, Math.max(NAME_EDGE_PX, width - length - NAME_EDGE_PX)),
      y: inside(home.y, NAME_EDGE_PX + LINE_PX / 2, height - NAME_EDGE_PX - LINE_PX / 2),
    };
    const isFree = (at: number) =>
      placed.every(
        (other) =>
          start.x > other.x + other.length + GAP_PX ||
          start.x + length + GAP_PX < other.x ||
          Math.abs(other.y - at) >= LINE_PX,
      );
    // 0, -1, 1, -2, 2, ... lines away.
    const shifts = Array.from({ length: 2 * MAX_SHIFT_LINES + 1 }, (_, k) =>
      k % 2 === 0 ? start.y + (k / 2) * LINE_PX : start.y - ((k + 1) / 2) * LINE_PX,
    );
    const free = shifts.find(
      (at) =>
        at >= NAME_EDGE_PX + LINE_PX / 2 && at <= height - NAME_EDGE_PX - LINE_PX / 2 && isFree(at),
    );
    if (free === undefined) left.push(index);
    else {
      const isMoved = Math.abs(free - home.y) > 1 || Math.abs(start.x - home.x) > 1;
      placed.push({ index, x: start.x, y: free, length, isMoved });
    }
  }
  return { placed, left };
}
