// A run to a tolerance in real time: steps of any length, and no more of them in a frame than allowed.

import { argument, ReentryGuard, show } from "../../ground/checking/index.js";
import { NodriftError } from "../../ground/errors.js";
import type { State } from "../../seam/index.js";
import type { Run } from "../solve/solve.js";
import { BodyMatrices, type Matrix4 } from "./body-matrix.js";
import { DrawnState } from "./drawn-state.js";
import { clockSpeed, type RealtimeOptions } from "./realtime-options.js";

/** Steps of a frame at most, by default. */
const STEPS = 100;

/**
 * Runs a run to a tolerance in real time. Made by {@link realtime}.
 *
 * What is drawn lies between the last two states, on a straight line: give the run a `maximumStep` of a frame or two where
 * its steps are longer than that.
 *
 * @example
 * const loop = realtime(start(system, { span: [0, 60], maximumStep: 1 / 30 }), { maximumSteps: 20 });
 * loop.advance(1 / 60); // in each frame
 * console.log(loop.time, loop.lag);
 */
export class RealtimeRun<T extends State = State> {
  /** The run it drives. */
  readonly run: Run<T>;
  /** Positions to draw: a live view. */
  readonly q: Float64Array;
  /** Velocities to draw: a live view. */
  readonly v: Float64Array;
  /** While true, `advance` lets no time pass. */
  paused = false;
  readonly #between: DrawnState;
  readonly #matrices: BodyMatrices | undefined;
  readonly #maximum: number;
  #speed = 1;
  #clock: number;
  #lag = 0;
  #lagged = 0;
  readonly #turn = new ReentryGuard("the loop");
  #ends: readonly [number, number];

  constructor(run: Run<T>, { maximumSteps = STEPS, speed = 1 }: RealtimeOptions) {
    this.run = run;
    this.#maximum = maximumSteps;
    this.#between = new DrawnState({
      get q() {
        return run.state.q as Float64Array<ArrayBuffer>;
      },
      get v() {
        return run.state.v as Float64Array<ArrayBuffer>;
      },
      get time() {
        return run.time;
      },
      step: 0,
      rigidBodies: run.rigidBodies,
    });
    this.q = this.#between.q;
    this.v = this.#between.v;
    this.#matrices = run.rigidBodies && new BodyMatrices(() => run.rigidBodies ?? [], this.q);
    this.speed = speed;
    this.#clock = run.time;
    this.#ends = [run.time, run.time];
    this.#draw();
  }

  /** Simulated seconds in a real one. */
  get speed(): number {
    return this.#speed;
  }

  set speed(speed: number) {
    this.#speed = argument("realtime", "STEP", "speed", speed, clockSpeed);
  }

  /** Time of the state that is drawn. */
  get time(): number {
    return this.#between.time;
  }

  /** Total simulated time dropped: more steps were due than one call may take. */
  get lag(): number {
    return this.#lag;
  }

  /** The part of {@link lag} that the last call of `advance` added. */
  get lastLag(): number {
    return this.#lagged;
  }

  /** Advances by `frameTime` real seconds; returns the number of steps taken. Ends where the run does. */
  advance(frameTime: number): number {
    if (!(Number.isFinite(frameTime) && frameTime >= 0)) {
      throw new NodriftError(
        "STEP",
        `advance: the frame time is ${show(frameTime)}; give the seconds since the last call, 0 or more`,
      );
    }
    this.#turn.enter("advance");
    const { run } = this;
    try {
      if (!this.paused) this.#clock += frameTime * this.#speed;
      let taken = 0;
      while (!run.isOver && run.time < this.#clock && taken < this.#maximum) {
        this.#between.begin();
        const from = run.time;
        run.step();
        this.#between.end();
        this.#ends = [from, run.time];
        taken++;
      }
      this.#lagged = Math.max(0, this.#clock - run.time);
      if (!run.isOver) this.#lag += this.#lagged;
      this.#clock = Math.min(this.#clock, run.time);
      this.#draw();
      return taken;
    } finally {
      this.#turn.leave();
    }
  }

  /** Writes where a body of a mechanism is drawn: as `matrix` of loops with fixed steps. */
  matrix<M extends Matrix4>(body: string | number, out: M, offset = 0): M {
    if (this.#matrices === undefined) {
      throw new NodriftError(
        "DESCRIPTION",
        "matrix is for mechanisms: this system is given by functions, and has no bodies",
      );
    }
    this.#matrices.write(body, out, offset);
    return out;
  }

  #draw(): void {
    const [from, to] = this.#ends;
    this.#between.draw(to > from ? Math.min(1, (this.#clock - from) / (to - from)) : 1);
  }
}
