// Drawing of joint symbols, in a size legible on the screen for mechanisms of any size.

import type { Drawing } from "../scene-data.js";
import { acrossOf, type Point, type Vector } from "./camera.js";
import { clear, mixed } from "./colours.js";
import { paintBox } from "./draw-bodies.js";
import { type DrumColours, paintDrum } from "./draw-round.js";
import { disc, ink, Layer, type Pen, trail } from "./pen.js";

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
  trail(context, [end(-1), end(1)]);
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
  trail(context, arc);
  ink(context, style, 1.8);
  trail(context, [at(last - 0.45, 1.3 * radius), at(last, radius), at(last - 0.45, 0.7 * radius)]);
  ink(context, style, 1.8);
}
