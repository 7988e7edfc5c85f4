// Drawing of fixed items: bases, rails, roads and planes.

import type { ItemOf } from "../scene-data.js";
import type { Point, Vector } from "./camera.js";
import { clear } from "./colours.js";
import { between, ink, Layer, middleOf, type Pen, trail } from "./pen.js";

/** Depth beyond all items. */
const BACKGROUND_DEPTH = -1e9;
/** Length of a projected direction below which it is treated as normal to the screen. */
const MIN_PROJECTED_LENGTH = 0.3;

/** Draws a base: a triangle on a hatched line. */
export function drawGround(pen: Pen, { at, base, holds }: ItemOf<"ground">): void {
  const place = pen.at(-1, at);
  const [bx, by] = pen.way(-1, base);
  const length = Math.hypot(bx, by);
  const [x, y] = length < MIN_PROJECTED_LENGTH ? [0, 1] : [bx / length, by / length];
  const { unit, theme } = pen;
  const spot = (down: number, aside: number): Point => [
    place[0] + unit * (down * x - aside * y),
    place[1] + unit * (down * y + aside * x),
    0,
  ];
  const paint = (context: CanvasRenderingContext2D) => {
    trail(context, [place, spot(2.3, 1.7), spot(2.3, -1.7)], true);
    context.fillStyle = clear(theme.surface, 0.8);
    context.fill();
    ink(context, theme.ground, 1.4);
    hatch(context, spot(2.3, -2.6), spot(2.3, 2.6), 1.1 * unit, theme.ground, 5);
  };
  pen.add(place[2], [holds], paint, Layer.BASE);
}

/** Draws a line with hatching on one side: to the left from a to b if `depth` is negative. */
function hatch(
  context: CanvasRenderingContext2D,
  a: Point,
  b: Point,
  depth: number,
  style: string,
  strokes: number,
): void {
  trail(context, [a, b]);
  ink(context, style, 1.5);
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
  context.beginPath();
  for (let i = 0; i < strokes; i++) {
    const part = (i + 0.7) / strokes;
    const from = between(a, b, part);
    const to = between(a, b, part - Math.abs(depth) / length, depth);
    context.moveTo(from[0], from[1]);
    context.lineTo(to[0], to[1]);
  }
  ink(context, style, 1.1);
}

/** Draws a rail: two hatched guides on the ground, or one line in the colour of a body. */
export function drawRail(pen: Pen, { at, axis, from, to }: ItemOf<"rail">): void {
  const [body, x, y, z] = at;
  const { unit, theme } = pen;
  const end = (way: number): Point => {
    const point: Vector = [x + way * axis[0], y + way * axis[1], z + way * axis[2]];
    return pen.at(body, point);
  };
  const [first, last] = [end(from), end(to)];
  const length = Math.hypot(last[0] - first[0], last[1] - first[1]);
  // Extend the rail under blocks at its ends.
  const more = length > 0 ? (2.8 * unit) / length : 0;
  const side = (part: number, aside: number) => between(first, last, part, aside);
  pen.add(middleOf([first, last])[2] - 3 * unit, [body], (context) => {
    if (body >= 0) {
      trail(context, [side(-more, 0), side(1 + more, 0)]);
      ink(context, clear(pen.edge(pen.colour(body)), 0.8), 0.7 * unit);
      return;
    }
    const strokes = Math.max(4, Math.round(length / (1.6 * unit)));
    for (const aside of [-1.45 * unit, 1.45 * unit]) {
      const [a, b] = [side(-more, aside), side(1 + more, aside)];
      if (aside < 0) hatch(context, a, b, -0.9 * unit, theme.ground, strokes);
      else hatch(context, b, a, -0.9 * unit, theme.ground, strokes);
    }
  });
}

export function drawRoad(pen: Pen, { body, edges, across }: ItemOf<"road">): void {
  const places = edges.map((point) => pen.at(body, point));
  const lines = across.map((point) => pen.at(body, point));
  const left = places.filter((_, i) => i % 2 === 0);
  const right = places.filter((_, i) => i % 2 === 1);
  const { ground } = pen.theme;
  pen.add(BACKGROUND_DEPTH, [body], (context) => {
    trail(context, [...left, ...[...right].reverse()], true);
    context.fillStyle = clear(ground, 0.16);
    context.fill();
    context.beginPath();
    for (let i = 0; i + 1 < lines.length; i += 2) {
      context.moveTo(lines[i]![0], lines[i]![1]);
      context.lineTo(lines[i + 1]![0], lines[i + 1]![1]);
    }
    ink(context, clear(ground, 0.4), 1);
    for (const edge of [left, right]) {
      trail(context, edge);
      ink(context, ground, 1.6);
    }
  });
}

export function drawPlane(pen: Pen, { body, corner, u, v, cells }: ItemOf<"plane">): void {
  const at = (a: number, b: number) =>
    pen.at(body, [
      corner[0] + a * u[0] + b * v[0],
      corner[1] + a * u[1] + b * v[1],
      corner[2] + a * u[2] + b * v[2],
    ]);
  const [columns, rows] = cells;
  const lines = [
    ...Array.from({ length: columns + 1 }, (_, i) => [at(i / columns, 0), at(i / columns, 1)]),
    ...Array.from({ length: rows + 1 }, (_, i) => [at(0, i / rows), at(1, i / rows)]),
  ];
  const outline = [at(0, 0), at(1, 0), at(1, 1), at(0, 1)];
  const { ground } = pen.theme;
  pen.add(BACKGROUND_DEPTH, [body], (context) => {
    trail(context, outline, true);
    context.fillStyle = clear(ground, 0.1);
    context.fill();
    ink(context, clear(ground, 0.7), 1.3);
    context.beginPath();
    for (const [a, b] of lines) {
      context.moveTo(a![0], a![1]);
      context.lineTo(b![0], b![1]);
    }
    ink(context, clear(ground, 0.32), 0.9);
  });
}
