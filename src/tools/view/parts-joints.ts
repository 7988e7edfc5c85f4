// Symbols of joints, of the same kinds as those of reports, with a body: sizes are in radii of a joint.

import { Group, type Object3D } from "three";
import type { Vector } from "../../describe/model/model-data.js";
import { axesAlong, IDENTITY } from "../../ground/algebra/vectors.js";
import type { JointSymbol } from "../report/scene-data.js";
import type { Kit, ShapeName, Tint } from "./kit.js";
import type { Maker, Of, Part } from "./part.js";
import type { PoseTable } from "./pose-table.js";

/** A shape with its sizes, in the axes of the joint; "own" is the colour of its body. */
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

export function jointPart({ kit }: Maker, item: Of<"joint">): readonly Part[] {
  const [body, ...at] = item.at;
  const group = new Group();
  group.matrixAutoUpdate = false;
  for (const piece of PIECES[item.symbol]) group.add(pieceOf(kit, piece, body));
  if (item.driven) group.add(kit.mesh("torus", "accent", [0, 0, 0], IDENTITY, [1.75, 1.75, 1.75]));
  const place = (_: PoseTable, unit: number) => placeScaled(group, at, item.axes, unit);
  const own: Part = { body, object: group, place, isSymbol: true };
  return item.second === undefined ? [own] : [own, secondAxis(kit, item, item.second)];
}

/** The other pin of a cross, along the axis of the other body. */
function secondAxis(
  kit: Kit,
  { at: [body, ...at] }: Of<"joint">,
  [other, ...axis]: readonly [number, number, number, number],
): Part {
  const group = new Group();
  group.matrixAutoUpdate = false;
  group.add(kit.mesh("tube", "ink", [0, 0, 0], IDENTITY, [0.28, 0.28, 2.4]));
  const place = (table: PoseTable, unit: number) =>
    placeScaled(group, table.point(body, ...at), axesAlong(table.direction(other, axis)), unit);
  return { body: -1, object: group, place, isSymbol: true };
}

function pieceOf(kit: Kit, [shape, tint, sizes, at = [0, 0, 0]]: Piece, body: number): Object3D {
  return kit.mesh(shape, tint === "own" ? (body < 0 ? "ground" : body) : tint, at, IDENTITY, sizes);
}

/** At a point, with axes, all of it larger by a factor. */
export function placeScaled(
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
