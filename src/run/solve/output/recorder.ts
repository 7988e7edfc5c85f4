import { NodriftError } from "../../../ground/errors.js";
import { checkLimits } from "../../../ground/run-limits.js";
import type { State, StateData } from "../../../seam/index.js";
import { CallbackError } from "../leg/failure.js";
import type { Leg } from "../leg/leg.js";
import type { ShownPiece } from "../leg/state-viewer.js";
import { MOST_STATES, tooMany } from "../setup/option-checks.js";
import type { OutputOption } from "../setup/options.js";

/** States a block of memory holds. */
const BLOCK = 256;

/** A state that was kept: which leg it is of, and where its numbers are. */
export interface Kept<T extends State> {
  readonly leg: Leg<T>;
  readonly turns: Float64Array;
}

/** A step that was kept, for states in between. */
export interface KeptPiece extends ShownPiece {
  /** Of its leg. */
  readonly key: string;
}

export interface RecorderOptions<T extends State> {
  readonly output: OutputOption;
  readonly times: Float64Array | undefined;
  readonly span: readonly [number, number];
  readonly each: ((state: T) => void) | undefined;
  readonly keep: boolean;
  readonly dense: boolean;
}

const NO_TURNS = new Float64Array(0);

/** Keeps the states a run is asked for: time, q and v of each in a row, in blocks. */
export class Recorder<T extends State> {
  readonly stride: number;
  readonly kept: Kept<T>[] = [];
  readonly pieces: KeptPiece[] = [];
  readonly #options: RecorderOptions<T>;
  readonly #direction: number;
  readonly #blocks: Float64Array[] = [];
  #start: number;
  #eachThrew = false;
  /** How many of the requested times are done. */
  next = 0;

  constructor(options: RecorderOptions<T>, coordinates: number) {
    this.#options = options;
    this.stride = 1 + coordinates;
    const [start, end] = options.span;
    this.#direction = Math.sign(end - start);
    this.#start = start;
  }

  get everyStep(): boolean {
    return this.#options.output === "steps";
  }

  /**
   * The end is kept whenever it comes: unless times are given, it has been kept, or a limit was reached before all
   * states up to it were, which would leave a gap.
   */
  keepsEnd(time: number): boolean {
    const isOpen = this.#options.times === undefined && this.lastTime !== time;
    return isOpen && !this.wantsBefore(time);
  }

  /** Time from which on states are kept. */
  get start(): number {
    return this.#start;
  }

  /** Time of the last state, if any. */
  lastTime: number | undefined;

  get dense(): boolean {
    return this.#options.dense;
  }

  /** The next time that is asked for, or undefined. */
  nextTime(): number | undefined {
    const { output, times, span } = this.#options;
    const [start, end] = span;
    if (times) return times[this.next];
    if (typeof output === "string" || !("rate" in output)) return undefined;
    if (start === end) return this.next === 0 ? start : undefined;
    const time = start + (this.#direction * this.next) / output.rate;
    // Rates near the smallest number have no spacing: only the start and the end are kept.
    if (!Number.isFinite(time)) return undefined;
    const beyond = (time - end) * this.#direction;
    // A time this close to the end is the end, but for rounding.
    const close = 1e-9 / output.rate;
    if (beyond > close) return undefined;
    return this.next > 0 && beyond >= -close ? end : time;
  }

  /** Something is asked for before a time: what is asked for at the end of a step needs no interpolation. */
  wantsBefore(end: number): boolean {
    const time = this.nextTime();
    return time !== undefined && (time - end) * this.#direction < 0;
  }

  /** Keeps the states asked for up to the end of the step, from the interpolation. */
  recordInterpolated(leg: Leg<T>, end: number): void {
    for (let time = this.nextTime(); time !== undefined; time = this.nextTime()) {
      if ((time - end) * this.#direction > 0) return;
      checkLimits();
      this.next++;
      this.keep(leg, time === end ? leg.look.atAccepted(time) : leg.look.atProjected(time));
    }
  }

  /** Stores a state and passes it to `each`. */
  keep(leg: Leg<T>, state: T): void {
    this.#keep(leg, state);
    const { each } = this.#options;
    if (each && !this.#eachThrew) this.#tell(each, state);
  }

  /** Another one for the same output from a state on, which it keeps unless times are asked for. */
  from(leg: Leg<T>, state: T): Recorder<T> {
    const recorder = new Recorder<T>(this.#options, this.stride - 1);
    recorder.#start = state.time;
    while (recorder.wantsBefore(state.time) || recorder.nextTime() === state.time) recorder.next++;
    if (typeof this.#options.output === "string") recorder.#keep(leg, state);
    return recorder;
  }

  /** Keeps the step that is being interpolated. */
  keepPiece(leg: Leg<T>): void {
    this.pieces.push({ key: leg.key, ...leg.look.copyPiece() });
  }

  /** The numbers of a state that was kept: a view. */
  row(index: number): Float64Array {
    const block = this.#blocks[Math.floor(index / BLOCK)] as Float64Array;
    const from = (index % BLOCK) * this.stride;
    return block.subarray(from, from + this.stride);
  }

  /** A state that was kept. */
  state(index: number): T {
    const row = this.row(index);
    const { leg, turns } = this.kept[index] as Kept<T>;
    const { positions } = leg.view.coordinates;
    const q = row.slice(1, 1 + positions);
    const data: StateData = { time: row[0] as number, q, v: row.slice(1 + positions), turns };
    return leg.look.restored(data);
  }

  #keep(leg: Leg<T>, state: T): void {
    this.lastTime = state.time;
    if (!this.#options.keep) return;
    if (this.kept.length >= MOST_STATES) {
      throw new NodriftError("MEMORY", `t = ${state.time}: ${tooMany(this.kept.length + 1)}`);
    }
    const row = this.#row(this.kept.length);
    row[0] = state.time;
    row.set(state.q, 1);
    row.set(state.v, 1 + state.q.length);
    this.kept.push({ leg, turns: leg.look.turns.length > 0 ? leg.look.turns.slice() : NO_TURNS });
  }

  #tell(each: (state: T) => void, state: T): void {
    try {
      each(state);
    } catch (cause) {
      this.#eachThrew = true;
      throw new CallbackError("each", state.time, cause);
    }
  }

  #row(index: number): Float64Array {
    if (index % BLOCK === 0) this.#blocks.push(new Float64Array(BLOCK * this.stride));
    return this.row(index);
  }
}
