// Bodies: their shapes, or links between the points where something is attached to them.

import type { BodyData, ModelData, Vector } from "../../describe/model/model-data.js";
import {
  add,
  dot,
  norm,
  rotationOf,
  scale,
  subtract,
  times,
  unit,
} from "../../ground/algebra/vectors.js";
import { attachesForce } from "./items-forces.js";
import { lookOf } from "./joint-looks.js";
import type { Anchor, Drawing, Item } from "./scene-data.js";
import {
  endsOf,
  equivalentSolid,
  extentOf,
  nearestOf,
  type Solid,
  shrunk,
  solidOf,
  squared,
  tipsOf,
} from "./solids.js";

/** Points nearer to each other than this, relative to all of them, are one. */
const SAME = 0.01;
/** A free end nearer than this to a point of attachment, relative to the length, is that point. */
const NEAR = 0.25;
/** A body in one line, if its centre of mass is not farther away from that, relative to its length. */
const STRAIGHT = 0.1;
/** A body is not drawn larger than this part of the mechanism, whatever its inertia says. */
const LARGE = 0.5;
/** A point farther than this from a shape, relative to its size, needs a bar to it. */
const OUTSIDE = 0.02;

/** Points of each body to which joints and forces are attached, in its frame; and others that it has. */
function attachmentsOf(data: ModelData, others: readonly Anchor[]): readonly (readonly Vector[])[] {
  const points: Vector[][] = data.bodies.map(() => []);
  for (const [body, ...point] of others) points[body]?.push(point);
  const attach = (marker: number) => {
    const { body, point } = data.markers[marker]!;
    points[body]?.push(point);
  };
  for (const joint of data.joints) {
    const { attaches } = lookOf(joint);
    if (joint.markers === undefined || attaches === "neither") continue;
    if (attaches === "both") attach(joint.markers[0]);
    attach(joint.markers[1]);
  }
  for (const force of data.forces) {
    const attaches = attachesForce(force);
    if (attaches === "both") attach(force.a);
    if (attaches !== "neither") attach(force.b);
  }
  return points;
}

/**
 * What each body is drawn as. `wheels` are the bodies that are wheels already; points whose paths are drawn belong
 * to their bodies like those of joints.
 */
export function bodyItems(
  data: ModelData,
  wheels: ReadonlySet<number>,
  traced: readonly Anchor[],
): readonly Item[] {
  const attachments = attachmentsOf(data, traced);
  const most = LARGE * spanAtStart(data, attachments);
  const sliding = new Set(
    data.joints
      .filter((joint) => lookOf(joint).symbol === "block")
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

/** The longest edge of the box around all centres of mass and attachments, at the initial poses. */
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

/** From points that lie outside of a shape to the nearest ones of it. */
function bars(
  body: number,
  points: readonly Vector[],
  feet: readonly Vector[],
  extent: number,
): Drawing[] {
  return points.flatMap((point, i): Drawing[] => {
    const foot = feet[i]!;
    const isOutside = norm(subtract(point, foot)) > OUTSIDE * extent;
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
  const isNear = (tip: Vector) => points.some((p) => norm(subtract(p, tip)) < NEAR * extent);
  const tips = points.length === 0 ? [] : tipsOf(solid).filter((tip) => !isNear(tip));
  const all = distinct([...points, ...(isWheel ? [] : tips)]);
  if (all.length > 1) return [linkThrough(body, all, centre), { kind: "mass", body, centre }];
  if (isWheel) return [];
  const [only] = all;
  const foot = only === undefined ? centre : nearestOf(solid, only);
  if (only === undefined || norm(subtract(only, foot)) < OUTSIDE * extent) return [solid];
  return [{ kind: "link", body, points: [only, centre] }, solid];
}

/** Through the centre of mass too, if it is not on the way from one end to the other. */
function linkThrough(body: number, points: readonly Vector[], centre: Vector): Drawing {
  const [a, b] = points;
  const isBent =
    points.length === 2 &&
    norm(subtract(centre, footOn(a!, b!, centre))) > STRAIGHT * norm(subtract(b!, a!));
  return { kind: "link", body, points: isBent ? [a!, centre, b!] : points };
}

/** The nearest point of the line from a to b. */
export function footOn(a: Vector, b: Vector, point: Vector): Vector {
  const along = subtract(b, a);
  const part = dot(subtract(point, a), along) / dot(along, along);
  return add(a, scale(Math.min(1, Math.max(0, part)), along));
}

/** Points without those that are there already. */
function distinct(points: readonly Vector[]): Vector[] {
  const from = points[0];
  if (from === undefined) return [];
  const span = Math.max(...points.map((point) => norm(subtract(point, from))));
  const found: Vector[] = [];
  for (const point of points) {
    const isThere = found.some((other) => norm(subtract(other, point)) <= SAME * span);
    if (!isThere) found.push(point);
  }
  return found;
}
