// From where a view looks, and whether the user has taken that into his own hands.

import type { VectorLike } from "../../bodies.js";
import { Camera } from "../report/page/camera.js";
import type { SceneView } from "../report/scene-data.js";
import type { NamedView } from "../report/view.js";
import { directionOf, isPlanar } from "./directions.js";
import type { ViewOptions } from "./options.js";

/** What is near looks larger in perspective: the picture fills less of the screen. */
const NEARER = 0.84;

export class Gaze {
  readonly camera: Camera;
  #isPerspective = false;
  #isHeld = false;
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
    this.camera.room = isPerspective ? NEARER : 1;
    this.camera.reframe(this.#view);
  }

  /** The user has turned it: it is not moved by itself from now on. */
  hold(): void {
    this.#isHeld = true;
  }

  /** From a side or direction, with everything in the picture. */
  look(from: NamedView | "home" | VectorLike): void {
    this.camera.lookFrom(directionOf(from, this.#view));
    this.#isHeld = false;
  }

  /** From where it is, with everything in the picture. */
  fit(): void {
    this.look(this.camera.sight.towards);
  }

  /** The scene has become larger. */
  adapt(view: SceneView): void {
    this.#view = view;
    if (!this.#isHeld) this.camera.reframe(view);
  }
}
