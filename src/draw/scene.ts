// Scene of a mechanism and its motion.

import { SensorKind, SpringData, TyreData, WheelData } from "../../assembly/layout-bodies.js";
import {
  add,
  column,
  cross,
  dot,
  IDENTITY,
  norm,
  rotationOf,
  scale,
  subtract,
  times,
  transposeTimes,
  unit,
  vectorOf,
} from "../base/algebra/vectors.js";
import { descriptionError, hint, type VectorLike, vector } from "../base/checking/values.js";
import { NodriftError } from "../base/errors.js";
import type { BodyState, CompiledModel } from "../bodies.js";
import { timeUnit, unitOf } from "../files/functions/units.js";
import { type Body, partName } from "../model/handles.js";
import {
  appearanceOf,
  type BodyData,
  type ForceAppearance,
  type ForceData,
  GROUND,
  type ModelData,
  type ShapeDescription,
  type Vector,
} from "../model/model-data.js";
import { principalAxes } from "../model/principal-moments.js";
import type { Solution } from "../solve.js";
import type { NamedView } from "./camera.js";
import { absencesOf, anchorOf, framesOf, Poses } from "./frames.js";
import { jointItems } from "./items-joints.js";
import { roadsOf, type Shaker } from "./items-roads.js";
import type { Anchor, Drawing, Frames, Item, RecordedScene, Scene } from "./scene-data.js";
import {
  bodyToFollow,
  detailOf,
  directionsOf,
  extremesOf,
  keyPoints,
  viewFrom,
} from "./viewpoint.js";

// Solids of bodies, from their shape, or from their inertia if they have none.

type Solid = Extract<Drawing, { readonly kind: "box" | "cylinder" | "sphere" }>;

/** Difference of moments of inertia, relative to the largest, below which they count as equal. */
const MOMENT_TOLERANCE = 0.02;
/** Minimum drawn thickness, relative to the largest edge. */
const MIN_THICKNESS_FRACTION = 0.02;
/** Length relative to the other dimensions above which a solid is a bar with two ends. */
const MIN_BAR_SLENDERNESS = 4;

/** Returns the solid of a given shape. Rods are drawn as lines between their ends instead. */
function solidOf(
  body: number,
  centre: Vector,
  shape: Exclude<ShapeDescription, { readonly type: "rod" }>,
): Solid {
  switch (shape.type) {
    case "box":
      return {
        kind: "box",
        body,
        centre,
        axes: IDENTITY,
        size: vectorOf(shape.x, shape.y, shape.z),
      };
    case "cylinder": {
      const { radius, length, axis = [0, 0, 1] } = shape;
      return { kind: "cylinder", body, centre, axis: unit(axis), radius, length };
    }
    case "sphere":
      return { kind: "sphere", body, centre, radius: shape.radius };
  }
}

/**
 * Returns a homogeneous solid with the mass and inertia of a body: a ball if all moments are equal, with
 * r^2 = 5/2 I / m; a cylinder if two are, with r^2 = 2 I_axis / m and L^2 = (12 I_across - 6 I_axis) / m; else
 * a box, with a_i^2 = 6 (I_j + I_k - I_i) / m.
 */
function equivalentSolid(body: number, data: BodyData): Solid {
  const { mass, centre } = data;
  const { moments, axes } = principalAxes(data.inertia);
  const largest = Math.max(...moments);
  const alike = (i: number, j: number) =>
    Math.abs(moments[i]! - moments[j]!) < MOMENT_TOLERANCE * largest;
  if (alike(0, 1) && alike(1, 2)) {
    return { kind: "sphere", body, centre, radius: Math.sqrt((2.5 * largest) / mass) };
  }
  const about = [0, 1, 2].find((i) => alike((i + 1) % 3, (i + 2) % 3));
  if (about === undefined) {
    const sum = moments[0] + moments[1] + moments[2];
    const edges = moments.map((moment) => Math.sqrt(Math.max(0, (6 * (sum - 2 * moment)) / mass)));
    const minThickness = MIN_THICKNESS_FRACTION * Math.max(...edges);
    const [x, y, z] = edges.map((edge) => Math.max(edge, minThickness));
    return { kind: "box", body, centre, axes, size: vectorOf(x!, y!, z!) };
  }
  const [along, across] = [moments[about]!, moments[(about + 1) % 3]!];
  const radius = Math.sqrt((2 * along) / mass);
  const length = Math.sqrt(Math.max(0, (12 * across - 6 * along) / mass));
  return {
    kind: "cylinder",
    body,
    centre,
    axis: column(axes, about),
    radius: Math.max(radius, MIN_THICKNESS_FRACTION * length),
    length: Math.max(length, MIN_THICKNESS_FRACTION * radius),
  };
}

/** Scales a solid down to an extent of at most `most`, unless that is zero. */
function shrunk(solid: Solid, most: number): Solid {
  const factor = most > 0 ? Math.min(1, most / extentOf(solid)) : 1;
  if (solid.kind === "box") return { ...solid, size: scale(factor, solid.size) };
  if (solid.kind === "sphere") return { ...solid, radius: factor * solid.radius };
  return { ...solid, radius: factor * solid.radius, length: factor * solid.length };
}

/** Replaces a ball by a cube of equal inertia: a^2 = 6 I / m, against r^2 = 5/2 I / m of the ball. */
function squared(solid: Solid): Solid {
  if (solid.kind !== "sphere") return solid;
  const { body, centre, radius } = solid;
  const edge = radius * Math.sqrt(6 / 2.5);
  return { kind: "box", body, centre, axes: IDENTITY, size: vectorOf(edge, edge, edge) };
}

/** Returns the ends of a bar; empty for other solids. */
function tipsOf(solid: Solid): readonly Vector[] {
  if (solid.kind === "sphere") return [];
  if (solid.kind === "cylinder") {
    const { radius, length, axis } = solid;
    return length >= MIN_BAR_SLENDERNESS * radius ? endsOf(solid.centre, axis, length) : [];
  }
  const longest = solid.size.indexOf(Math.max(...solid.size));
  const others = solid.size.filter((_, i) => i !== longest);
  const length = solid.size[longest]!;
  if (length < MIN_BAR_SLENDERNESS * Math.max(...others)) return [];
  return endsOf(solid.centre, column(solid.axes, longest), length);
}

function endsOf(centre: Vector, axis: Vector, length: number): readonly [Vector, Vector] {
  const half = scale(length / 2, axis);
  return [subtract(centre, half), add(centre, half)];
}

/** Returns the largest dimension. */
function extentOf(solid: Solid): number {
  if (solid.kind === "box") return Math.max(...solid.size);
  if (solid.kind === "sphere") return 2 * solid.radius;
  return Math.max(solid.length, 2 * solid.radius);
}

/** Returns the point of a solid nearest to a given point. */
function nearestOf(solid: Solid, point: Vector): Vector {
  const d = subtract(point, solid.centre);
  if (solid.kind === "sphere") {
    const distance = norm(d);
    return distance <= solid.radius ? point : add(solid.centre, scale(solid.radius / distance, d));
  }
  if (solid.kind === "box") {
    const own = transposeTimes(solid.axes, d);
    const [x, y, z] = own.map((entry, i) => clamp(entry, solid.size[i]! / 2));
    return add(solid.centre, times(solid.axes, vectorOf(x!, y!, z!)));
  }
  const along = dot(d, solid.axis);
  const across = subtract(d, scale(along, solid.axis));
  const factor = Math.min(1, solid.radius / Math.max(norm(across), Number.MIN_VALUE));
  const axial = scale(clamp(along, solid.length / 2), solid.axis);
  return add(solid.centre, add(axial, scale(factor, across)));
}

function clamp(x: number, limit: number): number {
  return Math.min(limit, Math.max(-limit, x));
}

// Springs, dampers, loads, and wheels.

/** Width relative to the radius, of tyres and of disks with point contact. */
const TYRE_WIDTH = 0.45;
const DISK_WIDTH = 0.06;
/** Rotation in radians below which a body does not count as a rotating wheel. */
const MIN_WHEEL_ROTATION_RAD = 0.5;
/** Number of frames examined for the rotation of a wheel. */
const SAMPLES = 100;

/** Returns all items drawn for forces, except roads. */
function forceItems(data: ModelData, poses: Poses, up: Vector): readonly Item[] {
  return data.forces.flatMap((force) => {
    const { symbol } = force.appearance;
    const drawings = symbol === undefined ? [] : FORCE_DRAWINGS[symbol](data, force, poses, up);
    return drawings.map((drawing) => ({ ...drawing, of: force.name }));
  });
}

type ForceDrawing = (data: ModelData, force: ForceData, poses: Poses, up: Vector) => Drawing[];

const FORCE_DRAWINGS: Readonly<Record<NonNullable<ForceAppearance["symbol"]>, ForceDrawing>> = {
  load: loadOf,
  spring: springOf,
  spiral: spiralOf,
  bushing: (data, { b }) => [{ kind: "bushing", at: anchorOf(data.markers[b]!) }],
  motor: motorOf,
};

function spiralOf(data: ModelData, force: ForceData): Drawing[] {
  const { a, b } = data.sensors[force.a]!;
  const marker = data.markers[a]!;
  const other = data.markers[b]!.body;
  return [{ kind: "spiral", at: anchorOf(marker), axis: column(marker.axes, 2), other }];
}

/** Returns a spiral if the motor acts on an angle, an actuator if it acts between two points. */
function motorOf(data: ModelData, force: ForceData): Drawing[] {
  const { kind, a, b } = data.sensors[force.a]!;
  if (kind === SensorKind.ANGLE) return spiralOf(data, force);
  const ends = { a: anchorOf(data.markers[a]!), b: anchorOf(data.markers[b]!) };
  return [{ kind: "spring", ...ends, coil: false, damper: false, actuator: true }];
}

/** Returns a spring, with a base at an end on the ground. */
function springOf(data: ModelData, force: ForceData, poses: Poses, up: Vector): Drawing[] {
  const ends = [data.markers[force.a]!, data.markers[force.b]!] as const;
  const { constants } = force;
  const [a, b] = [anchorOf(ends[0]), anchorOf(ends[1])];
  const actuator = force.update !== undefined || constants[SpringData.FORCE] !== 0;
  const spring: Drawing = {
    kind: "spring",
    a,
    b,
    coil: constants[SpringData.STIFFNESS] !== 0,
    damper: constants[SpringData.DAMPING] !== 0,
    actuator,
  };
  const held = ends.findIndex(({ body }) => body === GROUND);
  if (held < 0) return [spring];
  const at = ends[held]!.point;
  const { body, point } = ends[1 - held]!;
  const hangs = dot(up, subtract(poses.point(0, body, point), at)) < 0;
  return [spring, { kind: "ground", at, base: hangs ? up : scale(-1, up), holds: body }];
}

/** Returns an arrow for a constant force or torque. User laws are not evaluated here. */
function loadOf(data: ModelData, force: ForceData): Drawing[] {
  const [x, y, z] = force.constants;
  const given: Vector = [x!, y!, z!];
  if (force.update !== undefined || norm(given) === 0) return [];
  const marker = data.markers[force.a]!;
  const turns = force.flag === 1;
  const direction = unit(turns ? times(marker.axes, given) : given);
  const torque = force.type === "torque";
  return [{ kind: "arrow", at: anchorOf(marker), direction, turns, torque }];
}

/** Returns wheels: of tyres and of rolling joints. They stay visible when the joint is absent. */
function wheelItems(data: ModelData, poses: Poses): readonly Drawing[] {
  const tyres = data.forces
    .filter(({ type, constants }) => type === "tyre" && constants[TyreData.RADIUS]! > 0)
    .map(({ a, b, constants }) => {
      const { body, point } = data.markers[b]!;
      const normal = column(data.markers[a]!.axes, 2);
      const axis = axleOf(data, body, point, normal, poses);
      return wheel(body, point, axis, constants[TyreData.RADIUS]!, TYRE_WIDTH, poses);
    });
  const rolling = data.joints
    .filter((joint) => appearanceOf(joint).rolls !== undefined)
    .map((joint): Drawing => {
      const { body, point, axes } = data.markers[joint.markers![1]]!;
      const radius = joint.blocks[0]!.rows[0]!.constants[WheelData.RADIUS]!;
      if (appearanceOf(joint).rolls === "ball")
        return { kind: "sphere", body, centre: point, radius };
      return wheel(body, point, column(axes, 2), radius, DISK_WIDTH, poses);
    });
  return [...tyres, ...rolling];
}

function wheel(
  body: number,
  centre: Vector,
  axis: Vector,
  radius: number,
  width: number,
  poses: Poses,
): Drawing {
  const turns = turnsAbout(body, axis, poses);
  return { kind: "wheel", body, centre, axis, radius, width: width * radius, turns };
}

/**
 * Returns the axle of a wheel, which a tyre does not specify, in the frame of the body: the axis of a hinge, if there is
 * one; else a direction across the path; else from the centre of mass to the wheel centre.
 */
function axleOf(
  data: ModelData,
  body: number,
  centre: Vector,
  normal: Vector,
  poses: Poses,
): Vector {
  const level = (v: Vector) => subtract(v, scale(dot(v, normal), normal));
  const { rotation } = poses.at(0, body);
  const hinge = data.joints
    .filter((joint) => appearanceOf(joint).isAxle)
    .flatMap(({ markers }) => markers!.map((marker) => data.markers[marker]!))
    .find((marker) => {
      const axis = times(rotation, column(marker.axes, 2));
      return marker.body === body && norm(level(axis)) > 0.9;
    });
  if (hinge !== undefined) return column(hinge.axes, 2);
  const way = level(
    subtract(poses.point(poses.count - 1, body, centre), poses.point(0, body, centre)),
  );
  const out = level(times(rotation, subtract(centre, data.bodies[body]!.centre)));
  const across: Vector =
    norm(way) > norm(out) ? cross(normal, way) : norm(out) > 0 ? out : [0, 1, 0];
  return transposeTimes(rotation, unit(across));
}

/** Whether a direction across the axis rotates far from its initial one. */
function turnsAbout(body: number, axis: Vector, poses: Poses): boolean {
  const guide: Vector = Math.abs(axis[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0];
  const across = unit(cross(axis, guide));
  const start = times(poses.at(0, body).rotation, across);
  return poses
    .sample(SAMPLES)
    .some(
      (frame) =>
        dot(start, times(poses.at(frame, body).rotation, across)) <
        Math.cos(MIN_WHEEL_ROTATION_RAD),
    );
}

// Bodies: their shapes, or links between their points of attachment.

/** Distance, relative to the extent of all points, below which two points coincide. */
const COINCIDENCE_FRACTION = 0.01;
/** Distance of a free end from a point of attachment, relative to the length, below which they are one. */
const MERGE_FRACTION = 0.25;
/** Largest distance of the centre of mass from a straight link, relative to its length. */
const MAX_OFFSET_FRACTION = 0.1;
/** Maximum drawn size of an equivalent solid, relative to the mechanism. */
const MAX_SIZE_FRACTION = 0.5;
/** Distance of a point from a shape, relative to its size, above which a bar connects them. */
const MIN_BAR_FRACTION = 0.02;

/** Returns for each body, in its frame, the points of attachment of joints and forces, and `others`. */
function attachmentsOf(data: ModelData, others: readonly Anchor[]): readonly (readonly Vector[])[] {
  const points: Vector[][] = data.bodies.map(() => []);
  for (const [body, ...point] of others) points[body]?.push(point);
  const attach = (marker: number) => {
    const { body, point } = data.markers[marker]!;
    points[body]?.push(point);
  };
  for (const joint of data.joints) {
    const { attaches } = appearanceOf(joint);
    if (joint.markers === undefined || attaches === "neither") continue;
    if (attaches === "both") attach(joint.markers[0]);
    attach(joint.markers[1]);
  }
  for (const force of data.forces) {
    const { attaches } = force.appearance;
    if (attaches === "both") attach(force.a);
    if (attaches !== "neither") attach(force.b);
  }
  return points;
}

/**
 * Returns the items of all bodies. `wheels` are bodies drawn as wheels already; traced points count as points of
 * attachment.
 */
function bodyItems(
  data: ModelData,
  wheels: ReadonlySet<number>,
  traced: readonly Anchor[],
): readonly Item[] {
  const attachments = attachmentsOf(data, traced);
  const most = MAX_SIZE_FRACTION * spanAtStart(data, attachments);
  const sliding = new Set(
    data.joints
      .filter((joint) => appearanceOf(joint).symbol === "block")
      .flatMap(({ markers }) => markers!.map((marker) => data.markers[marker]!.body)),
  );
  return data.bodies.flatMap((body, i) => {
    const points = attachments[i]!;
    if (body.shape !== undefined) return shaped(i, body, points);
    const whole = equivalentSolid(i, body);
    const blunt = sliding.has(i) ? squared(whole) : whole;
    const solid = points.length === 0 ? blunt : shrunk(blunt, most);
    return shapeless(solid, body.centre, points, wheels.has(i));
  });
}

/** Returns the longest edge of the bounding box of all centres of mass and attachments, at the initial poses. */
function spanAtStart(data: ModelData, attachments: readonly (readonly Vector[])[]): number {
  const points = data.bodies.flatMap(({ position, orientation, centre }, i) =>
    [centre, ...attachments[i]!].map((own) => add(position, times(rotationOf(orientation), own))),
  );
  const edges = [0, 1, 2].map((i) => {
    const all = points.map((point) => point[i]!);
    return (
      all.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY) -
      all.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
    );
  });
  return Math.max(...edges);
}

function shaped(body: number, { shape, centre }: BodyData, points: readonly Vector[]): Drawing[] {
  if (shape!.type === "rod") {
    const { length, axis = [0, 0, 1] } = shape!;
    const [a, b] = endsOf(centre, unit(axis), length);
    const feet = points.map((point) => footOn(a, b, point));
    const rod: Drawing = { kind: "link", body, points: [a, b] };
    return [rod, ...bars(body, points, feet, length)];
  }
  const solid = solidOf(body, centre, shape!);
  const feet = points.map((point) => nearestOf(solid, point));
  return [solid, ...bars(body, points, feet, extentOf(solid))];
}

/** Returns bars from points outside a shape to their nearest points on it. */
function bars(
  body: number,
  points: readonly Vector[],
  feet: readonly Vector[],
  extent: number,
): Drawing[] {
  return points.flatMap((point, i): Drawing[] => {
    const foot = feet[i]!;
    const isOutside = norm(subtract(point, foot)) > MIN_BAR_FRACTION * extent;
    return isOutside ? [{ kind: "bar", a: [body, ...point], b: [body, ...foot] }] : [];
  });
}

function shapeless(
  solid: Solid,
  centre: Vector,
  points: readonly Vector[],
  isWheel: boolean,
): Drawing[] {
  const { body } = solid;
  const extent = extentOf(solid);
  const isNear = (tip: Vector) =>
    points.some((p) => norm(subtract(p, tip)) < MERGE_FRACTION * extent);
  const tips = points.length === 0 ? [] : tipsOf(solid).filter((tip) => !isNear(tip));
  const all = distinct([...points, ...(isWheel ? [] : tips)]);
  if (all.length > 1) return [linkThrough(body, all, centre), { kind: "mass", body, centre }];
  if (isWheel) return [];
  const [only] = all;
  const foot = only === undefined ? centre : nearestOf(solid, only);
  if (only === undefined || norm(subtract(only, foot)) < MIN_BAR_FRACTION * extent) return [solid];
  return [{ kind: "link", body, points: [only, centre] }, solid];
}

/** Returns a link, also through the centre of mass unless that lies between the ends. */
function linkThrough(body: number, points: readonly Vector[], centre: Vector): Drawing {
  const [a, b] = points;
  const isBent =
    points.length === 2 &&
    norm(subtract(centre, footOn(a!, b!, centre))) > MAX_OFFSET_FRACTION * norm(subtract(b!, a!));
  return { kind: "link", body, points: isBent ? [a!, centre, b!] : points };
}

/** Returns the nearest point on the segment from a to b. */
function footOn(a: Vector, b: Vector, point: Vector): Vector {
  const along = subtract(b, a);
  const part = dot(subtract(point, a), along) / dot(along, along);
  return add(a, scale(Math.min(1, Math.max(0, part)), along));
}

/** Removes coincident points. */
function distinct(points: readonly Vector[]): Vector[] {
  const from = points[0];
  if (from === undefined) return [];
  const span = Math.max(...points.map((point) => norm(subtract(point, from))));
  const found: Vector[] = [];
  for (const point of points) {
    const isThere = found.some(
      (other) => norm(subtract(other, point)) <= COINCIDENCE_FRACTION * span,
    );
    if (!isThere) found.push(point);
  }
  return found;
}

/** Options of a scene. */
export interface SceneOptions {
  /** View direction: a name, or a vector towards the viewer. Default: derived from the motion. */
  readonly from?: NamedView | VectorLike;
  /** Upward direction on the screen. Default: against gravity. */
  readonly up?: VectorLike;
  /** Body kept in the middle, horizontally; false: none. Default: a body that travels far, if any. */
  readonly follow?: string | Body | false;
  /** Points to trace, in the frame of a body. Default point: its centre of mass. */
  readonly traces?: readonly { readonly body: string | Body; readonly point?: VectorLike }[];
  /** Additional lines, each a list of points in the frame of a body or of "ground". */
  readonly draw?: readonly {
    readonly body: string | Body;
    readonly lines: readonly (readonly (readonly number[])[])[];
  }[];
  /** Whether names of bodies are shown initially. Default: false. */
  readonly labels?: boolean;
}

/**
 * Returns the scene of a moving mechanism: shapes, or links between joints; symbols of joints, springs and wheels;
 * roads; and a view of all of it.
 *
 * @example
 * const frames = framesOf(solution.states(), m.data());
 * const scene = sceneOf(m.data(), frames, { traces: [{ body: "rod", point: [0.5, 0, 0] }] });
 * writeFileSync("motion.html", renderPage({ title: m.name, blocks: [{ kind: "animation", scene }] }));
 */
export function sceneOf(data: ModelData, frames: Frames, options: SceneOptions = {}): Scene {
  return liveScene(data, frames, options).scene;
}

/** Options of {@link recordedScene}. */
export interface RecordedSceneOptions extends SceneOptions {
  /** Units of the model. Default: "SI". */
  readonly units?: "SI" | { readonly length: string; readonly mass: string; readonly time: string };
}

/**
 * Returns the scene of a run of a mechanism. It is plain data, so a worker can send it to a page; its frames are typed
 * arrays, whose buffers can be transferred.
 *
 * @example
 * const scene = recordedScene(solution, { traces: [{ body: "rod" }] });
 * const { times, positions, orientations } = scene.frames;
 * postMessage(scene, [times.buffer, positions.buffer, orientations.buffer]);
 */
export function recordedScene(
  solution: Solution<BodyState>,
  options: RecordedSceneOptions = {},
): RecordedScene {
  return sceneOfStates(solution, solution.states(), options);
}

/** Returns the scene of some states of a run. */
export function sceneOfStates(
  solution: Solution<BodyState>,
  states: Iterable<BodyState>,
  { units = "SI", ...options }: RecordedSceneOptions,
): RecordedScene {
  const { data } = solution.source as Partial<CompiledModel>;
  if (data === undefined) throw new NodriftError("DESCRIPTION", "recordedScene: not a mechanism");
  const frames = framesOf(states, data, {
    events: solution.events,
    absences: absencesOf(solution),
    lengthUnit: unitOf("length", units),
    timeUnit: timeUnit(units),
  });
  return sceneOf(data, frames, options) as RecordedScene;
}

/** Returns the scene and its shaker plates, which the caller places at times beyond the frames. */
export function liveScene(
  data: ModelData,
  frames: Frames,
  options: SceneOptions = {},
): { readonly scene: Scene; readonly shakers: readonly Shaker[] } {
  checkFrames(data, frames);
  const poses = new Poses(frames, data.bodies.length);
  const directions = directionsOf(data, options.up);
  const { up, right } = directions;
  const traces = options.traces ?? [];
  const traced = traces.filter(({ point }) => point).map((trace) => traceOf(data, trace));
  const wheels = wheelItems(data, poses);
  const roads = roadsOf(data, poses, data.bodies.length);
  const parts: Item[] = [
    ...linesOf(data, options.draw ?? []),
    ...bodyItems(
      data,
      new Set(wheels.flatMap((item) => ("body" in item ? [item.body] : []))),
      traced,
    ),
    ...wheels,
    ...forceItems(data, poses, up),
    ...jointItems(data, poses, up),
  ];
  const follow = followed(data, options.follow, poses, parts, up);
  const extremes = extremesOf(data, parts, poses, follow, up);
  const from = viewFrom(options.from, data, poses, directions, extremes);
  const detail = detailOf(parts, sizeOf(extremes) / 4 || 1);
  const floor: Item[] = [...roads.items, ...roads.shakers.map(({ item }) => item)];
  const all = [...floor, ...withoutBlocks(parts, detail)];
  const scene = {
    name: data.name,
    bodies: data.bodies.map(({ name, centre }) => ({ name, centre })),
    items: all,
    traces: traces.map((trace) => traceOf(data, trace)),
    gravity: data.gravity,
    view: { up, right, from, follow, extremes, detail },
    labels: options.labels ?? false,
    frames: withShakers(frames, poses, roads.shakers),
  };
  return { scene, shakers: roads.shakers };
}

/** Size of a solid body, relative to a typical part, above which its slide needs no block symbol. */
const MIN_SOLID_FRACTION = 0.4;

function withoutBlocks(parts: readonly Item[], detail: number): readonly Item[] {
  const blocks = new Set(
    parts.flatMap((item) =>
      (item.kind === "box" || item.kind === "cylinder" || item.kind === "sphere") &&
      extentOf(item) > MIN_SOLID_FRACTION * detail
        ? [item.body]
        : [],
    ),
  );
  return parts.filter(
    (item) => item.kind !== "joint" || item.symbol !== "block" || !blocks.has(item.at[0]),
  );
}

function checkFrames({ name, bodies }: ModelData, frames: Frames): void {
  const count = frames.times.length * bodies.length;
  if (frames.positions.length === 3 * count && frames.orientations.length === 4 * count) return;
  throw descriptionError(
    `sceneOf(${name})`,
    `frames must have 3 positions and 4 orientations for each of ${bodies.length} bodies, at ` +
      `${frames.times.length} times`,
  );
}

function bodyIndex(data: ModelData, given: string | Body): number {
  const name = partName(`sceneOf(${data.name})`, data, given, "body");
  if (name === "ground") return GROUND;
  const names = data.bodies.map((body) => body.name);
  const index = names.indexOf(name);
  if (index >= 0) return index;
  throw descriptionError(`sceneOf(${data.name})`, `unknown body "${name}"${hint(name, names)}`);
}

function traceOf(
  data: ModelData,
  { body, point }: { readonly body: string | Body; readonly point?: VectorLike },
): Anchor {
  const index = bodyIndex(data, body);
  const own = point === undefined ? undefined : vector("sceneOf", "the point of a trace", point);
  return [index, ...(own ?? data.bodies[index]?.centre ?? ([0, 0, 0] as const))];
}

function linesOf(data: ModelData, draw: NonNullable<SceneOptions["draw"]>): Item[] {
  return draw.map(({ body, lines }) => ({
    kind: "lines",
    body: bodyIndex(data, body),
    lines: lines.map((line) =>
      line.map((point) => vector("sceneOf", "a point of draw", point as Vector)),
    ),
  }));
}

function followed(
  data: ModelData,
  given: string | Body | false | undefined,
  poses: Poses,
  parts: readonly Item[],
  up: Vector,
): number {
  if (given === false) return GROUND;
  if (given !== undefined) return bodyIndex(data, given);
  const points = keyPoints(parts)
    .filter(([body]) => body >= 0)
    .map(([body, ...own]) => poses.point(0, body, own));
  return bodyToFollow(data, poses, up, sizeOf(points));
}

/** Returns the diagonal of the bounding box of points. */
function sizeOf(points: readonly Vector[]): number {
  if (points.length === 0) return 0;
  const low = [0, 1, 2].map((i) => points.reduce((a, p) => Math.min(a, p[i]!), Number.MAX_VALUE));
  const high = [0, 1, 2].map((i) => points.reduce((a, p) => Math.max(a, p[i]!), -Number.MAX_VALUE));
  return norm(subtract([high[0]!, high[1]!, high[2]!], [low[0]!, low[1]!, low[2]!]));
}

/** Appends shaker plates as bodies after the others. */
function withShakers(frames: Frames, poses: Poses, shakers: readonly Shaker[]): Frames {
  if (shakers.length === 0) return frames;
  const { times } = frames;
  const [before, after] = [poses.bodies, poses.bodies + shakers.length];
  const positions = new Float64Array(3 * after * times.length);
  const orientations = new Float64Array(4 * after * times.length);
  for (let frame = 0; frame < times.length; frame++) {
    const row = <T>(all: ArrayLike<T>, width: number) =>
      Array.prototype.slice.call(all, width * before * frame, width * before * (frame + 1)) as T[];
    positions.set(row(frames.positions, 3), 3 * after * frame);
    orientations.set(row(frames.orientations, 4), 4 * after * frame);
    for (const [i, { carrier, place }] of shakers.entries()) {
      positions.set(
        poses.point(frame, carrier, place(times[frame]!)),
        3 * (after * frame + before + i),
      );
      orientations[4 * (after * frame + before + i)] = 1;
    }
  }
  return { ...frames, positions, orientations };
}
