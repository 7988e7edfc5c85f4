// Pen for all drawings: projection to the screen, colours, and painting order.

import type { BodyPoses, Camera, Point, Vector } from "./camera.js";
import { clear, mixed, type Theme } from "./colours.js";
import type { Anchor } from "./scene-data.js";

interface Stroke {
  readonly depth: number;
  readonly bodies: readonly number[];
  readonly layer: Layer;
  readonly paint: (context: CanvasRenderingContext2D) => void;
}

/** Layers: parts of bodies; then bases and joints, above the parts of their bodies but not above shells. */
export enum Layer {
  SHELL = -1,
  PART = 0,
  BASE = 1,
  JOINT = 2,
}

/** Opacity of parts outside the highlighted body. */
const FADED_OPACITY = 0.16;

export class Pen {
  /** Radius of a joint in pixels, the unit of everything without a size of its own. */
  unit = 6;
  /** Highlighted body; undefined: none. */
  highlight: number | undefined;
  #strokes: Stroke[] = [];
  /** Depth of the nearest part of each body. */
  readonly #nearest = new Map<number, number>();

  constructor(
    readonly context: CanvasRenderingContext2D,
    readonly camera: Camera,
    public motion: BodyPoses,
    public theme: Theme,
    public colours: readonly string[],
  ) {}

  /** Projects a point of a body to the screen. */
  at(body: number, [x, y, z]: Vector): Point {
    return this.camera.project(this.motion.point(body, x, y, z));
  }

  anchor([body, x, y, z]: Anchor): Point {
    return this.at(body, [x, y, z]);
  }

  /** Projects a direction of a body to the screen; a unit vector keeps its length if it lies in the screen plane. */
  way(body: number, direction: Vector): Point {
    const [x, y, depth] = this.camera.along(this.motion.direction(body, direction));
    const { scale } = this.camera;
    return [x / scale, y / scale, depth / scale];
  }

  /** Returns the colour of a body or of the ground. */
  colour(body: number): string {
    return this.colours[body] ?? this.theme.ground;
  }

  /** Returns the edge colour for a colour. */
  edge(colour: string): string {
    return mixed(colour, this.theme.ink, 0.42);
  }

  /** Returns the face colour; light 0 is in the shade, 1 fully lit. */
  face(colour: string, light = 0.6, alpha = 1): string {
    const [least, more] = this.theme.shade;
    const lit = mixed(colour, this.theme.surface, least + more * light);
    return alpha === 1 ? lit : clear(lit, alpha);
  }

  /** Queues a drawing to be painted in order of depth; `bodies` are those it belongs to. */
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

  /** Paints all queued drawings, the farthest first. */
  flush(): void {
    const strokes = this.#strokes.map((stroke) => ({ stroke, place: this.#sortingDepth(stroke) }));
    strokes.sort((a, b) => a.place - b.place || a.stroke.layer - b.stroke.layer);
    const { context, highlight } = this;
    for (const { bodies, paint } of strokes.map(({ stroke }) => stroke)) {
      const isFaded = highlight !== undefined && !bodies.includes(highlight);
      context.globalAlpha = isFaded ? FADED_OPACITY : 1;
      paint(context);
    }
    context.globalAlpha = 1;
    this.#strokes = [];
    this.#nearest.clear();
  }

  /** Returns the depth for sorting. Joints are moved in front of the bodies they join, to stay visible. */
  #sortingDepth({ depth, bodies, layer }: Stroke): number {
    if (layer === Layer.PART || layer === Layer.SHELL) return depth;
    return bodies.reduce((most, body) => Math.max(most, this.#nearest.get(body) ?? most), depth);
  }
}

/** Adds a line through points to the current path. */
export function tracePath(
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

/** Draws a disc with an edge. */
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

/** Returns the corners of the convex hull, in order: Andrew's monotone chain (1979). */
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

/** Returns twice the area of a polygon: positive if clockwise on the screen. */
export function areaOf(points: readonly Point[]): number {
  return points.reduce((sum, [x, y], i) => {
    const [u, v] = points[(i + 1) % points.length]!;
    return sum + x * v - u * y;
  }, 0);
}

/** Returns the mean of points. */
export function middleOf(points: readonly Point[]): Point {
  const sum = points.reduce((a, p): Point => [a[0] + p[0], a[1] + p[1], a[2] + p[2]], [0, 0, 0]);
  return [sum[0] / points.length, sum[1] / points.length, sum[2] / points.length];
}

/** Returns the point at a fraction of the way from a to b, shifted to the left by `aside` pixels. */
export function between(a: Point, b: Point, part: number, aside = 0): Point {
  const [x, y] = [b[0] - a[0], b[1] - a[1]];
  const length = Math.hypot(x, y) || 1;
  return [
    a[0] + part * x + (aside * y) / length,
    a[1] + part * y - (aside * x) / length,
    a[2] + part * (b[2] - a[2]),
  ];
}
