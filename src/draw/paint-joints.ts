// Drawing of joint symbols, in a size legible on the screen for mechanisms of any size.

import { acrossOf, type Point, type Vector } from "./camera.js";
import { clear, mixed } from "./colours.js";
import { type DrumColours, paintBox, paintDrum } from "./paint-bodies.js";
import { between, disc, ink, Layer, middleOf, type Pen, tracePath } from "./pen.js";
import type { Drawing, ItemOf } from "./scene-data.js";

type JointItem = Extract<Drawing, { readonly kind: "joint" }>;

interface Symbol {
  readonly pen: Pen;
  readonly place: Point;
  /** Axes x, y and z of the joint on the screen. */
  readonly ways: readonly [Point, Point, Point];
  /** The joined bodies, first the one that carries the symbol. */
  readonly bodies: readonly [number, number];
  /** Direction of the second axis of a universal joint. */
  readonly second: Point | undefined;
}

export function drawJoint(pen: Pen, item: JointItem): void {
  const [body] = item.at;
  const place = pen.anchor(item.at);
  const column = (j: number) => item.axes.slice(3 * j, 3 * j + 3) as unknown as Vector;
  const ways = [0, 1, 2].map((j) => pen.way(body, column(j))) as unknown as Symbol["ways"];
  const second = item.second && pen.way(item.second[0], item.second.slice(1) as unknown as Vector);
  const bodies = [body, item.other] as const;
  SYMBOLS[item.symbol]({ pen, place, ways, bodies, second });
  if (item.driven) drawMotor(pen, place, bodies, acrossOf(column(2)));
}

const SYMBOLS: Readonly<Record<JointItem["symbol"], (symbol: Symbol) => void>> = {
  pin: (symbol) => drum(symbol, 1, 0.85, true),
  ball: (symbol) =>
    onTop(symbol, (context, { pen, place }) => {
      const { ink: dark, surface } = pen.theme;
      disc(context, place, 0.88 * pen.unit, mixed(dark, surface, 0.25), dark, 1.2);
      if (pen.unit < 3) return;
      const shine: Point = [place[0] - 0.28 * pen.unit, place[1] - 0.3 * pen.unit, 0];
      disc(context, shine, 0.18 * pen.unit, clear(surface, 0.85), clear(surface, 0), 0.1);
    }),
  cross: (symbol) =>
    onTop(symbol, (context, { pen, place, ways, second = ways[0] }) => {
      const { ink: dark, surface } = pen.theme;
      disc(context, place, 1.05 * pen.unit, surface, dark, 1.3);
      for (const way of [ways[2], second]) stroke(context, place, way, 0.95 * pen.unit, dark, 2);
    }),
  block: (symbol) => block(symbol, [1.25, 1.25, 2.3], symbol.pen.colour(symbol.bodies[0])),
  sleeve: (symbol) => drum(symbol, 1.1, 2, false),
  thread: (symbol) => drum(symbol, 1.1, 2, false),
  plate: (symbol) => block(symbol, [1.6, 1.6, 0.35], symbol.pen.colour(symbol.bodies[0])),
  rods: (symbol) =>
    onTop(symbol, (context, { pen, place, ways: [across, , along] }) => {
      for (const side of [-0.7, 0.7]) {
        const [x, y] = [0, 1].map((k) => place[k as 0 | 1] + side * pen.unit * across[k as 0 | 1]);
        stroke(context, [x!, y!, place[2]], along, 1.6 * pen.unit, pen.theme.ink, 2);
      }
    }),
  foot: (symbol) => drum(symbol, 0.8, 0.2, false),
  weld: (symbol) => block(symbol, [0.8, 0.8, 0.8], symbol.pen.theme.soft),
  blade: (symbol) =>
    onTop(symbol, (context, { pen, place, ways }) =>
      stroke(context, place, ways[0], 2.4 * pen.unit, pen.theme.ink, 3),
    ),
};

function onTop(
  symbol: Symbol,
  paint: (context: CanvasRenderingContext2D, symbol: Symbol) => void,
): void {
  const { pen, place, bodies } = symbol;
  pen.add(place[2], bodies, (context) => paint(context, symbol), Layer.JOINT);
}

/** Draws a line through a point, symmetrically. */
function stroke(
  context: CanvasRenderingContext2D,
  [x, y]: Point,
  way: Point,
  reach: number,
  style: string,
  width: number,
): void {
  const end = (side: number): Point => [x + side * reach * way[0], y + side * reach * way[1], 0];
  tracePath(context, [end(-1), end(1)]);
  ink(context, style, width);
}

/** Draws a cylinder along the axis, in radii of a joint. */
function drum(symbol: Symbol, radius: number, half: number, dotted: boolean): void {
  const { pen, place, ways } = symbol;
  const { ink: dark, surface } = pen.theme;
  const colours: DrumColours = {
    cap: surface,
    light: surface,
    dark: mixed(surface, dark, 0.3),
    edge: dark,
  };
  const shape = { middle: place, axis: ways[2], radius: radius * pen.unit, half: half * pen.unit };
  onTop(symbol, (context) => {
    const end = paintDrum(context, shape, colours, Math.min(1.4, 0.5 * pen.unit));
    const isFacing = Math.abs(ways[2][2]) > 0.5;
    if (dotted && isFacing && pen.unit > 3.5) disc(context, end, 0.2 * pen.unit, dark, dark, 0.5);
  });
}

/** Draws a box with half edges in radii of a joint. */
function block(symbol: Symbol, halves: Vector, colour: string): void {
  const { pen, place, ways, bodies } = symbol;
  const corners = Array.from({ length: 8 }, (_, i): Point => {
    const sides = halves.map((half, j) => ((i >> j) & 1 ? half : -half) * pen.unit);
    const part = (k: 0 | 1 | 2) =>
      place[k] + sides[0]! * ways[0][k] + sides[1]! * ways[1][k] + sides[2]! * ways[2][k];
    return [part(0), part(1), part(2)];
  });
  paintBox(pen, [bodies[0]], corners, ways, colour, 1);
}

/** Draws a drive: an arrow around the joint. */
function drawMotor(
  pen: Pen,
  place: Point,
  bodies: readonly [number, number],
  [u, v]: readonly [Vector, Vector],
): void {
  const [p, q] = [pen.way(bodies[0], u), pen.way(bodies[0], v)];
  const radius = 2.1 * pen.unit;
  const { accent } = pen.theme;
  const paint = (context: CanvasRenderingContext2D) =>
    curvedArrow(context, place, p, q, radius, accent);
  pen.add(place[2], bodies, paint, Layer.JOINT);
}

/** Draws a curved arrow over three quarters of a circle. */
export function curvedArrow(
  context: CanvasRenderingContext2D,
  [x, y]: Point,
  p: Point,
  q: Point,
  radius: number,
  style: string,
): void {
  const at = (angle: number, r: number): Point => {
    const [c, s] = [r * Math.cos(angle), r * Math.sin(angle)];
    return [x + c * p[0] + s * q[0], y + c * p[1] + s * q[1], 0];
  };
  const last = 1.5 * Math.PI;
  const arc = Array.from({ length: 25 }, (_, i) => at((last * i) / 24, radius));
  tracePath(context, arc);
  ink(context, style, 1.8);
  tracePath(context, [
    at(last - 0.45, 1.3 * radius),
    at(last, radius),
    at(last - 0.45, 0.7 * radius),
  ]);
  ink(context, style, 1.8);
}

// Drawing of fixed items: bases, rails, roads and planes.

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
    tracePath(context, [place, spot(2.3, 1.7), spot(2.3, -1.7)], true);
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
  tracePath(context, [a, b]);
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
      tracePath(context, [side(-more, 0), side(1 + more, 0)]);
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
    tracePath(context, [...left, ...[...right].reverse()], true);
    context.fillStyle = clear(ground, 0.16);
    context.fill();
    context.beginPath();
    for (let i = 0; i + 1 < lines.length; i += 2) {
      context.moveTo(lines[i]![0], lines[i]![1]);
      context.lineTo(lines[i + 1]![0], lines[i + 1]![1]);
    }
    ink(context, clear(ground, 0.4), 1);
    for (const edge of [left, right]) {
      tracePath(context, edge);
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
    tracePath(context, outline, true);
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
