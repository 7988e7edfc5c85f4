import { vectorOf } from "../../../base/algebra/vectors.js";
import { number, type Shape } from "../../../base/checking/index.js";
import { NodriftError } from "../../../base/errors.js";
import type { Vector } from "../../../model/model-data.js";
import { type VectorLike, vector } from "../../../model/option-checks.js";
import type { GripData } from "./external-loads.js";

/** Options of `push`. */
export interface PushOptions {
  /** Force in newtons, in the world. Default: none. */
  readonly force?: VectorLike;
  /** Torque in newton metres, in the world. Default: none. */
  readonly torque?: VectorLike;
  /** Point at which the force acts, in the body's frame. Default: the centre of mass. */
  readonly at?: VectorLike;
  /** Duration in seconds. Default: one step. */
  readonly for?: number;
}

/** Options of `grab`. */
export interface GrabOptions {
  /** Natural frequency of the critically damped pull, in hertz. Default: 3. */
  readonly frequency?: number;
  /** Largest force in newtons. Default: no limit. */
  readonly maximumForce?: number;
}

/** Checks a vector of three numbers; errors name the option. */
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

/** Operations of a simulation that a grip needs. */
export interface GripOwner {
  /** Returns the data of a grip, or undefined after its release. */
  find(id: number): GripData | undefined;
  move(id: number, target: Vector): void;
  release(id: number): void;
}

/**
 * A point of a body that is being dragged. Created by `grab` of a simulation.
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

  /** Whether the grip has not been released. */
  get isHolding(): boolean {
    return this.#owner.find(this.#id) !== undefined;
  }

  /** Target of the point, in the world. */
  get target(): Vector {
    const { target } = this.#data("target");
    return vectorOf(target[0]!, target[1]!, target[2]!);
  }

  /** Force on the body in the last step, in the world. */
  get force(): Vector {
    const { force } = this.#data("force");
    return vectorOf(force[0]!, force[1]!, force[2]!);
  }

  /** Sets the target of the point, in the world. */
  moveTo(place: VectorLike): void {
    this.#data("moveTo");
    this.#owner.move(this.#id, vector("moveTo", "the place", place));
  }

  /** Releases the point. */
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
