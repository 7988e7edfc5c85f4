// From where one looks.

import type { VectorLike } from "../../bodies.js";
import { vector } from "../../describe/model/option-checks.js";
import { unit } from "../../ground/algebra/vectors.js";
import { hint } from "../../ground/checking/index.js";
import { NodriftError } from "../../ground/errors.js";
import { cross, dot, type Three } from "../report/page/camera.js";
import type { SceneView } from "../report/scene-data.js";
import type { NamedView } from "../report/view.js";

/** Whether it is seen from straight ahead, as planar mechanisms are. */
export function isPlanar({ from, up }: SceneView): boolean {
  return Math.abs(dot(from, up)) < 1e-6;
}

/** Towards the viewer, of a view by name or of a direction in the world. */
export function directionOf(from: NamedView | "home" | VectorLike, view: SceneView): Three {
  const { up, right, from: home } = view;
  if (typeof from !== "string") return unit(vector("view", "from", from));
  const towards = cross(right, up);
  const mixed = [0, 1, 2].map((i) => 0.9 * towards[i]! + 0.62 * right[i]! + 0.55 * up[i]!);
  const isometric = unit(mixed as unknown as Three);
  const views = { home, front: towards, side: right, top: up, isometric };
  if (Object.hasOwn(views, from)) return views[from];
  const names = Object.keys(views);
  throw new NodriftError("DESCRIPTION", `view: there is no view "${from}"${hint(from, names)}`);
}
