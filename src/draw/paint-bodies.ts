// Drawing of links, boxes, balls and lines.

import { acrossOf, type Point, type Vector } from "./camera.js";
import { clear, mixed } from "./colours.js";
import { areaOf, disc, hullOf, ink, Layer, middleOf, type Pen, tracePath } from "./pen.js";
import type { ItemOf } from "./scene-data.js";

export function drawLink(pen: Pen, { body, points }: ItemOf<"link">): void {
  const places = points.map((point) => pen.at(body, point));
  const colour = pen.colour(body);
  const width = Math.max(3, 1.6 * pen.unit);
  const isPlate = places.length > 2;
  const outline = isPlate ? hullOf(places) : places;
  pen.add(middleOf(places)[2], [body], (context) => {
    tracePath(context, outline, isPlate);
    if (isPlate) {
      context.fillStyle = clear(colour, 0.2);
      context.fill();
    }
    ink(context, pen.edge(colour), width);
    ink(context, pen.face(colour, 0.35), width < 5 ? width - 1.2 : width - 2.4);
  });
}

export function drawBar(pen: Pen, { a, b }: ItemOf<"bar">): void {
  const places = [pen.anchor(a), pen.anchor(b)];
  const isOwn = a[0] === b[0];
  const colour = isOwn ? pen.colour(a[0]) : pen.theme.soft;
  const width = (isOwn ? 0.9 : 0.62) * pen.unit;
  pen.add(middleOf(places)[2], [a[0], b[0]], (context) => {
    tracePath(context, places);
    ink(context, pen.edge(colour), width + 1.6);
    ink(context, pen.face(colour, isOwn ? 0.35 : 0.7), Math.max(1, width - 0.6));
    if (isOwn) return;
    for (const place of places) {
      disc(context, place, 0.55 * pen.unit, pen.theme.surface, pen.theme.ink, 1.2);
    }
  });
}

/** Corner indices have one bit per axis; all faces have the same orientation seen from outside. */
const FACES = [
  [0, 4, 6, 2],
  [1, 3, 7, 5],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 2, 3, 1],
  [4, 5, 7, 6],
] as const;

export function drawBox(pen: Pen, { body, centre, axes, size }: ItemOf<"box">): void {
  const corners = Array.from({ length: 8 }, (_, i) => {
    const point = [...centre];
    for (let j = 0; j < 3; j++) {
      const side = ((i >> j) & 1 ? 0.5 : -0.5) * size[j]!;
      for (let k = 0; k < 3; k++) point[k]! += side * axes[3 * j + k]!;
    }
    return pen.at(body, point as unknown as Vector);
  });
  const ways = [0, 1, 2].map((j) =>
    pen.way(body, axes.slice(3 * j, 3 * j + 3) as unknown as Vector),
  );
  paintBox(pen, [body], corners, ways, pen.colour(body), 0.88);
}

/** Paints the faces towards the viewer, which are counter-clockwise on the screen. */
export function paintBox(
  pen: Pen,
  bodies: readonly number[],
  corners: readonly Point[],
  ways: readonly Point[],
  colour: string,
  alpha: number,
): void {
  pen.add(middleOf(corners)[2], bodies, (context) => {
    for (const [i, face] of FACES.entries()) {
      const places = face.map((corner) => corners[corner]!);
      if (areaOf(places) >= 0) continue;
      const way = ways[i >> 1]!;
      const outwards: Point = i % 2 === 0 ? [-way[0], -way[1], -way[2]] : way;
      tracePath(context, places, true);
      context.fillStyle = pen.face(colour, lightOn(outwards), alpha);
      context.fill();
      ink(context, pen.edge(colour), 1.2);
    }
  });
}

/** Returns the light on a face with a given normal: the lamp is above, to the left, in front. */
export function lightOn([x, y, depth]: Point): number {
  return Math.min(1, Math.max(0, 0.42 - 0.22 * x - 0.45 * y + 0.34 * depth));
}

export function drawSphere(pen: Pen, { body, centre, radius }: ItemOf<"sphere">): void {
  const place = pen.at(body, centre);
  const r = Math.max(0.75 * pen.unit, radius * pen.camera.scale);
  const colour = pen.colour(body);
  const rings = [
    [0, 1],
    [0, 2],
  ].map(([i, j]) => ringOf(pen, body, place, axisOf(i!), axisOf(j!), r));
  pen.add(place[2], [body], (context) => {
    const [x, y] = place;
    const shade = context.createRadialGradient(x - 0.35 * r, y - 0.4 * r, 0.1 * r, x, y, r);
    shade.addColorStop(0, pen.face(colour, 1));
    shade.addColorStop(1, pen.face(colour, 0.1));
    context.beginPath();
    context.arc(x, y, r, 0, 2 * Math.PI);
    context.fillStyle = shade;
    context.fill();
    ink(context, pen.edge(colour), 1.2);
    if (r < 5) return;
    for (const ring of rings) front(context, ring, place[2], clear(pen.edge(colour), 0.7));
  });
}

function axisOf(i: number): Vector {
  return [i === 0 ? 1 : 0, i === 1 ? 1 : 0, i === 2 ? 1 : 0];
}

const STEPS = 48;

/** Returns a circle about a point, in the plane of two directions of a body. */
export function ringOf(
  pen: Pen,
  body: number,
  [x, y, depth]: Point,
  u: Vector,
  v: Vector,
  r: number,
): Point[] {
  const [p, q] = [pen.way(body, u), pen.way(body, v)];
  return Array.from({ length: STEPS + 1 }, (_, i) => {
    const angle = (2 * Math.PI * i) / STEPS;
    const [c, s] = [r * Math.cos(angle), r * Math.sin(angle)];
    return [x + c * p[0] + s * q[0], y + c * p[1] + s * q[1], depth + c * p[2] + s * q[2]];
  });
}

/** Draws the part of a line in front of a depth. */
function front(
  context: CanvasRenderingContext2D,
  points: readonly Point[],
  depth: number,
  style: string,
): void {
  context.beginPath();
  for (const [i, point] of points.entries()) {
    const before = points[i - 1];
    if (before === undefined || before[2] < depth || point[2] < depth) continue;
    context.moveTo(before[0], before[1]);
    context.lineTo(point[0], point[1]);
  }
  ink(context, style, 1.2);
}

/** Draws a centre of mass as a disc in four quarters. */
export function drawMass(pen: Pen, { body, centre }: ItemOf<"mass">): void {
  if (pen.unit < 4) return;
  const place = pen.at(body, centre);
  const [x, y, depth] = place;
  const r = 0.5 * pen.unit;
  const paint = (context: CanvasRenderingContext2D) => {
    const dark = clear(pen.edge(pen.colour(body)), 0.9);
    disc(context, place, r, pen.theme.surface, dark, 1);
    context.fillStyle = dark;
    for (const from of [0, Math.PI]) {
      context.beginPath();
      context.moveTo(x, y);
      context.arc(x, y, r, from, from + Math.PI / 2);
      context.fill();
    }
  };
  pen.add(depth, [body], paint, Layer.BASE);
}

export function drawLines(pen: Pen, { body, lines }: ItemOf<"lines">): void {
  const colour = body < 0 ? pen.theme.ground : pen.colour(body);
  for (const line of lines) {
    const places = line.map((point) => pen.at(body, point));
    if (places.length === 0) continue;
    pen.add(middleOf(places)[2], [body], (context) => {
      tracePath(context, places);
      ink(context, pen.edge(colour), 1.6);
    });
  }
}

/** Draws the pitch circle of a gear, with a radius that shows its rotation. */
export function drawCircle(pen: Pen, { body, centre, axis, radius }: ItemOf<"circle">): void {
  const place = pen.at(body, centre);
  const [u, v] = acrossOf(axis);
  const ring = ringOf(pen, body, place, u, v, radius * pen.camera.scale);
  const colour = pen.colour(body);
  const paint = (context: CanvasRenderingContext2D) => {
    tracePath(context, ring, true);
    context.fillStyle = clear(mixed(colour, pen.theme.surface, 0.3), 0.3);
    context.fill();
    context.setLineDash([5, 3]);
    ink(context, pen.edge(colour), 1.3);
    context.setLineDash([]);
    tracePath(context, [place, ring[0]!]);
    ink(context, pen.edge(colour), 1.3);
  };
  pen.add(place[2], [body], paint, Layer.BASE);
}

// Drawing of cylinders and wheels.

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
  tracePath(context, [at(from), at(to)]);
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
