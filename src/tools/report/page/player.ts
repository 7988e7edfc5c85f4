// The time of an animation: it plays, pauses, jumps, and notifies listeners.

export type Listener = (time: number, isPlaying: boolean) => void;

/** A run that would take less or more seconds than these is played slower or faster. */
const SHORTEST = 2.5;
const LONGEST = 22;
/** Seconds it should then take. */
const SHORT = 6;
const LONG = 15;
/** Seconds at the end before it begins again. */
const PAUSE = 0.7;

export class Player {
  time: number;
  /** Of the rate at which it plays by itself. */
  speed = 1;
  loop = true;
  /** Time of the motion for a second of the viewer, at speed 1. */
  readonly rate: number;
  #isPlaying = false;
  #last: number | undefined;
  #waited = 0;
  readonly #listeners: Listener[] = [];

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

  listen(listener: Listener): void {
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

  /** Goes to a time and stays there. */
  seek(time: number): void {
    this.time = Math.min(this.end, Math.max(this.start, time));
    this.pause();
  }

  #advance(now: number): void {
    if (!this.#isPlaying) return;
    // A page that was in the background has not lived through that time.
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
    if (this.#waited < PAUSE) return;
    this.#waited = 0;
    this.time = this.start;
  }

  #tell(): void {
    for (const listener of this.#listeners) listener(this.time, this.#isPlaying);
  }
}

/** As the motion is, or slower or faster by 1, 2 or 5 times a power of ten. */
export function rateFor(span: number): number {
  if (!(span > 0) || (span >= SHORTEST && span <= LONGEST)) return 1;
  const wanted = span / (span < SHORTEST ? SHORT : LONG);
  const power = 10 ** Math.floor(Math.log10(wanted));
  return ([5, 2].find((factor) => factor * power <= wanted * 1.001) ?? 1) * power;
}
