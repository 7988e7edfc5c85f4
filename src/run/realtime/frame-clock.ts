// Time that passes for a loop: real seconds become simulated ones, and what could not be simulated in time is lag.

import { argument, show } from "../../ground/checking/index.js";
import { NodriftError } from "../../ground/errors.js";
import { clockSpeed } from "./realtime-options.js";

/** The clock of a loop. */
export class FrameClock {
  paused = false;
  /** Simulated time dropped in all, and by the last call. */
  lag = 0;
  lastLag = 0;
  #speed = 1;

  constructor(speed: number) {
    this.speed = speed;
  }

  /** Simulated seconds in a real one. */
  get speed(): number {
    return this.#speed;
  }

  set speed(speed: number) {
    this.#speed = argument("realtime", "STEP", "speed", speed, clockSpeed);
  }

  /**
   * Simulated seconds that pass in a frame. No time passes in a negative one: requestAnimationFrame passes the time at which
   * its frame began, which lies up to a frame before the performance.now() that a loop was started with.
   */
  passing(frameTime: number): number {
    if (!Number.isFinite(frameTime)) {
      throw new NodriftError(
        "STEP",
        `advance: the frame time is ${show(frameTime)}; give the seconds since the last call`,
      );
    }
    if (this.paused) return 0;
    const seconds = Math.max(0, frameTime) * this.#speed;
    if (Number.isFinite(seconds)) return seconds;
    throw new NodriftError("STEP", `advance: ${frameTime} s at a speed of ${this.#speed} overflow`);
  }

  /** What a call has to drop; nothing if it is less than that. */
  drop(seconds: number): void {
    this.lastLag = Math.max(0, seconds);
    this.lag += this.lastLag;
  }

  /** As if nothing had been dropped yet. */
  forget(): void {
    this.lag = 0;
    this.lastLag = 0;
  }
}
