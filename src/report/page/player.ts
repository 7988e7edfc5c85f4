// Player of an animation: plays, pauses, seeks, and notifies listeners.

export type PlayerListener = (time: number, isPlaying: boolean) => void;

/** Durations in seconds below and above which a run is played slower or faster than real time. */
const MIN_REAL_TIME_S = 2.5;
const MAX_REAL_TIME_S = 22;
/** Target durations in seconds for short and long runs. */
const SHORT_TARGET_S = 6;
const LONG_TARGET_S = 15;
/** Pause at the end before the motion repeats, in seconds. */
const END_PAUSE_S = 0.7;

export class Player {
  time: number;
  /** Speed relative to the default rate. */
  speed = 1;
  loop = true;
  /** Simulated time per real second at speed 1. */
  readonly rate: number;
  #isPlaying = false;
  #last: number | undefined;
  #waited = 0;
  readonly #listeners: PlayerListener[] = [];

  constructor(
    readonly start: number,
    readonly end: number,
  ) {
    this.time = start;
    this.rate = rateFor(end - start);
  }

  get isPlaying(): boolean {
    return this.#isPlaying;
  }

  listen(listener: PlayerListener): void {
    this.#listeners.push(listener);
  }

  play(): void {
    if (this.#isPlaying || this.end <= this.start) return;
    if (this.time >= this.end) this.time = this.start;
    this.#isPlaying = true;
    this.#last = undefined;
    this.#tell();
    requestAnimationFrame((now) => this.#advance(now));
  }

  pause(): void {
    this.#isPlaying = false;
    this.#tell();
  }

  toggle(): void {
    if (this.#isPlaying) this.pause();
    else this.play();
  }

  /** Goes to a time and pauses there. */
  seek(time: number): void {
    this.time = Math.min(this.end, Math.max(this.start, time));
    this.pause();
  }

  #advance(now: number): void {
    if (!this.#isPlaying) return;
    // Limited, since a page in the background receives no frames.
    const passed = Math.min(0.1, Math.max(0, now - (this.#last ?? now)) / 1000);
    this.#last = now;
    if (this.time >= this.end) this.#waitAtEnd(passed);
    else this.time = Math.min(this.end, this.time + passed * this.rate * this.speed);
    this.#tell();
    requestAnimationFrame((next) => this.#advance(next));
  }

  #waitAtEnd(passed: number): void {
    if (!this.loop) {
      this.#isPlaying = false;
      return;
    }
    this.#waited += passed;
    if (this.#waited < END_PAUSE_S) return;
    this.#waited = 0;
    this.time = this.start;
  }

  #tell(): void {
    for (const listener of this.#listeners) listener(this.time, this.#isPlaying);
  }
}

/** Returns the playback rate: real time, or slower or faster by 1, 2 or 5 times a power of ten. */
export function rateFor(span: number): number {
  if (!(span > 0) || (span >= MIN_REAL_TIME_S && span <= MAX_REAL_TIME_S)) return 1;
  const wanted = span / (span < MIN_REAL_TIME_S ? SHORT_TARGET_S : LONG_TARGET_S);
  const power = 10 ** Math.floor(Math.log10(wanted));
  return ([5, 2].find((factor) => factor * power <= wanted * 1.001) ?? 1) * power;
}
