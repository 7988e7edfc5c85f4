// 3D scene: parts of all items, arrows, traces, body frames and centres of mass. Independent of WebGL, so that tests can
// inspect its matrices in Node.

import {
  BufferAttribute,
  BufferGeometry,
  EdgesGeometry,
  Group,
  InstancedBufferAttribute,
  InstancedMesh,
  Line,
  LineSegments,
  Mesh,
  MeshLambertMaterial,
  type Object3D,
  Scene as Space,
  Vector3,
} from "three";
import { ConvexGeometry } from "three/addons/geometries/ConvexGeometry.js";
import {
  add,
  axesAlong,
  cross,
  dot,
  IDENTITY,
  norm,
  scale,
  subtract,
  unit,
} from "../base/algebra/vectors.js";
import type { Tint } from "../draw/colours.js";
import { niceAbove } from "../draw/items-roads.js";
import type { PoseTable } from "../draw/motion.js";
import type { Anchor, Item, ItemOf, JointSymbol, Scene, SceneView } from "../draw/scene-data.js";
import type { Vector } from "../model/model-data.js";
import type { Arrow, Arrows } from "./arrows.js";
import { MeshFactory, type ShapeName, spanned } from "./mesh-factory.js";

// 3D parts of the items of a scene.

/** 3D part of an item. */
interface Visual {
  readonly object: Object3D;
  /** Index of the body it is attached to; -1 for the world. */
  readonly body: number;
  /** Updates its pose. `unit` is the radius of a joint. */
  readonly place?: (table: PoseTable, unit: number) => void;
  /** Whether its sizes are relative to the radius of a joint. */
  readonly isSymbol?: boolean;
}

/** Context for creating parts. */
interface PartContext {
  readonly meshes: MeshFactory;
  /** Length of a typical part. */
  readonly detail: number;
}

// Joint symbols, the same as in reports but in 3D. Sizes are in radii of a joint.

/** A shape with its sizes, in the axes of the joint; "own" means the colour of its body. */
type Piece = readonly [shape: ShapeName, tint: Tint | "own", sizes: Vector, at?: Vector];

const PIECES: Readonly<Record<JointSymbol, readonly Piece[]>> = {
  pin: [
    ["pin", "ink", [1, 1, 1.7]],
    ["pin", "soft", [0.5, 0.5, 1.8]],
  ],
  ball: [["bead", "ink", [1, 1, 1]]],
  cross: [
    ["bead", "soft", [0.75, 0.75, 0.75]],
    ["tube", "ink", [0.28, 0.28, 2.4]],
  ],
  block: [["box", "own", [2.5, 2.5, 4.6]]],
  sleeve: [["pin", "soft", [1.1, 1.1, 4]]],
  thread: [
    ["pin", "soft", [1.1, 1.1, 4]],
    ["pin", "ink", [1.25, 1.25, 0.3], [0, 0, -1]],
    ["pin", "ink", [1.25, 1.25, 0.3]],
    ["pin", "ink", [1.25, 1.25, 0.3], [0, 0, 1]],
  ],
  plate: [["box", "own", [3.2, 3.2, 0.7]]],
  rods: [
    ["tube", "ink", [0.25, 0.25, 3.2], [-0.7, 0, 0]],
    ["tube", "ink", [0.25, 0.25, 3.2], [0.7, 0, 0]],
  ],
  weld: [["box", "soft", [1.6, 1.6, 1.6]]],
  blade: [["box", "ink", [4.8, 0.3, 1.2]]],
  foot: [["pin", "soft", [0.8, 0.8, 0.4]]],
};

function jointPart({ meshes }: PartContext, item: ItemOf<"joint">): readonly Visual[] {
  const [body, ...at] = item.at;
  const group = new Group();
  group.matrixAutoUpdate = false;
  for (const piece of PIECES[item.symbol]) group.add(pieceOf(meshes, piece, body));
  if (item.driven)
    group.add(meshes.mesh("torus", "accent", [0, 0, 0], IDENTITY, [1.75, 1.75, 1.75]));
  const place = (_: PoseTable, unit: number) => placeScaled(group, at, item.axes, unit);
  const own: Visual = { body, object: group, place, isSymbol: true };
  return item.second === undefined ? [own] : [own, secondAxis(meshes, item, item.second)];
}

/** Creates the second pin of a universal joint, along the axis of the other body. */
function secondAxis(
  meshes: MeshFactory,
  { at: [body, ...at] }: ItemOf<"joint">,
  [other, ...axis]: readonly [number, number, number, number],
): Visual {
  const group = new Group();
  group.matrixAutoUpdate = false;
  group.add(meshes.mesh("tube", "ink", [0, 0, 0], IDENTITY, [0.28, 0.28, 2.4]));
  const place = (table: PoseTable, unit: number) =>
    placeScaled(group, table.point(body, ...at), axesAlong(table.direction(other, axis)), unit);
  return { body: -1, object: group, place, isSymbol: true };
}

function pieceOf(
  meshes: MeshFactory,
  [shape, tint, sizes, at = [0, 0, 0]]: Piece,
  body: number,
): Object3D {
  return meshes.mesh(
    shape,
    tint === "own" ? (body < 0 ? "ground" : body) : tint,
    at,
    IDENTITY,
    sizes,
  );
}

/** Sets position, axes and a uniform scale of an object. */
function placeScaled(
  object: Object3D,
  at: readonly number[],
  axes: readonly number[],
  factor: number,
): void {
  const e = object.matrix.elements;
  for (let j = 0; j < 3; j++) {
    for (let k = 0; k < 3; k++) e[4 * j + k] = factor * axes[3 * j + k]!;
    e[12 + j] = at[j]!;
  }
  object.matrixWorldNeedsUpdate = true;
}

// Fixed parts: bases, rails, roads, planes and user-defined lines.

/** Creates a base: a pyramid on a plate, with its tip at the joint. */
function groundPart({ meshes }: PartContext, { at, base }: ItemOf<"ground">): readonly Visual[] {
  const group = new Group();
  group.matrixAutoUpdate = false;
  // The tip of the shape is at z = 1/2; the base lies along z of the part.
  const pyramid = meshes.mesh(
    "pyramid",
    "ground",
    [0, 0, 1.4],
    [1, 0, 0, 0, -1, 0, 0, 0, -1],
    [1.1, 1.1, 2.8],
  );
  group.add(pyramid, meshes.mesh("box", "ground", [0, 0, 2.95], IDENTITY, [5.2, 5.2, 0.4]));
  const axes = axesAlong(base);
  const place = (_: PoseTable, unit: number) => placeScaled(group, at, axes, unit);
  return [{ body: -1, object: group, place, isSymbol: true }];
}

/** Creates a thin rail, at least as long as needed to be visible. */
function railPart({ meshes, detail }: PartContext, item: ItemOf<"rail">): readonly Visual[] {
  const [body, ...at] = item.at;
  const short = Math.max(0, (detail - (item.to - item.from)) / 2);
  const end = (shift: number) => add(at, scale(shift, item.axis));
  const tint: Tint = body < 0 ? "ground" : body;
  const rail = meshes.bar(tint, end(item.from - short), end(item.to + short), 0.014 * detail);
  return [{ body, object: rail }];
}

/** Creates a band of triangles between the left and right edges, with lines across it. */
function roadPart(
  { meshes }: PartContext,
  { body, edges, across }: ItemOf<"road">,
): readonly Visual[] {
  const geometry = meshes.own(new BufferGeometry());
  geometry.setAttribute("position", new BufferAttribute(Float32Array.from(edges.flat()), 3));
  const pairs = edges.length / 2;
  const index = Array.from({ length: Math.max(0, pairs - 1) }, (_, i) => {
    const [a, b, c, d] = [2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 3];
    return [a, b, c, b, d, c];
  });
  geometry.setIndex(index.flat());
  geometry.computeVertexNormals();
  const band = new Mesh(geometry, meshes.sheet("ground", 0.45));
  return [
    { body, object: band },
    { body, object: segments(meshes, across, "ground", 0.9) },
  ];
}

function planePart(
  { meshes }: PartContext,
  { body, corner, u, v, cells }: ItemOf<"plane">,
): readonly Visual[] {
  const at = (i: number, j: number) =>
    add(corner, add(scale(i / cells[0], u), scale(j / cells[1], v)));
  const lines: Vector[] = [];
  for (let i = 0; i <= cells[0]; i++) lines.push(at(i, 0), at(i, cells[1]));
  for (let j = 0; j <= cells[1]; j++) lines.push(at(0, j), at(cells[0], j));
  const geometry = meshes.own(new BufferGeometry());
  const corners = [at(0, 0), at(cells[0], 0), at(0, cells[1]), at(cells[0], cells[1])];
  geometry.setAttribute("position", new BufferAttribute(Float32Array.from(corners.flat()), 3));
  geometry.setIndex([0, 1, 2, 1, 3, 2]);
  geometry.computeVertexNormals();
  return [
    { body, object: new Mesh(geometry, meshes.sheet("ground", 0.18)) },
    { body, object: segments(meshes, lines, "ground", 0.5) },
  ];
}

function linesPart({ meshes }: PartContext, { body, lines }: ItemOf<"lines">): readonly Visual[] {
  const ends = lines.flatMap((line) =>
    line.flatMap((point, i) => (i === 0 ? [] : [line[i - 1]!, point])),
  );
  return [{ body, object: segments(meshes, ends, body < 0 ? "ground" : body, 1) }];
}

/** Creates line segments between pairs of points. */
function segments(
  meshes: MeshFactory,
  points: readonly (readonly number[])[],
  tint: Tint,
  alpha: number,
): LineSegments {
  const geometry = meshes.own(new BufferGeometry());
  geometry.setAttribute("position", new BufferAttribute(Float32Array.from(points.flat()), 3));
  return new LineSegments(geometry, meshes.line(tint, alpha));
}

// Items of a scene as 3D objects. Parts of one body are attached to it; parts between two bodies are placed for each
// frame.

// Springs, dampers, actuators, bars between bodies, bushings and loads.

/** Windings of a coil, points per winding, and straight fraction of the length at either end. */
const WINDINGS = 8;
const POINTS_PER_WINDING = 16;
const LEAD_FRACTION = 0.1;
/** Radius of a thin bar, relative to a typical part. */
const BAR_RADIUS = 0.02;

/** Creates a bar, attached to its body, or placed for each frame if it connects two bodies. */
function barPart({ meshes, detail }: PartContext, { a, b }: ItemOf<"bar">): readonly Visual[] {
  const radius = BAR_RADIUS * detail;
  if (a[0] === b[0]) {
    const tint = a[0] < 0 ? "ground" : a[0];
    return [{ body: a[0], object: meshes.bar(tint, ownOf(a), ownOf(b), radius) }];
  }
  const bar = new Mesh(meshes.shape("tube"), meshes.solid("soft"));
  bar.matrixAutoUpdate = false;
  const place = (table: PoseTable) => {
    spanned(bar.matrix, table.point(...a), table.point(...b), radius);
    bar.matrixWorldNeedsUpdate = true;
  };
  return [{ body: -1, object: bar, place }];
}

function ownOf([, x, y, z]: Anchor): Vector {
  return [x, y, z];
}

/** Creates a coil, a dashpot inside it, or a cylinder with its rod. */
function springPart({ meshes, detail }: PartContext, item: ItemOf<"spring">): readonly Visual[] {
  const parts: Visual[] = [];
  const isPlain = !item.coil && !item.damper;
  if (item.coil) parts.push(coilPart(meshes, item.a, item.b, 0.055 * detail));
  if (item.damper || isPlain)
    parts.push(...dashpot(meshes, item, isPlain ? 0.045 * detail : 0.032 * detail));
  return parts;
}

/** Creates a helical line of unit length and radius along z, which its matrix scales. */
function coilPart(meshes: MeshFactory, a: Anchor, b: Anchor, radius: number): Visual {
  const count = WINDINGS * POINTS_PER_WINDING;
  const points = new Float32Array(3 * (count + 3));
  points.set([0, 0, -0.5], 0);
  for (let i = 0; i <= count; i++) {
    const angle = (2 * Math.PI * i) / POINTS_PER_WINDING;
    const along = -0.5 + LEAD_FRACTION + ((1 - 2 * LEAD_FRACTION) * i) / count;
    points.set([Math.cos(angle), Math.sin(angle), along], 3 * (i + 1));
  }
  points.set([0, 0, 0.5], 3 * (count + 2));
  const geometry = meshes.own(new BufferGeometry());
  geometry.setAttribute("position", new BufferAttribute(points, 3));
  const line = new Line(geometry, meshes.line("ink"));
  line.matrixAutoUpdate = false;
  const place = (table: PoseTable) => {
    spanned(line.matrix, table.point(...a), table.point(...b), radius);
    line.matrixWorldNeedsUpdate = true;
  };
  return { body: -1, object: line, place };
}

/** Creates a cylinder of fixed length at one end and a rod from the other end into it. */
function dashpot(meshes: MeshFactory, { a, b }: ItemOf<"spring">, radius: number): Visual[] {
  const [cup, rod] = [
    new Mesh(meshes.shape("tube"), meshes.solid("soft")),
    new Mesh(meshes.shape("tube"), meshes.solid("ink")),
  ];
  for (const each of [cup, rod]) each.matrixAutoUpdate = false;
  const place = (table: PoseTable) => {
    const [from, to] = [table.point(...a), table.point(...b)] as const;
    const at = (part: number): Vector =>
      [0, 1, 2].map((i) => from[i]! + part * (to[i]! - from[i]!)) as unknown as Vector;
    spanned(cup.matrix, from, at(0.55), radius);
    spanned(rod.matrix, at(0.4), to, 0.4 * radius);
    cup.matrixWorldNeedsUpdate = true;
    rod.matrixWorldNeedsUpdate = true;
  };
  return [
    { body: -1, object: cup, place },
    { body: -1, object: rod },
  ];
}

/** Creates a torsion spring, in radii of a joint. */
function spiralPart(
  { meshes }: PartContext,
  { at: [body, ...at], axis }: ItemOf<"spiral">,
): readonly Visual[] {
  const points = new Float32Array(3 * 61);
  for (let i = 0; i <= 60; i++) {
    const [angle, r] = [(2 * Math.PI * 2.25 * i) / 60, 1.25 + (1.5 * i) / 60];
    points.set([r * Math.cos(angle), r * Math.sin(angle), 0], 3 * i);
  }
  const geometry = meshes.own(new BufferGeometry());
  geometry.setAttribute("position", new BufferAttribute(points, 3));
  const line = new Line(geometry, meshes.line("ink"));
  line.matrixAutoUpdate = false;
  const axes = axesAlong(axis);
  const place = (_: PoseTable, unit: number) => placeScaled(line, at, axes, unit);
  return [{ body, object: line, place, isSymbol: true }];
}

/** Creates a bushing: rubber between two rings. */
function bushingPart(
  { meshes }: PartContext,
  { at: [body, ...at] }: ItemOf<"bushing">,
): readonly Visual[] {
  const group = new Group();
  group.matrixAutoUpdate = false;
  group.add(meshes.mesh("bead", "tyre", [0, 0, 0], IDENTITY, [1.2, 1.2, 1.2]));
  const place = (_: PoseTable, unit: number) => placeScaled(group, at, IDENTITY, unit);
  return [{ body, object: group, place, isSymbol: true }];
}

/** Creates a constant load: an arrow; for a torque, with a ring about it. */
function loadPart({ meshes }: PartContext, item: ItemOf<"arrow">): readonly Visual[] {
  const [body, ...at] = item.at;
  const group = new Group();
  group.matrixAutoUpdate = false;
  group.add(
    meshes.mesh("tube", "accent", [0, 0, 2.2], IDENTITY, [0.22, 0.22, 4.4]),
    meshes.mesh("cone", "accent", [0, 0, 5], IDENTITY, [0.6, 0.6, 1.4]),
  );
  if (item.torque) group.add(meshes.mesh("torus", "accent", [0, 0, 2], IDENTITY, [1.8, 1.8, 1.8]));
  const place = (table: PoseTable, unit: number) => {
    const direction = item.turns ? table.direction(body, item.direction) : item.direction;
    placeScaled(group, table.point(body, ...at), axesAlong(direction), unit);
  };
  return [{ body: -1, object: group, place, isSymbol: true }];
}

// A body through many points: their transparent convex hull with its edges. Coplanar points get a thickness.

/** Half the thickness of a plate, relative to a typical part. */
const HALF_PLATE_THICKNESS = 0.012;
/** Distance from a plane, relative to the extent of the points, below which points lie in it. */
const COPLANARITY_TOLERANCE = 0.02;
/** Angle between faces in degrees below which no edge is drawn. */
const MIN_EDGE_ANGLE_DEG = 8;

function hullParts(
  { meshes, detail }: PartContext,
  body: number,
  points: readonly Vector[],
): readonly Visual[] {
  const solid = thickened(points, HALF_PLATE_THICKNESS * detail).map(
    (point) => new Vector3(...point),
  );
  const faces = meshes.own(new ConvexGeometry(solid));
  const edges = meshes.own(new EdgesGeometry(faces, MIN_EDGE_ANGLE_DEG));
  return [
    { body, object: new Mesh(faces, meshes.sheet(body, 0.3)) },
    { body, object: new LineSegments(edges, meshes.line(body)) },
  ];
}

/** Returns the points; coplanar or collinear ones are doubled on both sides of their plane or line. */
export function thickened(points: readonly Vector[], half: number): readonly Vector[] {
  const from = points[0]!;
  const arms = points.map((point) => subtract(point, from));
  const longest = arms.reduce((a, b) => (norm(b) > norm(a) ? b : a));
  const extent = norm(longest);
  const normals = arms.map((arm) => cross(longest, arm));
  const largest = normals.reduce((a, b) => (norm(b) > norm(a) ? b : a));
  const isLine = norm(largest) < COPLANARITY_TOLERANCE * extent * extent;
  const normal = unit(isLine ? acrossTo(longest) : largest);
  const isFlat = arms.every((arm) => Math.abs(dot(arm, normal)) < COPLANARITY_TOLERANCE * extent);
  if (!isFlat) return points;
  const sides = isLine ? [normal, unit(cross(longest, normal))] : [normal];
  return sides.reduce<readonly Vector[]>(
    (all, side) => all.flatMap((p) => [add(p, scale(half, side)), add(p, scale(-half, side))]),
    points,
  );
}

function acrossTo(v: Vector): Vector {
  const guide: Vector = Math.abs(v[0]) < 0.7 * norm(v) ? [1, 0, 0] : [0, 1, 0];
  return cross(v, guide);
}

/** Radius of links, relative to that of joints. */
const LINK_RADIUS = 0.62;

const MAKERS: {
  readonly [Kind in Item["kind"]]: (context: PartContext, item: ItemOf<Kind>) => readonly Visual[];
} = {
  link: linkParts,
  bar: barPart,
  box: ({ meshes }, { body, centre, axes, size }) => [
    { body, object: meshes.mesh("box", body, centre, axes, size) },
  ],
  cylinder: ({ meshes }, { body, centre, axis, radius, length }) => [
    {
      body,
      object: meshes.mesh("cylinder", body, centre, axesAlong(axis), [radius, radius, length]),
    },
  ],
  sphere: ({ meshes }, { body, centre, radius }) => [
    {
      body,
      object: meshes.mesh("sphere", body, centre, axesAlong([0, 0, 1]), [radius, radius, radius]),
    },
  ],
  wheel: wheelParts,
  mass: () => [],
  spring: springPart,
  joint: jointPart,
  spiral: spiralPart,
  bushing: bushingPart,
  rail: railPart,
  ground: groundPart,
  arrow: loadPart,
  circle: ({ meshes }, { body, centre, axis, radius }) => [
    {
      body,
      object: meshes.mesh("torus", body, centre, axesAlong(axis), [radius, radius, radius]),
    },
  ],
  road: roadPart,
  plane: planePart,
  lines: linesPart,
};

/** Creates the parts of an item. */
function partsOf(context: PartContext, item: Item): readonly Visual[] {
  return (MAKERS[item.kind] as (context: PartContext, item: Item) => readonly Visual[])(
    context,
    item,
  );
}

/** Creates a round bar sized by the joint radius, or a hull through more than two points. */
function linkParts(context: PartContext, { body, points }: ItemOf<"link">): readonly Visual[] {
  const [a, b] = points;
  if (points.length > 2) return hullParts(context, body, points);
  const bar = context.meshes.bar(body, a!, b!, 1);
  const place = (_: PoseTable, unit: number) => {
    spanned(bar.matrix, a!, b!, LINK_RADIUS * unit);
    bar.matrixWorldNeedsUpdate = true;
  };
  return [{ body, object: bar, place, isSymbol: true }];
}

/** Creates a tyre, a rim, and spokes if the wheel rotates. */
function wheelParts({ meshes }: PartContext, item: ItemOf<"wheel">): readonly Visual[] {
  const { body, centre, axis, radius, width, turns } = item;
  const axes = axesAlong(axis);
  // Slightly larger than a body with the shape of the wheel: coincident surfaces flicker.
  const [outer, wide] = [1.012 * radius, 1.012 * width];
  const tyre = meshes.mesh("cylinder", "tyre", centre, axes, [outer, outer, wide]);
  const rim = meshes.mesh("cylinder", body, centre, axes, [
    0.62 * radius,
    0.62 * radius,
    1.03 * width,
  ]);
  const [long, thin, deep] = [1.9 * radius, 0.09 * radius, 1.06 * width];
  const spokes = (turns ? [[long, thin, deep] as const, [thin, long, deep] as const] : []).map(
    (size) => meshes.mesh("box", "soft", centre, axes, size),
  );
  return [tyre, rim, ...spokes].map((object) => ({ body, object }));
}

// Aids for reading a 3D picture: body frames, centres of mass, and a grid below the mechanism.

/** Length of the axes of a frame, relative to a typical part. */
const AXIS_LENGTH = 0.3;
/** Approximate number of grid squares along the shorter side. */
const GRID_SQUARES = 10;

/** Creates three short axes at the origin of a body. */
function frameMark(meshes: MeshFactory, detail: number): Object3D {
  const frame = new Group();
  for (const [j, tint] of (["x", "y", "z"] as const).entries()) {
    const tip = [0, 1, 2].map((k) => (k === j ? AXIS_LENGTH * detail : 0));
    frame.add(segments(meshes, [[0, 0, 0], tip], tint, 1));
  }
  return frame;
}

/** Creates a centre-of-mass mark: a ball in a ring, in radii of a joint. */
function massMark(meshes: MeshFactory): Object3D {
  const mark = new Group();
  mark.matrixAutoUpdate = false;
  mark.add(
    meshes.mesh("bead", "ink", [0, 0, 0], IDENTITY, [0.6, 0.6, 0.6]),
    meshes.mesh("torus", "accent", [0, 0, 0], IDENTITY, [1, 1, 1]),
  );
  return mark;
}

/** Creates the grid below the mechanism; none if there is a road or plane, or if the camera follows a body. */
function gridMark(meshes: MeshFactory, { items, view, bodies }: Scene): LineSegments | undefined {
  const hasFloor = items.some(({ kind }) => kind === "road" || kind === "plane");
  if (hasFloor || bodies.length === 0 || view.follow >= 0) return undefined;
  return segments(meshes, gridLines(view), "ground", 0.3);
}

function gridLines({ extremes, up, right, detail }: SceneView): Vector[] {
  const towards = cross(right, up);
  const range = (direction: Vector) => {
    const all = extremes.map((point) => dot(direction, point));
    return [Math.min(...all), Math.max(...all)] as const;
  };
  const [[left, wide], [near, far], [low]] = [range(right), range(towards), range(up)];
  const cell = niceAbove(Math.max(wide - left, far - near, detail) / GRID_SQUARES);
  const ends = (from: number, to: number) =>
    [Math.floor(from / cell) - 1, Math.ceil(to / cell) + 1] as const;
  const [[a, b], [c, d]] = [ends(left, wide), ends(near, far)];
  const at = (i: number, j: number): Vector =>
    add(add(scale(cell * i, right), scale(cell * j, towards)), scale(low, up));
  const lines: Vector[] = [];
  for (let i = a; i <= b; i++) lines.push(at(i, c), at(i, d));
  for (let j = c; j <= d; j++) lines.push(at(a, j), at(b, j));
  return lines;
}

// Instanced drawing: one draw call per shared geometry, whatever the colours. Draw calls dominate software rendering: a
// hundred of them took three quarters of a frame of the HMMWV.
//
// The meshes stay in the scene graph, in a layer that no camera sees: they define picking, hierarchy and visibility.

/** Layer of meshes that a batch draws. */
const INSTANCED_LAYER = 1;
/** Initial capacity of a batch. */
const INITIAL_CAPACITY = 16;

interface MeshBatch {
  readonly mesh: InstancedMesh;
  used: number;
}

export class InstancedBatches {
  readonly #space: Object3D;
  #meshes: readonly Mesh<BufferGeometry, MeshLambertMaterial>[] = [];
  /** Batches by geometry. Faded meshes are transparent and have batches of their own. */
  readonly #solid = new Map<BufferGeometry, MeshBatch>();
  readonly #faint = new Map<BufferGeometry, MeshBatch>();
  readonly #materials = {
    solid: new MeshLambertMaterial(),
    faint: new MeshLambertMaterial({ transparent: true, depthWrite: false }),
  };

  constructor(space: Object3D) {
    this.#space = space;
  }

  /** Replaces the meshes to draw. */
  setMeshes(meshes: readonly Mesh[]): void {
    this.#meshes = meshes as readonly Mesh<BufferGeometry, MeshLambertMaterial>[];
    for (const mesh of meshes) mesh.layers.set(INSTANCED_LAYER);
  }

  /** Copies matrices and colours of the meshes to the batches. World matrices must be up to date. */
  update(): void {
    for (const batch of [...this.#solid.values(), ...this.#faint.values()]) batch.used = 0;
    for (const mesh of this.#meshes) {
      if (!isVisible(mesh)) continue;
      const { material, geometry, matrixWorld } = mesh;
      const isFaint = material.transparent;
      if (isFaint) this.#materials.faint.opacity = material.opacity;
      const batch = this.#batchFor(geometry, isFaint);
      const at = batch.used++;
      matrixWorld.toArray(batch.mesh.instanceMatrix.array, 16 * at);
      batch.mesh.setColorAt(at, material.color);
    }
    for (const { mesh, used } of [...this.#solid.values(), ...this.#faint.values()]) {
      mesh.count = used;
      mesh.visible = used > 0;
      mesh.instanceMatrix.needsUpdate = true;
      mesh.instanceColor!.needsUpdate = true;
    }
  }

  /** Returns a batch with free capacity; a full batch is replaced by a copy twice as large. */
  #batchFor(geometry: BufferGeometry, isFaint: boolean): MeshBatch {
    const batches = isFaint ? this.#faint : this.#solid;
    const found = batches.get(geometry);
    const room = found?.mesh.instanceMatrix.count ?? 0;
    if (found && found.used < room) return found;
    const material = isFaint ? this.#materials.faint : this.#materials.solid;
    const mesh = new InstancedMesh(geometry, material, Math.max(INITIAL_CAPACITY, 2 * room));
    mesh.instanceColor = new InstancedBufferAttribute(new Float32Array(3 * mesh.count), 3);
    mesh.frustumCulled = false;
    mesh.raycast = () => {};
    if (found) {
      mesh.instanceMatrix.array.set(found.mesh.instanceMatrix.array);
      mesh.instanceColor.array.set(found.mesh.instanceColor!.array);
      this.#remove(found);
    }
    this.#space.add(mesh);
    const batch = { mesh, used: found?.used ?? 0 };
    batches.set(geometry, batch);
    return batch;
  }

  #remove({ mesh }: MeshBatch): void {
    mesh.removeFromParent();
    mesh.dispose();
  }

  dispose(): void {
    for (const batch of [...this.#solid.values(), ...this.#faint.values()]) this.#remove(batch);
    this.#solid.clear();
    this.#faint.clear();
    for (const material of Object.values(this.#materials)) material.dispose();
  }
}

function isVisible(mesh: Mesh): boolean {
  for (let each: Object3D | null = mesh; each !== null; each = each.parent) {
    if (!each.visible) return false;
  }
  return true;
}

/** A part that can be picked. */
export interface NamedPart {
  readonly kind: "body" | "joint" | "force";
  readonly name: string;
}

/** Optional parts that are shown. */
export interface Shown {
  readonly joints: boolean;
  readonly frames: boolean;
  readonly masses: boolean;
  readonly grid: boolean;
}

/** Shaft radius and head length of an arrow, relative to the radius of a joint. */
const SHAFT = 0.28;
const HEAD = 2.4;

export class Picture {
  readonly space = new Space();
  readonly meshes: MeshFactory;
  /** Groups of the bodies by index, the ground first, to which rigid parts are attached. */
  #bodyGroups: Group[] = [];
  #parts: readonly Visual[] = [];
  #symbols: Object3D[] = [];
  #masses: readonly { readonly mark: Object3D; readonly centre: readonly number[] }[] = [];
  #frames: readonly Object3D[] = [];
  #grid: LineSegments | undefined;
  readonly #arrows = new Group();
  readonly #trails = new Group();
  readonly #batches = new InstancedBatches(this.space);

  constructor(colours: (tint: Tint) => string) {
    this.meshes = new MeshFactory(colours);
    this.space.matrixWorldAutoUpdate = false;
    this.space.add(this.#arrows, this.#trails);
  }

  /** Rebuilds all parts. */
  build(scene: Scene, table: PoseTable, kindOf: (name: string) => NamedPart["kind"]): void {
    for (const group of this.#bodyGroups) group.removeFromParent();
    this.meshes.clearOwn();
    this.#bodyGroups = Array.from({ length: table.bodies + 1 }, () => {
      const group = new Group();
      group.matrixAutoUpdate = false;
      return group;
    });
    this.space.add(...this.#bodyGroups);
    const context = { meshes: this.meshes, detail: scene.view.detail };
    this.#symbols = [];
    this.#parts = scene.items.flatMap((item) =>
      partsOf(context, item).map((part) => {
        part.object.userData = { ...namedBy(item, scene, kindOf) };
        this.#bodyGroups[part.body + 1]!.add(part.object);
        if (item.kind === "joint" || item.kind === "ground") this.#symbols.push(part.object);
        return part;
      }),
    );
    this.#addMarks(scene);
    this.#batches.setMeshes(this.#sharedMeshes());
  }

  #sharedMeshes(): readonly Mesh[] {
    const meshes: Mesh[] = [];
    for (const group of this.#bodyGroups) {
      group.traverse((each) => {
        if (each instanceof Mesh && this.meshes.isShared(each)) meshes.push(each);
      });
    }
    return meshes;
  }

  /** Updates the instanced batches. Call after all parts have been placed. */
  updateInstances(): void {
    this.space.updateMatrixWorld();
    this.#batches.update();
  }

  #addMarks(scene: Scene): void {
    const attach = <Mark extends Object3D>(body: number, mark: Mark): Mark => {
      this.#bodyGroups[body + 1]!.add(mark);
      return mark;
    };
    this.#masses = scene.bodies.map(({ centre }, i) => ({
      mark: attach(i, massMark(this.meshes)),
      centre,
    }));
    this.#frames = scene.bodies.map((_, i) => attach(i, frameMark(this.meshes, scene.view.detail)));
    const grid = gridMark(this.meshes, scene);
    this.#grid = grid && attach(-1, grid);
  }

  /** Updates the poses of all parts. `unit` is the radius of a joint in the world. */
  update(table: PoseTable, unit: number, shown: Shown): void {
    for (const [i, group] of this.#bodyGroups.entries()) {
      group.matrix.fromArray(table.matrices, 16 * i);
      group.matrixWorldNeedsUpdate = true;
    }
    for (const part of this.#parts) part.place?.(table, unit);
    for (const symbol of this.#symbols) symbol.visible = shown.joints;
    for (const { mark, centre } of this.#masses) {
      mark.visible = shown.masses;
      if (shown.masses) placeScaled(mark, centre, IDENTITY, unit);
    }
    for (const frame of this.#frames) frame.visible = shown.frames;
    if (this.#grid) this.#grid.visible = shown.grid;
  }

  /** Hides the parts of joints and forces that are absent in this mode. */
  hide(absent: ReadonlySet<string>): void {
    if (absent.size === 0 && this.#hidden === 0) return;
    this.#hidden = absent.size;
    for (const { object } of this.#parts) {
      const { kind, name } = object.userData as Partial<NamedPart>;
      if (kind === "joint" || kind === "force") object.visible = !absent.has(name!);
    }
  }

  #hidden = 0;

  /** Updates the arrows. Meshes are created as needed and reused. */
  point(arrows: readonly Arrow[], scales: Arrows, size: number, unit: number): void {
    const missing = arrows.length - this.#arrows.children.length;
    for (let i = 0; i < missing; i++) this.#arrows.add(this.#newArrow());
    for (const [i, child] of this.#arrows.children.entries()) {
      const arrow = arrows[i];
      child.visible = arrow !== undefined;
      if (arrow === undefined) continue;
      const [from, to] = scales.drawn(arrow, size);
      const shift = subtract(to, from);
      const head = Math.min(0.5 * norm(shift), HEAD * unit);
      const neck = subtract(to, scale(head / norm(shift), shift));
      const [shaft, tip] = child.children as [
        ReturnType<MeshFactory["bar"]>,
        ReturnType<MeshFactory["bar"]>,
      ];
      const material = this.meshes.solid(arrow.kind);
      shaft.material = material;
      tip.material = material;
      spanned(shaft.matrix, from, neck, SHAFT * unit);
      spanned(tip.matrix, neck, to, 0.4 * head);
      child.userData = { kind: arrow.kind, name: arrow.name, from, to };
      shaft.matrixWorldNeedsUpdate = true;
      tip.matrixWorldNeedsUpdate = true;
    }
  }

  /** Visible arrows as drawn. */
  get arrows(): readonly {
    readonly name: string;
    readonly from: readonly number[];
    readonly to: readonly number[];
  }[] {
    return this.#arrows.children
      .filter(({ visible }) => visible)
      .map(({ userData }) => userData as { name: string; from: number[]; to: number[] });
  }

  #newArrow(): Group {
    const arrow = new Group();
    arrow.add(
      this.meshes.mesh("tube", "forces", [0, 0, 0], IDENTITY, [1, 1, 1]),
      this.meshes.mesh("cone", "forces", [0, 0, 0], IDENTITY, [1, 1, 1]),
    );
    return arrow;
  }

  /** Updates the trace of a point, three coordinates per point, in the colour of its body. */
  trail(index: number, points: readonly number[], body: number): void {
    let line = this.#trails.children[index] as Line<BufferGeometry> | undefined;
    const needed = points.length / 3;
    const room = line?.geometry.getAttribute("position").count ?? 0;
    if (line === undefined || room < needed) {
      const geometry = new BufferGeometry();
      geometry.setAttribute(
        "position",
        new BufferAttribute(new Float32Array(6 * points.length), 3),
      );
      line?.geometry.dispose();
      if (line === undefined) {
        line = new Line(geometry, this.meshes.line(body, 0.8));
        line.frustumCulled = false;
        this.#trails.add(line);
      } else line.geometry = geometry;
    }
    line.material = this.meshes.line(body, 0.8);
    const attribute = line.geometry.getAttribute("position") as BufferAttribute;
    (attribute.array as Float32Array).set(points);
    attribute.needsUpdate = true;
    line.geometry.setDrawRange(0, needed);
  }

  /** Removes traces beyond the first `count`. */
  keepTrails(count: number): void {
    for (const line of this.#trails.children.slice(count)) {
      (line as Line).geometry.dispose();
      line.removeFromParent();
    }
  }

  /** Returns the column-major matrix of a body as drawn. */
  matrixOf(body: number): readonly number[] {
    return this.#bodyGroups[body + 1]!.matrix.elements;
  }

  dispose(): void {
    this.keepTrails(0);
    this.#batches.dispose();
    this.meshes.dispose();
    this.space.clear();
  }
}

/** Returns the body, joint or force that an item belongs to. */
function namedBy(
  item: Item,
  { bodies }: Scene,
  kindOf: (name: string) => NamedPart["kind"],
): NamedPart | undefined {
  if (item.of !== undefined) return { kind: kindOf(item.of), name: item.of };
  const body = "body" in item ? item.body : item.kind === "bar" ? item.a[0] : -1;
  const name = bodies[body]?.name;
  return name === undefined ? undefined : { kind: "body", name };
}
