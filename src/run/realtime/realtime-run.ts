// An adaptive run in real time: steps of any length, up to a limit per frame.

import { ReentryGuard } from "../../base/checking/index.js";
import type { State } from "../../interfaces/index.js";
import type { Body } from "../../model/handles.js";
import type { NamedBodiesState } from "../solve/solution/solution-columns.js";
import type { Run } from "../solve/solve.js";
import { BodyTransforms, type Matrix4, writeMatrix } from "./body-matrix.js";
import { DrawnState } from "./drawn-state.js";
import { FrameClock } from "./frame-clock.js";
import type { RealtimeOptions } from "./realtime-options.js";

/** Default maximum of steps per frame. */
const MAX_STEPS_PER_FRAME = 100;

/**
 * Runs an adaptive run in real time. Made by {@link realtime}.
 *
 * The drawn state lies between the last two states, on a straight line: give the run a `maximumStep` of a frame or
 * two if its steps are longer than that.
 *
 * @example
 * const loop = realtime(start(system, { span: [0, 60], maximumStep: 1 / 30 }), { maximumSteps: 20 });
 * loop.advance(1 / 60); // in each frame
 * console.log(loop.time, loop.droppedTime);
 */
export class RealtimeRun<T extends State = State> {
  /** The run it drives. */
  readonly run: Run<T>;
  /** Positions to draw: a live view. */
  readonly q: Float64Array;
  /** Velocities to draw: a live view. */
  readonly v: Float64Array;
  readonly #between: DrawnState;
  readonly #matrices: BodyTransforms | undefined;
  readonly #maximumSteps: number;
  readonly #clock: FrameClock;
  /** Time up to which the run is due. */
  #due: number;
  readonly #guard = new ReentryGuard("the loop");
  /** Ends of the last step. */
  #from: number;
  #to: number;

  constructor(run: Run<T>, { maximumSteps = MAX_STEPS_PER_FRAME, speed = 1 }: RealtimeOptions) {
    this.run = run;
    this.#maximumSteps = maximumSteps;
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
      new BodyTransforms(
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

  /** Simulated seconds per real second. */
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
  get droppedTime(): number {
    return this.#clock.droppedTime;
  }

  /** The part of {@link droppedTime} that the last call of `advance` added. */
  get lastDroppedTime(): number {
    return this.#clock.lastDroppedTime;
  }

  /**
   * Advances by `frameTime` real seconds; returns the number of steps taken. A negative time counts as 0. Ends with
   * the run. If the state was changed since the last call, by `set`, `restore` or manual steps, the run continues
   * from there, and nothing is drawn between it and the previous one.
   */
  advance(frameTime: number): number {
    const seconds = this.#clock.passing(frameTime);
    this.#guard.enter("advance");
    if (this.#between.isStale) this.#hold();
    this.#due += seconds;
    try {
      return this.#takeSteps();
    } catch (error) {
      // A user function threw: draw the present state of the run.
      this.#between.hold();
      throw error;
    } finally {
      const { run } = this;
      this.#clock.drop(run.isOver ? 0 : this.#due - run.time);
      this.#due = Math.min(this.#due, run.time);
      this.#draw();
      this.#guard.leave();
    }
  }

  /**
   * Restarts from the present state of the run, without accumulated or dropped time.
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

  /** Restarts the interpolation at the present state of the run. */
  #hold(): void {
    this.#between.hold();
    this.#due = this.run.time;
    this.#from = this.run.time;
    this.#to = this.run.time;
  }

  #takeSteps(): number {
    const { run } = this;
    let taken = 0;
    while (!run.isOver && run.time < this.#due && taken < this.#maximumSteps) {
      this.#between.begin();
      this.#from = run.time;
      run.step();
      this.#between.end();
      this.#to = run.time;
      taken++;
    }
    return taken;
  }

  /** Writes the pose in which a body of a mechanism is drawn, like `matrix` of loops with fixed steps. */
  matrix<M extends Matrix4>(body: string | number | Body, out: M, offset = 0): M {
    return writeMatrix(this.#matrices, body, out, offset);
  }

  #draw(): void {
    const length = this.#to - this.#from;
    this.#between.draw(length > 0 ? Math.min(1, (this.#due - this.#from) / length) : 1);
  }
}
