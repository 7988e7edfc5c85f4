// What all drawings are made with: places on the screen, colours, and the order of painting.

import type { Anchor } from "../scene-data.js";
import type { Camera, Places, Point, Three } from "./camera.js";
import { clear, mixed, type Theme } from "./colours.js";

interface Stroke {
  readonly depth: number;
  readonly bodies: readonly number[];
  readonly layer: Layer;
  readonly paint: (context: CanvasRenderingContext2D) => void;
}

/** Parts of bodies; then, above all parts of the bodies they belong to, bases and joints. But not above shells. */
export enum Layer {
  SHELL = -1,
  PART = 0,
  BASE = 1,
  JOINT = 2,
}

/** Of the parts that do not belong to a body that is pointed out. */
const FADED = 0.16;

export class Pen {
  /** Radius of a joint, in pixels: all that has no size of its own is drawn relative to it. */
  unit = 6;
  /** A body that is pointed out; undefined: none. */
  highlight: number | undefined;
  #strokes: Stroke[] = [];
  /** How near the nearest part of each body is. */
  readonly #nearest = new Map<number, number>();

  constructor(
    readonly context: CanvasRenderingContext2D,
    readonly camera: Camera,
    readonly motion: Places,
    public theme: Theme,
    public colours: readonly string[],
  ) {}

  /** On the screen, of a point of a body. */
  at(body: number, [x, y, z]: Three): Point {
    return this.camera.project(this.motion.point(body, x, y, z));
  }

  anchor([body, x, y, z]: Anchor): Point {
    return this.at(body, [x, y, z]);
  }

  /** On the screen, of a direction of a body; a unit stays one if it lies in the screen. */
  way(body: number, direction: Three): Point {
    const [x, y, depth] = this.camera.along(this.motion.direction(body, direction));
    const { scale } = this.camera;
    return [x / scale, y / scale, depth / scale];
  }

  /** Of a body, or of the ground. */
  colour(body: number): string {
    return this.colours[body] ?? this.theme.ground;
  }

  /** The edge of something of that colour. */
  edge(colour: string): string {
    return mixed(colour, this.theme.ink, 0.42);
  }

  /** Its face; 0 is in the shade, 1 in the light. */
  face(colour: string, light = 0.6, alpha = 1): string {
    const [least, more] = this.theme.shade;
    const lit = mixed(colour, this.theme.surface, least + more * light);
    return alpha === 1 ? lit : clear(lit, alpha);
  }

  /** Paints later, in the order of depth; `bodies` are those it belongs to. */
  add(
    depth: number,
    bodies: readonly number[],
    paint: Stroke["paint"],
    layer: Layer = Layer.PART,
  ): void {
    this.#strokes.push({ depth, bodies, paint, layer });
    const [body] = bodies;
    if (layer !== Layer.PART || body === undefined || body < 0) return;
    this.#nearest.set(body, Math.max(depth, this.#nearest.get(body) ?? depth));
  }

  /** Paints all that was added, far things first. */
  flush(): void {
    const strokes = this.#strokes.map((stroke) => ({ stroke, place: this.#placeOf(stroke) }));
    strokes.sort((a, b) => a.place - b.place || a.stroke.layer - b.stroke.layer);
    const { context, highlight } = this;
    for (const { bodies, paint } of strokes.map(({ stroke }) => stroke)) {
      const isFaded = highlight !== undefined && !bodies.includes(highlight);
      context.globalAlpha = isFaded ? FADED : 1;
      paint(context);
    }
    context.globalAlpha = 1;
    this.#strokes = [];
    this.#nearest.clear();
  }

  /** A joint is seen although it is inside of what it joins. */
  #placeOf({ depth, bodies, layer }: Stroke): number {
    if (layer === Layer.PART || layer === Layer.SHELL) return depth;
    return bodies.reduce((most, body) => Math.max(most, this.#nearest.get(body) ?? most), depth);
  }
}

/** A line through points, as the current path. */
export function trail(
  context: CanvasRenderingContext2D,
  points: readonly Point[],
  closed = false,
): void {
  context.beginPath();
  for (const [i, [x, y]] of points.entries()) {
    if (i === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
  }
  if (closed) context.closePath();
}

/** Strokes the current path. */
export function ink(context: CanvasRenderingContext2D, style: string, width: number): void {
  context.strokeStyle = style;
  context.lineWidth = width;
  context.lineCap = "round";
  context.lineJoin = "round";
  context.stroke();
}

/** A disc with an edge. */
export function disc(
  context: CanvasRenderingContext2D,
  [x, y]: Point,
  radius: number,
  fill: string,
  edge: string,
  width = 1.4,
): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = fill;
  context.fill();
  ink(context, edge, width);
}

/** Corners of the convex hull, in order: Andrew's monotone chain (1979). */
export function hullOf(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list: readonly Point[]) => {
    const chain: Point[] = [];
    for (const p of list) {
      while (chain.length > 1 && turn(chain.at(-2)!, chain.at(-1)!, p) <= 0) chain.pop();
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half([...sorted].reverse())];
}

function turn(a: Point, b: Point, c: Point): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/** Twice the area of a polygon: positive if it goes round clockwise on the screen. */
export function areaOf(points: readonly Point[]): number {
  return points.reduce((sum, [x, y], i) => {
    const [u, v] = points[(i + 1) % points.length]!;
    return sum + x * v - u * y;
  }, 0);
}

/** The mean of points. */
export function middleOf(points: readonly Point[]): Point {
  const sum = points.reduce((a, p): Point => [a[0] + p[0], a[1] + p[1], a[2] + p[2]], [0, 0, 0]);
  return [sum[0] / points.length, sum[1] / points.length, sum[2] / points.length];
}

/** From one place to another: a part of the way, and so many pixels to the left of it. */
export function between(a: Point, b: Point, part: number, aside = 0): Point {
  const [x, y] = [b[0] - a[0], b[1] - a[1]];
  const length = Math.hypot(x, y) || 1;
  return [
    a[0] + part * x + (aside * y) / length,
    a[1] + part * y - (aside * x) / length,
    a[2] + part * (b[2] - a[2]),
  ];
}
