// What helps to read a picture in space: frames of bodies, centres of mass, a grid below everything.

import { Group, type LineSegments, type Object3D } from "three";
import type { Vector } from "../../describe/model/model-data.js";
import { add, cross, dot, IDENTITY, scale } from "../../ground/algebra/vectors.js";
import { niceAbove } from "../report/items-roads.js";
import type { Scene, SceneView } from "../report/scene-data.js";
import type { Kit } from "./kit.js";
import { segments } from "./parts-ground.js";

/** Length of the axes of a frame, relative to a usual part. */
const AXIS = 0.3;
/** Squares of the grid, about, along its shorter side. */
const SQUARES = 10;

/** Three short axes at the origin of a body. */
export function frameMark(kit: Kit, detail: number): Object3D {
  const frame = new Group();
  for (const [j, tint] of (["x", "y", "z"] as const).entries()) {
    const tip = [0, 1, 2].map((k) => (k === j ? AXIS * detail : 0));
    frame.add(segments(kit, [[0, 0, 0], tip], tint, 1));
  }
  return frame;
}

/** A ball in a ring, in radii of a joint. */
export function massMark(kit: Kit): Object3D {
  const mark = new Group();
  mark.matrixAutoUpdate = false;
  mark.add(
    kit.mesh("bead", "ink", [0, 0, 0], IDENTITY, [0.6, 0.6, 0.6]),
    kit.mesh("torus", "accent", [0, 0, 0], IDENTITY, [1, 1, 1]),
  );
  return mark;
}

/** Squares below everything; none where there is a road or plane, or where the picture moves along. */
export function gridMark(kit: Kit, { items, view, bodies }: Scene): LineSegments | undefined {
  const hasFloor = items.some(({ kind }) => kind === "road" || kind === "plane");
  if (hasFloor || bodies.length === 0 || view.follow >= 0) return undefined;
  return segments(kit, gridLines(view), "ground", 0.3);
}

function gridLines({ extremes, up, right, detail }: SceneView): Vector[] {
  const towards = cross(right, up);
  const range = (direction: Vector) => {
    const all = extremes.map((point) => dot(direction, point));
    return [Math.min(...all), Math.max(...all)] as const;
  };
  const [[left, wide], [near, far], [low]] = [range(right), range(towards), range(up)];
  const cell = niceAbove(Math.max(wide - left, far - near, detail) / SQUARES);
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
