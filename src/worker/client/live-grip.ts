/** Sends a command about a grip. */
type Send = (name: "moveTo" | "release", ...given: readonly unknown[]) => Promise<void>;

/**
 * A grabbed point of a body in a worker. Created by `grab` of a live model.
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

  /** Sets the target that the point is pulled towards, in the world. */
  moveTo(place: readonly number[] | Float64Array): Promise<void> {
    return this.#send("moveTo", place);
  }

  /** Releases the point. */
  release(): Promise<void> {
    return this.#send("release");
  }
}
