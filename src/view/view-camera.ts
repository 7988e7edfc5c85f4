// Camera of a view; stops auto-framing once the user has moved it.

import { unit } from "../base/algebra/vectors.js";
import { hint } from "../base/checking/index.js";
import { vector } from "../base/checking/values.js";
import { NodriftError } from "../base/errors.js";
import type { VectorLike } from "../bodies.js";
import { Camera, dot, type NamedView, namedViews, type Vector } from "../draw/camera.js";
import type { SceneView } from "../draw/scene-data.js";
import type { ViewOptions } from "./options.js";

// View directions.

/** Whether the default view direction is a coordinate axis, as for planar mechanisms. */
function isPlanar({ from, up }: SceneView): boolean {
  return Math.abs(dot(from, up)) < 1e-6;
}

/** Returns the direction towards the viewer for a named view or a direction in the world. */
function directionOf(from: NamedView | "home" | VectorLike, view: SceneView): Vector {
  if (typeof from !== "string") return unit(vector("view", "from", from));
  const views = { home: view.from, ...namedViews(view) };
  if (Object.hasOwn(views, from)) return views[from];
  const names = Object.keys(views);
  throw new NodriftError("DESCRIPTION", `view: unknown view "${from}"${hint(from, names)}`);
}

/** Fraction of the screen that a perspective picture fills: near parts look larger. */
const PERSPECTIVE_FILL_FRACTION = 0.84;

export class ViewCamera {
  readonly camera: Camera;
  #isPerspective = false;
  #isUserControlled = false;
  #view: SceneView;

  constructor(view: SceneView, projection: ViewOptions["projection"]) {
    this.#view = view;
    this.camera = new Camera(view);
    this.isPerspective = projection ? projection === "perspective" : !isPlanar(view);
  }

  get isPerspective(): boolean {
    return this.#isPerspective;
  }

  set isPerspective(isPerspective: boolean) {
    this.#isPerspective = isPerspective;
    this.camera.room = isPerspective ? PERSPECTIVE_FILL_FRACTION : 1;
    this.camera.reframe(this.#view);
  }

  /** Disables automatic framing. Call after the user has moved the camera. */
  hold(): void {
    this.#isUserControlled = true;
  }

  /** Looks from a side or direction, with everything in the picture. */
  look(from: NamedView | "home" | VectorLike): void {
    this.camera.lookFrom(directionOf(from, this.#view));
    this.#isUserControlled = false;
  }

  /** Fits everything into the picture, from the present direction. */
  fit(): void {
    this.look(this.camera.sight.towards);
  }

  /** Adapts to a rebuilt scene, unless the user has moved the camera. */
  adapt(view: SceneView): void {
    this.#view = view;
    if (!this.#isUserControlled) this.camera.reframe(view);
  }
}
