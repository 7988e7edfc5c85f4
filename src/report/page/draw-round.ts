// Drawing of cylinders and wheels.

import type { ItemOf } from "../scene-data.js";
import { acrossOf, type Point } from "./camera.js";
import { clear, mixed } from "./colours.js";
import { ink, Layer, type Pen, trail } from "./pen.js";

/** A cylinder on the screen: centre, axis (a unit vector in space), radius and half length in pixels. */
export interface Drum {
  readonly middle: Point;
  readonly axis: Point;
  readonly radius: number;
  readonly half: number;
}

export interface DrumColours {
  readonly cap: string;
  readonly light: string;
  readonly dark: string;
  readonly edge: string;
}

/**
 * Paints a cylinder. Its end towards the viewer is an ellipse with the full radius across the axis; along the axis the
 * radius is scaled by the component of the axis towards the viewer. Returns the centre of that end.
 */
export function paintDrum(
  context: CanvasRenderingContext2D,
  { middle, axis, radius, half }: Drum,
  colours: DrumColours,
  width = 1.2,
): Point {
  const nearer = axis[2] < 0 ? -1 : 1;
  const [ax, ay, az] = [nearer * axis[0], nearer * axis[1], Math.abs(axis[2])];
  const reach = half * Math.hypot(ax, ay);
  const narrow = radius * az;
  context.save();
  context.translate(middle[0], middle[1]);
  context.rotate(Math.atan2(ay, ax));
  context.beginPath();
  context.ellipse(-reach, 0, narrow, radius, 0, Math.PI / 2, (3 * Math.PI) / 2);
  context.ellipse(reach, 0, narrow, radius, 0, -Math.PI / 2, Math.PI / 2);
  context.closePath();
  const shade = context.createLinearGradient(0, -radius, 0, radius);
  shade.addColorStop(0, colours.dark);
  shade.addColorStop(0.4, colours.light);
  shade.addColorStop(1, colours.dark);
  context.fillStyle = shade;
  context.fill();
  ink(context, colours.edge, width);
  context.beginPath();
  context.ellipse(reach, 0, narrow, radius, 0, 0, 2 * Math.PI);
  context.fillStyle = colours.cap;
  context.fill();
  ink(context, colours.edge, width);
  context.restore();
  return [middle[0] + half * ax, middle[1] + half * ay, middle[2] + half * az];
}

export function drumColours(pen: Pen, colour: string, alpha = 1): DrumColours {
  return {
    cap: pen.face(colour, 0.6, alpha),
    light: pen.face(colour, 0.75, alpha),
    dark: pen.face(colour, 0.1, alpha),
    edge: pen.edge(colour),
  };
}

export function drawCylinder(
  pen: Pen,
  { body, centre, axis, radius, length }: ItemOf<"cylinder">,
): void {
  const middle = pen.at(body, centre);
  const { scale } = pen.camera;
  const r = Math.max(0.4 * pen.unit, radius * scale);
  const drum: Drum = { middle, axis: pen.way(body, axis), radius: r, half: (length * scale) / 2 };
  const [u, v] = acrossOf(axis);
  const marks = [u, v].map((across) => pen.way(body, across));
  pen.add(middle[2], [body], (context) => {
    const colours = drumColours(pen, pen.colour(body), 0.92);
    const end = paintDrum(context, drum, colours);
    // A cross on the end shows the rotation.
    if (r * Math.abs(drum.axis[2]) < 5) return;
    for (const mark of marks)
      spoke(context, end, mark, -0.8 * r, 0.8 * r, clear(colours.edge, 0.6));
  });
}

function spoke(
  context: CanvasRenderingContext2D,
  [x, y, depth]: Point,
  way: Point,
  from: number,
  to: number,
  style: string,
  width = 1.2,
): void {
  const at = (r: number): Point => [x + r * way[0], y + r * way[1], depth];
  trail(context, [at(from), at(to)]);
  ink(context, style, width);
}

const SPOKES = 5;
const RIM = 0.66;

/** Opacity of wheels, so that the parts that carry them are visible. */
const WHEEL_OPACITY = 0.78;

export function drawWheel(pen: Pen, item: ItemOf<"wheel">): void {
  const { body, centre, axis, radius, width, turns } = item;
  const { scale } = pen.camera;
  const middle = pen.at(body, centre);
  const r = radius * scale;
  const drum: Drum = { middle, axis: pen.way(body, axis), radius: r, half: (width * scale) / 2 };
  const [u, v] = acrossOf(axis).map((across) => pen.way(body, across));
  const colour = pen.colour(body);
  const isDisk = width < 0.2 * radius;
  const paint = (context: CanvasRenderingContext2D) => {
    const own = drumColours(pen, colour, WHEEL_OPACITY);
    const end = paintDrum(context, drum, isDisk ? own : rubberColours(pen));
    const rim: Drum = { ...drum, middle: end, radius: RIM * r, half: 0 };
    paintDrum(context, rim, own);
    for (let i = 0; turns && i < SPOKES; i++) {
      const angle = (2 * Math.PI * i) / SPOKES;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      const way: Point = [c * u![0] + s * v![0], c * u![1] + s * v![1], 0];
      // One spoke is longer, so that revolutions can be counted.
      if (i === 0) spoke(context, end, way, 0.1 * r, 0.98 * r, own.edge, 2.6);
      else spoke(context, end, way, 0.1 * r, RIM * r, own.edge, 1.4);
    }
    const hub = { ...rim, radius: Math.min(0.14 * r, 1.3 * pen.unit) };
    paintDrum(context, hub, { ...own, cap: pen.theme.surface });
  };
  // A rolling disk has no other joints that a shell would hide.
  pen.add(middle[2], [body], paint, isDisk ? Layer.PART : Layer.SHELL);
}

function rubberColours(pen: Pen): DrumColours {
  const { tyre, surface, ink: dark } = pen.theme;
  return {
    cap: clear(mixed(tyre, surface, 0.14), WHEEL_OPACITY),
    light: clear(mixed(tyre, surface, 0.3), WHEEL_OPACITY),
    dark: clear(mixed(tyre, dark, 0.15), WHEEL_OPACITY),
    edge: mixed(tyre, dark, 0.3),
  };
}
