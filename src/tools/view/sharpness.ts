// How many pixels are painted: those of the screen. Where the processor paints in place of a graphics card, fewer while frames
// come too late, and all of them as soon as the picture stands still.

import type { Stage } from "./stage.js";

/** Pixels of a screen for one of the page: more are not seen, and cost time. */
const SHARPEST = 2;
/** Milliseconds between frames that are on time at 60 Hz, with room for a late one. */
const ON_TIME = 25;
/** Frames that are looked at together: one that is late by chance changes nothing. */
const WATCHED = 12;
/** Pixels along each side of a frame are fewer by this factor, then. */
const FACTOR = 0.75;
/** Coarser than this bars and pins of a joint run together. */
const COARSEST = 0.5;
/** Milliseconds of a page that was in the background: no frame took that long. */
const AWAY = 500;

export class Sharpness {
  readonly #stage: Pick<Stage, "isSlow" | "resize" | "sharpen">;
  readonly #gaps: number[] = [];
  /** Of the pixels along a side that there could be. */
  #part = 1;

  constructor(stage: Pick<Stage, "isSlow" | "resize" | "sharpen">) {
    this.#stage = stage;
  }

  get part(): number {
    return this.#part;
  }

  /** The picture has another size. */
  resize(width: number, height: number): void {
    const ratio = screenRatio();
    this.#stage.resize(width, height, ratio);
    if (this.#part !== 1) this.#stage.sharpen(this.#part * ratio);
  }

  /**
   * A frame has come, so many milliseconds after the last. Tells whether it must be painted for another sharpness. Where time passes but nothing
   * has moved, a worker has not told its next frame yet.
   */
  isOther(isMoving: boolean, isPlaying: boolean, gap: number): boolean {
    if (!this.#stage.isSlow) return false;
    if (!isMoving) return !isPlaying && this.whole();
    if (gap <= 0 || gap > AWAY) return false;
    this.#gaps.push(gap);
    if (this.#gaps.length < WATCHED) return false;
    const median = this.#gaps.sort((a, b) => a - b)[WATCHED / 2]!;
    this.#gaps.length = 0;
    return median > ON_TIME && this.#set(Math.max(COARSEST, FACTOR * this.#part));
  }

  /** All pixels. Tells whether there were fewer. */
  whole(): boolean {
    this.#gaps.length = 0;
    return this.#set(1);
  }

  #set(part: number): boolean {
    if (part === this.#part) return false;
    this.#part = part;
    this.#stage.sharpen(part * screenRatio());
    return true;
  }
}

function screenRatio(): number {
  return Math.min(SHARPEST, devicePixelRatio || 1);
}
