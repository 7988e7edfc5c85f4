import { NodriftError } from "../../../base/errors.js";
import { checkLimits } from "../../../base/run-limits.js";
import type { State, StateData } from "../../../interfaces/index.js";
import { CallbackError } from "../mode-solver/failure.js";
import type { ModeSolver } from "../mode-solver/mode-solver.js";
import type { ShownPiece } from "../mode-solver/state-viewer.js";
import { MAX_STATES, tooMany } from "../setup/option-checks.js";
import type { OutputOption } from "../setup/options.js";

/** Number of states in a memory block. */
const STATES_PER_BLOCK = 256;

/** A recorded state: its mode solver and unwrapped angles; its time, q and v are a row of the recorder's blocks. */
export interface StoredState<T extends State> {
  readonly solver: ModeSolver<T>;
  readonly unwrappedAngles: Float64Array;
}

/** A recorded step, for dense output. */
export interface StoredPiece extends ShownPiece {
  /** Key of its mode solver. */
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

/** Records the requested states of a run: time, q and v of each in one row of a memory block. */
export class Recorder<T extends State> {
  readonly stride: number;
  readonly stored: StoredState<T>[] = [];
  readonly pieces: StoredPiece[] = [];
  readonly #options: RecorderOptions<T>;
  readonly #direction: number;
  readonly #blocks: Float64Array[] = [];
  #start: number;
  #eachThrew = false;
  /** Number of requested times already recorded. */
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
   * Whether the end state is recorded: always, unless times are given, it is recorded already, or a limit was reached
   * before all requested states up to it, which would leave a gap.
   */
  recordsEnd(time: number): boolean {
    const isOpen = this.#options.times === undefined && this.lastTime !== time;
    return isOpen && !this.needsStateBefore(time);
  }

  /** Time of the first state that can be recorded. */
  get start(): number {
    return this.#start;
  }

  /** Time of the last state, if any. */
  lastTime: number | undefined;

  get dense(): boolean {
    return this.#options.dense;
  }

  /** The next requested time, or undefined if no more are requested. */
  nextTime(): number | undefined {
    const { output, times, span } = this.#options;
    const [start, end] = span;
    if (times) return times[this.next];
    if (typeof output === "string" || !("rate" in output)) return undefined;
    if (start === end) return this.next === 0 ? start : undefined;
    const time = start + (this.#direction * this.next) / output.rate;
    // Rates near the smallest double have no spacing: only the start and the end are recorded.
    if (!Number.isFinite(time)) return undefined;
    const beyond = (time - end) * this.#direction;
    // A time this close to the end differs from it only by rounding.
    const close = 1e-9 / output.rate;
    if (beyond > close) return undefined;
    return this.next > 0 && beyond >= -close ? end : time;
  }

  /** Whether a state is requested before `end`. A state at the end of a step needs no interpolation. */
  needsStateBefore(end: number): boolean {
    const time = this.nextTime();
    return time !== undefined && (time - end) * this.#direction < 0;
  }

  /** Records the requested states up to the end of the step from the interpolant. */
  recordInterpolated(solver: ModeSolver<T>, end: number): void {
    for (let time = this.nextTime(); time !== undefined; time = this.nextTime()) {
      if ((time - end) * this.#direction > 0) return;
      checkLimits();
      this.next++;
      this.record(
        solver,
        time === end ? solver.viewer.atAccepted(time) : solver.viewer.atProjected(time),
      );
    }
  }

  /** Stores a state and passes it to `each`. */
  record(solver: ModeSolver<T>, state: T): void {
    this.#store(solver, state);
    const { each } = this.#options;
    if (each && !this.#eachThrew) this.#callEach(each, state);
  }

  /**
   * Returns a recorder for the same output that starts at a state, and records that state unless times are requested.
   */
  from(solver: ModeSolver<T>, state: T): Recorder<T> {
    const recorder = new Recorder<T>(this.#options, this.stride - 1);
    recorder.#start = state.time;
    while (recorder.needsStateBefore(state.time) || recorder.nextTime() === state.time)
      recorder.next++;
    if (typeof this.#options.output === "string") recorder.#store(solver, state);
    return recorder;
  }

  /** Records the step that is being interpolated. */
  recordPiece(solver: ModeSolver<T>): void {
    this.pieces.push({ key: solver.key, ...solver.viewer.copyPiece() });
  }

  /** Time, q and v of a recorded state, as a view. */
  row(index: number): Float64Array {
    const block = this.#blocks[Math.floor(index / STATES_PER_BLOCK)] as Float64Array;
    const from = (index % STATES_PER_BLOCK) * this.stride;
    return block.subarray(from, from + this.stride);
  }

  /** Returns a recorded state. */
  state(index: number): T {
    const row = this.row(index);
    const { solver, unwrappedAngles } = this.stored[index] as StoredState<T>;
    const { positions } = solver.view.coordinates;
    const q = row.slice(1, 1 + positions);
    const data: StateData = {
      time: row[0] as number,
      q,
      v: row.slice(1 + positions),
      unwrappedAngles,
    };
    return solver.viewer.restored(data);
  }

  #store(solver: ModeSolver<T>, state: T): void {
    this.lastTime = state.time;
    if (!this.#options.keep) return;
    if (this.stored.length >= MAX_STATES) {
      throw new NodriftError("MEMORY", `t = ${state.time}: ${tooMany(this.stored.length + 1)}`);
    }
    const row = this.#row(this.stored.length);
    row[0] = state.time;
    row.set(state.q, 1);
    row.set(state.v, 1 + state.q.length);
    this.stored.push({
      solver,
      unwrappedAngles:
        solver.viewer.unwrappedAngles.length > 0 ? solver.viewer.unwrappedAngles.slice() : NO_TURNS,
    });
  }

  #callEach(each: (state: T) => void, state: T): void {
    try {
      each(state);
    } catch (cause) {
      this.#eachThrew = true;
      throw new CallbackError("each", state.time, cause);
    }
  }

  #row(index: number): Float64Array {
    if (index % STATES_PER_BLOCK === 0)
      this.#blocks.push(new Float64Array(STATES_PER_BLOCK * this.stride));
    return this.row(index);
  }
}
