// Clock of a real-time loop: converts real to simulated seconds, and counts the simulated time that was dropped.

import { argument, show } from "../../base/checking/index.js";
import { NodriftError } from "../../base/errors.js";
import { clockSpeed } from "./realtime-options.js";

/** The clock of a loop. */
export class FrameClock {
  paused = false;
  /** Total simulated time dropped, and that of the last call, in seconds. */
  droppedTime = 0;
  lastDroppedTime = 0;
  #speed = 1;

  constructor(speed: number) {
    this.speed = speed;
  }

  /** Simulated seconds per real second. */
  get speed(): number {
    return this.#speed;
  }

  set speed(speed: number) {
    this.#speed = argument("realtime", "STEP", "speed", speed, clockSpeed);
  }

  /**
   * Returns the simulated seconds that pass in a frame. No time passes in a negative one: requestAnimationFrame
   * passes the time at which its frame began, which may be a frame before the performance.now() that a loop was
   * started with.
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

  /** Counts the time that a call has to drop; negative values count as 0. */
  drop(seconds: number): void {
    this.lastDroppedTime = Math.max(0, seconds);
    this.droppedTime += this.lastDroppedTime;
  }

  /** Resets the dropped time to 0. */
  forget(): void {
    this.droppedTime = 0;
    this.lastDroppedTime = 0;
  }
}
