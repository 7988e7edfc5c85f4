import type { Vector } from "../../../describe/model/model-data.js";
import { type VectorLike, vector } from "../../../describe/model/option-checks.js";
import { vectorOf } from "../../../ground/algebra/vectors.js";
import { number, type Shape } from "../../../ground/checking/index.js";
import { NodriftError } from "../../../ground/errors.js";
import type { GripData } from "./hand.js";

/** Options of `push`. */
export interface PushOptions {
  /** In newtons, in the world; none if not given. */
  readonly force?: VectorLike;
  /** In the world; none if not given. */
  readonly torque?: VectorLike;
  /** Where the force acts, in the body's frame; its centre of mass if not given. */
  readonly at?: VectorLike;
  /** Seconds. Default: one step. */
  readonly for?: number;
}

/** Options of `grab`. */
export interface GrabOptions {
  /** How fast the point follows: of the critically damped pull, in hertz. Default: 3. */
  readonly frequency?: number;
  /** Newtons at most. Default: no limit. */
  readonly maximumForce?: number;
}

/** Three numbers, or an error by their name. */
const point = (wants: string) => ({
  wants,
  read: (value: unknown, place: { readonly path: string }) => vector("push", place.path, value),
});

const three = point("three numbers");

export const PUSH_SHAPE: Shape<PushOptions> = {
  force: three,
  torque: three,
  at: three,
  for: number("a positive number of seconds", (value) => value > 0),
};

export const GRAB_SHAPE: Shape<GrabOptions> = {
  frequency: number("a positive number of hertz", (value) => value > 0),
  maximumForce: number("a positive number of newtons", (value) => value > 0),
};

export const DEFAULT_FREQUENCY = 3;

/** What a grip needs of the simulation it is of. */
export interface GripOwner {
  /** Its data, as long as it holds. */
  find(id: number): GripData | undefined;
  move(id: number, target: Vector): void;
  release(id: number): void;
}

/**
 * A point of a body that is being dragged. Made by `grab` of a simulation.
 *
 * @example
 * const grip = simulation.grab("rod", [0, 0, -0.5]);
 * grip.moveTo([1, 0, 0.3]);
 * simulation.advance(240);
 * grip.release();
 */
export class Grip {
  readonly #id: number;
  readonly #owner: GripOwner;

  constructor(id: number, owner: GripOwner) {
    this.#id = id;
    this.#owner = owner;
  }

  /** Whether it still holds. */
  get isHolding(): boolean {
    return this.#owner.find(this.#id) !== undefined;
  }

  /** Where the point is pulled to, in the world. */
  get target(): Vector {
    const { target } = this.#data("target");
    return vectorOf(target[0]!, target[1]!, target[2]!);
  }

  /** Its force on the body in the last step, in the world. */
  get force(): Vector {
    const { force } = this.#data("force");
    return vectorOf(force[0]!, force[1]!, force[2]!);
  }

  /** Pulls the point to a place of the world from now on. */
  moveTo(place: VectorLike): void {
    this.#data("moveTo");
    this.#owner.move(this.#id, vector("moveTo", "the place", place));
  }

  /** Lets go. */
  release(): void {
    this.#data("release");
    this.#owner.release(this.#id);
  }

  #data(what: string): GripData {
    const found = this.#owner.find(this.#id);
    if (found) return found;
    throw new NodriftError("STEP", `${what}: this grip has been released: grab again`);
  }
}
