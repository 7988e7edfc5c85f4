// Drawing of springs, dampers, actuators and loads, in the plane of the screen.

import { acrossOf, type Point } from "./camera.js";
import { clear, mixed } from "./colours.js";
import { curvedArrow } from "./paint-joints.js";
import { between, disc, ink, Layer, middleOf, type Pen, tracePath } from "./pen.js";
import type { ItemOf } from "./scene-data.js";

const WINDINGS = 7;
/** Straight fraction of the length at either end. */
const LEAD_FRACTION = 0.14;

export function drawSpring(pen: Pen, item: ItemOf<"spring">): void {
  const [a, b] = [pen.anchor(item.a), pen.anchor(item.b)];
  const { unit, theme } = pen;
  const isBoth = item.coil && item.damper;
  const aside = isBoth ? 0.95 * unit : 0;
  const shapes = [
    ...(item.coil ? [zigzag(a, b, aside, (isBoth ? 0.75 : 1.05) * unit)] : []),
    ...(item.damper ? dashpot(a, b, -aside, 0.7 * unit) : []),
    ...(isBoth ? yokes(a, b, aside) : []),
  ];
  const isTube = item.actuator && !item.coil && !item.damper;
  pen.add(middleOf([a, b])[2] + unit, [item.a[0], item.b[0]], (context) => {
    if (isTube) paintTube(pen, context, a, b);
    for (const shape of shapes) {
      tracePath(context, shape);
      ink(context, clear(theme.surface, 0.75), 4.2);
    }
    for (const shape of shapes) {
      tracePath(context, shape);
      ink(context, mixed(theme.ink, theme.surface, 0.12), 1.5);
    }
    for (const end of [a, b]) disc(context, end, 0.36 * unit, theme.surface, theme.ink, 1.1);
  });
}

function zigzag(a: Point, b: Point, aside: number, breadth: number): Point[] {
  const inner = Array.from({ length: 2 * WINDINGS }, (_, i) => {
    const part = LEAD_FRACTION + ((1 - 2 * LEAD_FRACTION) * (i + 0.5)) / (2 * WINDINGS);
    return between(a, b, part, aside + (i % 2 === 0 ? breadth : -breadth));
  });
  const begin = aside === 0 ? a : between(a, b, LEAD_FRACTION / 2, aside);
  const end = aside === 0 ? b : between(a, b, 1 - LEAD_FRACTION / 2, aside);
  return [
    begin,
    between(a, b, LEAD_FRACTION, aside),
    ...inner,
    between(a, b, 1 - LEAD_FRACTION, aside),
    end,
  ];
}

/** Returns the lines of a dashpot: a cylinder, its piston, and their rods. */
function dashpot(a: Point, b: Point, aside: number, breadth: number): Point[][] {
  const at = (part: number, more = 0) => between(a, b, part, aside + more);
  const [begin, end] = aside === 0 ? [a, b] : [at(LEAD_FRACTION / 2), at(1 - LEAD_FRACTION / 2)];
  return [
    [begin, at(0.34)],
    [at(0.66, breadth), at(0.34, breadth), at(0.34, -breadth), at(0.66, -breadth)],
    [at(0.52, 0.72 * breadth), at(0.52, -0.72 * breadth)],
    [at(0.52), end],
  ];
}

/** Returns the yokes that connect a parallel spring and damper. */
function yokes(a: Point, b: Point, aside: number): Point[][] {
  return [LEAD_FRACTION / 2, 1 - LEAD_FRACTION / 2].flatMap((part, i) => [
    [between(a, b, part, aside), between(a, b, part, -aside)],
    [i === 0 ? a : b, between(a, b, part)],
  ]);
}

/** Draws a hydraulic cylinder. */
function paintTube(pen: Pen, context: CanvasRenderingContext2D, a: Point, b: Point): void {
  const { theme, unit } = pen;
  for (const [from, to, width] of [
    [0, 1, 0.6],
    [0, 0.58, 1.5],
  ] as const) {
    tracePath(context, [between(a, b, from), between(a, b, to)]);
    ink(context, theme.ink, width * unit + 1.6);
    ink(context, mixed(theme.surface, theme.soft, 0.3), Math.max(1, width * unit - 1));
  }
}

const TURNS = 2.25;

/** Draws a torsion spring. */
export function drawSpiral(pen: Pen, { at, axis, other }: ItemOf<"spiral">): void {
  const [body] = at;
  const [x, y, depth] = pen.anchor(at);
  const [p, q] = acrossOf(axis).map((across) => pen.way(body, across));
  const points = Array.from({ length: 61 }, (_, i): Point => {
    const angle = (2 * Math.PI * TURNS * i) / 60;
    const r = pen.unit * (1.25 + (1.5 * i) / 60);
    const [c, s] = [r * Math.cos(angle), r * Math.sin(angle)];
    return [x + c * p![0] + s * q![0], y + c * p![1] + s * q![1], depth];
  });
  const paint = (context: CanvasRenderingContext2D) => {
    tracePath(context, points);
    ink(context, clear(pen.theme.surface, 0.7), 3.2);
    ink(context, mixed(pen.theme.ink, pen.theme.surface, 0.15), 1.3);
  };
  pen.add(depth, [body, other], paint, Layer.BASE);
}

/** Draws a bushing: rubber between two rings. */
export function drawBushing(pen: Pen, { at }: ItemOf<"bushing">): void {
  const place = pen.anchor(at);
  const paint = (context: CanvasRenderingContext2D) => {
    const { tyre, surface, ink: dark } = pen.theme;
    disc(context, place, 1.15 * pen.unit, mixed(tyre, surface, 0.35), dark, 1.3);
    disc(context, place, 0.5 * pen.unit, surface, dark, 1.1);
  };
  pen.add(place[2], [at[0]], paint, Layer.JOINT);
}

const ARROW_PX = 7;

export function drawArrow(pen: Pen, { at, direction, turns, torque }: ItemOf<"arrow">): void {
  const place = pen.anchor(at);
  const style = pen.theme.axes[0];
  const owner = turns ? at[0] : -1;
  if (torque) {
    const [p, q] = acrossOf(direction).map((across) => pen.way(owner, across));
    const curve = (context: CanvasRenderingContext2D) =>
      curvedArrow(context, place, p!, q!, 2.2 * pen.unit, style);
    pen.add(place[2], [at[0]], curve, Layer.JOINT);
    return;
  }
  const [x, y, depth] = pen.way(owner, direction);
  const tip: Point = [
    place[0] + ARROW_PX * pen.unit * x,
    place[1] + ARROW_PX * pen.unit * y,
    place[2] + ARROW_PX * pen.unit * depth,
  ];
  const paint = (context: CanvasRenderingContext2D) => paintArrow(context, place, tip, style, 2);
  pen.add(place[2], [at[0]], paint, Layer.JOINT);
}

/** Draws an arrow. */
export function paintArrow(
  context: CanvasRenderingContext2D,
  from: Point,
  to: Point,
  style: string,
  width: number,
): void {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const head = Math.min(0.5 * length, 4.5 * width);
  const back = length > 0 ? 1 - head / length : 1;
  tracePath(context, [from, between(from, to, back)]);
  ink(context, style, width);
  tracePath(
    context,
    [between(from, to, back, 0.45 * head), to, between(from, to, back, -0.45 * head)],
    true,
  );
  context.fillStyle = style;
  context.fill();
}
