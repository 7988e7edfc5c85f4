// A run to a tolerance in real time: steps of any length, and no more of them in a frame than allowed.

import type { Body } from "../../describe/model/handles.js";
import { ReentryGuard } from "../../ground/checking/index.js";
import type { State } from "../../seam/index.js";
import type { NamedBodiesState } from "../solve/solution/solution-columns.js";
import type { Run } from "../solve/solve.js";
import { BodyMatrices, type Matrix4, writeMatrix } from "./body-matrix.js";
import { DrawnState } from "./drawn-state.js";
import { FrameClock } from "./frame-clock.js";
import type { RealtimeOptions } from "./realtime-options.js";

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
  readonly #between: DrawnState;
  readonly #matrices: BodyMatrices | undefined;
  readonly #maximum: number;
  readonly #clock: FrameClock;
  /** Time up to which the run is due. */
  #due: number;
  readonly #turn = new ReentryGuard("the loop");
  /** Ends of the last step. */
  #from: number;
  #to: number;

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
    this.#matrices =
      run.rigidBodies &&
      new BodyMatrices(
        () => run.rigidBodies ?? [],
        this.q,
        (body) => (run.state as unknown as NamedBodiesState).body(body).name,
      );
    this.#clock = new FrameClock(speed);
    this.#due = run.time;
    this.#from = run.time;
    this.#to = run.time;
    this.#draw();
  }

  /** While true, `advance` lets no time pass. */
  get paused(): boolean {
    return this.#clock.paused;
  }

  set paused(paused: boolean) {
    this.#clock.paused = paused;
  }

  /** Simulated seconds in a real one. */
  get speed(): number {
    return this.#clock.speed;
  }

  set speed(speed: number) {
    this.#clock.speed = speed;
  }

  /** Time of the state that is drawn. */
  get time(): number {
    return this.#between.time;
  }

  /** Total simulated time dropped: more steps were due than one call may take. */
  get lag(): number {
    return this.#clock.lag;
  }

  /** The part of {@link lag} that the last call of `advance` added. */
  get lastLag(): number {
    return this.#clock.lastLag;
  }

  /**
   * Advances by `frameTime` real seconds; returns the number of steps taken. A negative time counts as 0. Ends where the run does. A state that was
   * changed since the last call, by `set`, `restore` or steps taken by hand, is noticed: the run goes on from there, and
   * nothing is drawn between it and the one before.
   */
  advance(frameTime: number): number {
    const seconds = this.#clock.passing(frameTime);
    this.#turn.enter("advance");
    if (this.#between.isStale) this.#hold();
    this.#due += seconds;
    try {
      return this.#steps();
    } catch (error) {
      // Of a function of the user: what is drawn is where the run is.
      this.#between.hold();
      throw error;
    } finally {
      const { run } = this;
      this.#clock.drop(run.isOver ? 0 : this.#due - run.time);
      this.#due = Math.min(this.#due, run.time);
      this.#draw();
      this.#turn.leave();
    }
  }

  /**
   * Begins anew from the present state of the run, with no time saved up and no lag.
   *
   * @example
   * loop.run.restore(saved);
   * loop.reset();
   */
  reset(): void {
    this.#clock.forget();
    this.#hold();
    this.#draw();
  }

  /** As if the run began where it is. */
  #hold(): void {
    this.#between.hold();
    this.#due = this.run.time;
    this.#from = this.run.time;
    this.#to = this.run.time;
  }

  #steps(): number {
    const { run } = this;
    let taken = 0;
    while (!run.isOver && run.time < this.#due && taken < this.#maximum) {
      this.#between.begin();
      this.#from = run.time;
      run.step();
      this.#between.end();
      this.#to = run.time;
      taken++;
    }
    return taken;
  }

  /** Writes where a body of a mechanism is drawn: as `matrix` of loops with fixed steps. */
  matrix<M extends Matrix4>(body: string | number | Body, out: M, offset = 0): M {
    return writeMatrix(this.#matrices, body, out, offset);
  }

  #draw(): void {
    const length = this.#to - this.#from;
    this.#between.draw(length > 0 ? Math.min(1, (this.#due - this.#from) / length) : 1);
  }
}
