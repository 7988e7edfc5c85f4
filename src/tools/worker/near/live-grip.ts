/** Sends a command about a grip. */
type Send = (name: "moveTo" | "release", ...given: readonly unknown[]) => Promise<void>;

/**
 * A point of a body that is being dragged in a worker. Made by `grab` of a live model.
 *
 * @example
 * const grip = await live.grab("rod", [0, 0, -0.5], { maximumForce: 100 });
 * await grip.moveTo([1, 0, 0.3]);
 * await grip.release();
 */
export class LiveGrip {
  readonly #send: Send;

  /** @internal */
  constructor(send: Send) {
    this.#send = send;
  }

  /** Pulls the point to a place of the world from now on. */
  moveTo(place: readonly number[] | Float64Array): Promise<void> {
    return this.#send("moveTo", place);
  }

  /** Lets go. */
  release(): Promise<void> {
    return this.#send("release");
  }
}
