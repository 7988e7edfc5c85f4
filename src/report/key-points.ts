// Key points of items, which define their extent.

import { add, axesAlong, column, norm, scale, subtract } from "../base/algebra/vectors.js";
import type { Matrix, Vector } from "../model/model-data.js";
import type { Anchor, Item } from "./scene-data.js";

/** Returns the key points of all items but roads and planes, which are not part of a mechanism. */
export function keyPoints(items: readonly Item[]): Anchor[] {
  return items.flatMap(pointsOf).sort((a, b) => a[0] - b[0]);
}

function pointsOf(item: Item): Anchor[] {
  const on = (body: number, points: readonly Vector[]) =>
    points.map((point): Anchor => [body, ...point]);
  switch (item.kind) {
    case "link":
      return on(item.body, item.points);
    case "lines":
      return on(item.body, item.lines.flat());
    case "bar":
    case "spring":
      return [item.a, item.b];
    case "box":
      return on(item.body, corners(item.centre, item.axes, scale(0.5, item.size)));
    case "cylinder":
    case "wheel": {
      const { centre, axis, radius } = item;
      const half = (item.kind === "wheel" ? item.width : item.length) / 2;
      return on(item.body, corners(centre, axesAlong(axis), [radius, radius, half]));
    }
    case "circle":
    case "sphere": {
      const { centre, radius: r } = item;
      return on(item.body, cross(centre, r));
    }
    case "rail": {
      const [body, x, y, z] = item.at;
      const at = (way: number) => add([x, y, z], scale(way, item.axis));
      return on(body, [at(item.from), at(item.to)]);
    }
    case "ground":
      return on(-1, [item.at]);
    default:
      return [];
  }
}

/** Returns the eight corners of a box. */
function corners(centre: Vector, axes: Matrix, half: Vector): Vector[] {
  return Array.from({ length: 8 }, (_, i) =>
    [0, 1, 2].reduce<Vector>(
      (point, j) => add(point, scale((i >> j) & 1 ? half[j]! : -half[j]!, column(axes, j))),
      centre,
    ),
  );
}

function cross([x, y, z]: Vector, r: number): Vector[] {
  return [
    [x + r, y, z],
    [x - r, y, z],
    [x, y + r, z],
    [x, y - r, z],
    [x, y, z + r],
    [x, y, z - r],
  ];
}

/** Returns the median over bodies of the largest drawn dimension, so that a few very large bodies do not count. */
export function detailOf(items: readonly Item[], otherwise: number): number {
  const sizes = items
    .flatMap((item) => {
      if (item.kind === "link") return [spread(item.points)];
      if (item.kind === "box") return [Math.max(...item.size)];
      if (item.kind === "cylinder") return [Math.max(item.length, 2 * item.radius)];
      if (item.kind === "sphere" || item.kind === "wheel") return [2 * item.radius];
      return [];
    })
    .filter((size) => size > 0)
    .sort((a, b) => a - b);
  return sizes[Math.floor(sizes.length / 2)] ?? otherwise;
}

function spread(points: readonly Vector[]): number {
  return Math.max(...points.map((point) => norm(subtract(point, points[0]!))));
}
