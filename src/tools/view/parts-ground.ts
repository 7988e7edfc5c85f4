// What does not move: bases, rails, roads, planes and lines of the user.

import { BufferAttribute, BufferGeometry, Group, LineSegments, Mesh } from "three";
import type { Vector } from "../../describe/model/model-data.js";
import { add, axesAlong, IDENTITY, scale } from "../../ground/algebra/vectors.js";
import type { Kit, Tint } from "./kit.js";
import type { Maker, Of, Part } from "./part.js";
import { placeScaled } from "./parts-joints.js";
import type { PoseTable } from "./pose-table.js";

/** A pyramid on a plate: the tip is where the body is held. */
export function groundPart({ kit }: Maker, { at, base }: Of<"ground">): readonly Part[] {
  const group = new Group();
  group.matrixAutoUpdate = false;
  // The tip of the shape is at z = 1/2; the base lies along z of the part.
  const pyramid = kit.mesh(
    "pyramid",
    "ground",
    [0, 0, 1.4],
    [1, 0, 0, 0, -1, 0, 0, 0, -1],
    [1.1, 1.1, 2.8],
  );
  group.add(pyramid, kit.mesh("box", "ground", [0, 0, 2.95], IDENTITY, [5.2, 5.2, 0.4]));
  const axes = axesAlong(base);
  const place = (_: PoseTable, unit: number) => placeScaled(group, at, axes, unit);
  return [{ body: -1, object: group, place, isSymbol: true }];
}

/** A thin rail; at least as long as it must be to be seen. */
export function railPart({ kit, detail }: Maker, item: Of<"rail">): readonly Part[] {
  const [body, ...at] = item.at;
  const short = Math.max(0, (detail - (item.to - item.from)) / 2);
  const end = (way: number) => add(at, scale(way, item.axis));
  const tint: Tint = body < 0 ? "ground" : body;
  const rail = kit.bar(tint, end(item.from - short), end(item.to + short), 0.014 * detail);
  return [{ body, object: rail }];
}

/** A band of triangles between left and right edge, and lines across it. */
export function roadPart({ kit }: Maker, { body, edges, across }: Of<"road">): readonly Part[] {
  const geometry = kit.own(new BufferGeometry());
  geometry.setAttribute("position", new BufferAttribute(Float32Array.from(edges.flat()), 3));
  const pairs = edges.length / 2;
  const index = Array.from({ length: Math.max(0, pairs - 1) }, (_, i) => {
    const [a, b, c, d] = [2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 3];
    return [a, b, c, b, d, c];
  });
  geometry.setIndex(index.flat());
  geometry.computeVertexNormals();
  const band = new Mesh(geometry, kit.sheet("ground", 0.45));
  return [
    { body, object: band },
    { body, object: segments(kit, across, "ground", 0.9) },
  ];
}

export function planePart(
  { kit }: Maker,
  { body, corner, u, v, cells }: Of<"plane">,
): readonly Part[] {
  const at = (i: number, j: number) =>
    add(corner, add(scale(i / cells[0], u), scale(j / cells[1], v)));
  const lines: Vector[] = [];
  for (let i = 0; i <= cells[0]; i++) lines.push(at(i, 0), at(i, cells[1]));
  for (let j = 0; j <= cells[1]; j++) lines.push(at(0, j), at(cells[0], j));
  const geometry = kit.own(new BufferGeometry());
  const corners = [at(0, 0), at(cells[0], 0), at(0, cells[1]), at(cells[0], cells[1])];
  geometry.setAttribute("position", new BufferAttribute(Float32Array.from(corners.flat()), 3));
  geometry.setIndex([0, 1, 2, 1, 3, 2]);
  geometry.computeVertexNormals();
  return [
    { body, object: new Mesh(geometry, kit.sheet("ground", 0.18)) },
    { body, object: segments(kit, lines, "ground", 0.5) },
  ];
}

export function linesPart({ kit }: Maker, { body, lines }: Of<"lines">): readonly Part[] {
  const ends = lines.flatMap((line) =>
    line.flatMap((point, i) => (i === 0 ? [] : [line[i - 1]!, point])),
  );
  return [{ body, object: segments(kit, ends, body < 0 ? "ground" : body, 1) }];
}

/** Lines from every first to every second point. */
export function segments(
  kit: Kit,
  points: readonly (readonly number[])[],
  tint: Tint,
  alpha: number,
): LineSegments {
  const geometry = kit.own(new BufferGeometry());
  geometry.setAttribute("position", new BufferAttribute(Float32Array.from(points.flat()), 3));
  return new LineSegments(geometry, kit.line(tint, alpha));
}
