// What a body looks like by its shape, or by its inertia if it has none.

import type { BodyData, ShapeDescription, Vector } from "../../describe/model/model-data.js";
import { principalAxes } from "../../describe/model/principal-moments.js";
import {
  add,
  column,
  dot,
  IDENTITY,
  norm,
  scale,
  subtract,
  times,
  transposeTimes,
  unit,
  vectorOf,
} from "../../ground/algebra/vectors.js";
import type { Drawing } from "./scene-data.js";

export type Solid = Extract<Drawing, { readonly kind: "box" | "cylinder" | "sphere" }>;

/** Moments that differ by less than this, relative to the largest, are the same for the eye. */
const ALIKE = 0.02;
/** Thinner than this, relative to its largest edge, nothing is drawn. */
const THIN = 0.02;
/** Longer than this, relative to its other measures, a solid is a bar with two ends. */
const SLENDER = 4;

/** The shape that was given. A rod is a line: its ends are what is drawn. */
export function solidOf(
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
 * A homogeneous solid with the mass and the inertia of a body: a ball if all moments are alike, with
 * r^2 = 5/2 I / m; a cylinder if two are, with r^2 = 2 I_axis / m and L^2 = (12 I_across - 6 I_axis) / m; else
 * a box, with a_i^2 = 6 (I_j + I_k - I_i) / m.
 */
export function equivalentSolid(body: number, data: BodyData): Solid {
  const { mass, centre } = data;
  const { moments, axes } = principalAxes(data.inertia);
  const largest = Math.max(...moments);
  const alike = (i: number, j: number) => Math.abs(moments[i]! - moments[j]!) < ALIKE * largest;
  if (alike(0, 1) && alike(1, 2)) {
    return { kind: "sphere", body, centre, radius: Math.sqrt((2.5 * largest) / mass) };
  }
  const about = [0, 1, 2].find((i) => alike((i + 1) % 3, (i + 2) % 3));
  if (about === undefined) {
    const sum = moments[0] + moments[1] + moments[2];
    const edges = moments.map((moment) => Math.sqrt(Math.max(0, (6 * (sum - 2 * moment)) / mass)));
    const least = THIN * Math.max(...edges);
    const [x, y, z] = edges.map((edge) => Math.max(edge, least));
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
    radius: Math.max(radius, THIN * length),
    length: Math.max(length, THIN * radius),
  };
}

/** Not larger than something, unless that is nothing; with the same proportions. */
export function shrunk(solid: Solid, most: number): Solid {
  const factor = most > 0 ? Math.min(1, most / extentOf(solid)) : 1;
  if (solid.kind === "box") return { ...solid, size: scale(factor, solid.size) };
  if (solid.kind === "sphere") return { ...solid, radius: factor * solid.radius };
  return { ...solid, radius: factor * solid.radius, length: factor * solid.length };
}

/** A cube instead of a ball: a^2 = 6 I / m where the ball has r^2 = 5/2 I / m. */
export function squared(solid: Solid): Solid {
  if (solid.kind !== "sphere") return solid;
  const { body, centre, radius } = solid;
  const edge = radius * Math.sqrt(6 / 2.5);
  return { kind: "box", body, centre, axes: IDENTITY, size: vectorOf(edge, edge, edge) };
}

/** The ends of a solid that is a bar; none if it is not one. */
export function tipsOf(solid: Solid): readonly Vector[] {
  if (solid.kind === "sphere") return [];
  if (solid.kind === "cylinder") {
    const { radius, length, axis } = solid;
    return length >= SLENDER * radius ? endsOf(solid.centre, axis, length) : [];
  }
  const longest = solid.size.indexOf(Math.max(...solid.size));
  const others = solid.size.filter((_, i) => i !== longest);
  const length = solid.size[longest]!;
  if (length < SLENDER * Math.max(...others)) return [];
  return endsOf(solid.centre, column(solid.axes, longest), length);
}

export function endsOf(centre: Vector, axis: Vector, length: number): readonly [Vector, Vector] {
  const half = scale(length / 2, axis);
  return [subtract(centre, half), add(centre, half)];
}

/** The largest measure. */
export function extentOf(solid: Solid): number {
  if (solid.kind === "box") return Math.max(...solid.size);
  if (solid.kind === "sphere") return 2 * solid.radius;
  return Math.max(solid.length, 2 * solid.radius);
}

/** The point of a solid that is nearest to another. */
export function nearestOf(solid: Solid, point: Vector): Vector {
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
