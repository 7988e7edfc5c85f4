// A body through many points: their convex hull, which one sees through, with its edges. Points in a plane get a thickness.

import { EdgesGeometry, LineSegments, Mesh, Vector3 } from "three";
import { ConvexGeometry } from "three/addons/geometries/ConvexGeometry.js";
import type { Vector } from "../../describe/model/model-data.js";
import { add, cross, dot, norm, scale, subtract, unit } from "../../ground/algebra/vectors.js";
import type { Maker, Part } from "./part.js";

/** Half the thickness of a plate, relative to a usual part. */
const THIN = 0.012;
/** Points nearer than this to a plane, relative to their extent, lie in it. */
const FLAT = 0.02;
/** Edges between faces that are turned by fewer degrees are none. */
const SHARP = 8;

export function hullParts(
  { kit, detail }: Maker,
  body: number,
  points: readonly Vector[],
): readonly Part[] {
  const solid = thickened(points, THIN * detail).map((point) => new Vector3(...point));
  const faces = kit.own(new ConvexGeometry(solid));
  const edges = kit.own(new EdgesGeometry(faces, SHARP));
  return [
    { body, object: new Mesh(faces, kit.sheet(body, 0.3)) },
    { body, object: new LineSegments(edges, kit.line(body)) },
  ];
}

/** The points, or those on either side of the plane or line they lie in. */
export function thickened(points: readonly Vector[], half: number): readonly Vector[] {
  const from = points[0]!;
  const arms = points.map((point) => subtract(point, from));
  const longest = arms.reduce((a, b) => (norm(b) > norm(a) ? b : a));
  const extent = norm(longest);
  const normals = arms.map((arm) => cross(longest, arm));
  const largest = normals.reduce((a, b) => (norm(b) > norm(a) ? b : a));
  const isLine = norm(largest) < FLAT * extent * extent;
  const normal = unit(isLine ? acrossTo(longest) : largest);
  const isFlat = arms.every((arm) => Math.abs(dot(arm, normal)) < FLAT * extent);
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
