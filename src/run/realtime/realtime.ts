// Steps of fixed length in real time. The pattern is that of G. Fiedler, "Fix Your Timestep!" (2004): time is
// saved up, whole steps are taken from it, and what is drawn lies between the last two states.

import type { Body } from "../../describe/model/handles.js";
import {
  argument,
  callback,
  locationOf,
  optionsOf,
  ReentryGuard,
  reading,
} from "../../ground/checking/index.js";
import type { State } from "../../seam/index.js";
import type { NamedBodiesState } from "../solve/solution/solution-columns.js";
import { Run } from "../solve/solve.js";
import { requireSimulation } from "../stepping/require-simulation.js";
import type { Simulation } from "../stepping/simulation.js";
import { BodyMatrices, type Matrix4, writeMatrix } from "./body-matrix.js";
import { DrawnState } from "./drawn-state.js";
import { FrameClock } from "./frame-clock.js";
import { isLiveSource, LIVE_STEP, type LiveSource, liveMethod } from "./live-method.js";
import {
  LIVE_SHAPE,
  type LiveOptions,
  REALTIME_SHAPE,
  type RealtimeOptions,
} from "./realtime-options.js";
import { RealtimeRun } from "./realtime-run.js";

/** Real time that can be made up for in one call, and the least number of steps, by default. */
const CATCH_UP = { seconds: 0.1, steps: 8, most: 1e6 } as const;

/** Part of a step that is taken for rounding: six frames of 1/60 s are a tenth of a second. */
const ROUNDING = 1e-9;

/**
 * Runs a simulation in real time with fixed steps. Made by {@link realtime}.
 *
 * All steps are of the simulation's own length: its states do not depend on the frame rate. `q`, `v` and
 * `time` are what to draw. They lie between the last two states, up to one step behind the simulation:
 * linear in between, rotations on the shortest path. Joints look open there by (w h)^2 / 8 of the radius at
 * most when a body turns by w h in a step, and are closed at the states.
 *
 * @example
 * const loop = realtime(simulation, { speed: 0.5 });
 * loop.advance(1 / 60); // in each frame
 * console.log(loop.time, loop.q);
 */
export class Realtime<S extends Simulation = Simulation> {
  /** The simulation it drives. */
  readonly simulation: S;
  /** Positions to draw: a live view, new after each `advance`. */
  readonly q: Float64Array;
  /** Velocities to draw: a live view. */
  readonly v: Float64Array;
  readonly #between: DrawnState;
  readonly #matrices: BodyMatrices | undefined;
  readonly #maximum: number | undefined;
  readonly #clock: FrameClock;
  /** Simulated seconds saved up; less than nothing where a step was taken early by a rounding error. */
  #rest = 0;
  #fraction = 0;
  readonly #turn = new ReentryGuard("the loop");

  constructor(simulation: S, { maximumSteps, speed = 1 }: RealtimeOptions) {
    this.simulation = simulation;
    this.#maximum = maximumSteps;
    this.#between = new DrawnState(simulation);
    this.q = this.#between.q;
    this.v = this.#between.v;
    this.#matrices =
      simulation.rigidBodies &&
      new BodyMatrices(
        () => simulation.rigidBodies ?? [],
        this.q,
        (body) => (simulation as unknown as NamedBodiesState).body(body).name,
      );
    this.#clock = new FrameClock(speed);
    this.reset();
  }

  /** While true, `advance` lets no time pass. Changes made to the simulation are still drawn. */
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

  /** Position of the drawn state between the last two states: 0 to 1. */
  get fraction(): number {
    return this.#fraction;
  }

  /**
   * Total simulated time dropped since the start or `reset`: more steps were due than one call may take, or one failed.
   * Grows if the machine cannot keep up: use longer steps or a lower speed.
   */
  get lag(): number {
    return this.#clock.lag;
  }

  /** The part of {@link lag} that the last call of `advance` added. */
  get lastLag(): number {
    return this.#clock.lastLag;
  }

  /**
   * Advances by `frameTime` real seconds; returns the number of steps taken. `each` is called after every one. A negative
   * time counts as 0: the first frame of a page may have begun before the loop was started. Time beyond `maximumSteps` is
   * dropped and counted in {@link lag}: after a tab was hidden the motion goes on from where it was, and a machine that is
   * too slow shows slow motion instead of freezing.
   *
   * When a step fails its error is passed on, the last good state is drawn and the time that was saved up
   * counts as lag; the loop can go on. A state that was set anew since the last call, by `setState`,
   * `restore` or steps taken by hand, is noticed: nothing is drawn between it and the one before.
   *
   * @example
   * const steps = loop.advance(1 / 60);
   * if (loop.lastLag > 0) console.log(`dropped ${loop.lastLag} s`);
   */
  advance(frameTime: number, each?: (simulation: S) => void): number {
    if (each !== undefined) argument("advance", "STEP", "each", each, callback());
    const due = this.#rest + this.#clock.passing(frameTime);
    this.#turn.enter("advance");
    const { step } = this.simulation;
    if (this.#between.isStale) this.#between.hold();
    const whole = Math.max(0, Math.floor(due / step + ROUNDING));
    const count = Math.min(whole, this.#maximum ?? this.#catchUp(step));
    let taken = 0;
    try {
      while (taken < count) {
        this.#one(taken + 1 === count);
        taken++;
        each?.(this.simulation);
      }
    } catch (error) {
      this.#stop(due, taken, step);
      throw error;
    } finally {
      this.#turn.leave();
    }
    this.#rest = count < whole ? due % step : due - count * step;
    this.#clock.drop(count < whole ? due - this.#rest - count * step : 0);
    this.#draw();
    return count;
  }

  /**
   * Begins anew from the present state of the simulation, with no time saved up and no lag.
   *
   * @example
   * simulation.setState(q, v);
   * loop.reset();
   */
  reset(): void {
    this.#rest = 0;
    this.#clock.forget();
    this.#between.hold();
    this.#draw();
  }

  /**
   * Writes where a body of a mechanism is drawn: the matrix of its frame (with the origin of the frame, not
   * the centre of mass), 4 x 4 by columns, as WebGL and three.js take it. Returns the array.
   *
   * @example
   * mesh.matrixAutoUpdate = false;
   * loop.matrix("crank", mesh.matrix.elements);
   *
   * @example
   * simulation.bodies.forEach((name, i) => loop.matrix(name, instances.instanceMatrix.array, 16 * i));
   */
  matrix<T extends Matrix4>(body: string | number | Body, out: T, offset = 0): T {
    return writeMatrix(this.#matrices, body, out, offset);
  }

  #catchUp(step: number): number {
    const steps = Math.ceil((CATCH_UP.seconds * this.#clock.speed) / step);
    return Math.min(Math.max(CATCH_UP.steps, steps), CATCH_UP.most);
  }

  /** A step; what is drawn lies in the last one of a call. */
  #one(last: boolean): void {
    if (last) this.#between.begin();
    this.simulation.advance();
    if (last) this.#between.end();
  }

  /** After a step that failed, or a function of the user. */
  #stop(due: number, taken: number, step: number): void {
    this.#rest = 0;
    this.#clock.drop(due - taken * step);
    this.#between.hold();
    this.#draw();
  }

  #draw(): void {
    this.#fraction = Math.min(1, Math.max(0, this.#rest / this.simulation.step));
    this.#between.draw(this.#fraction);
  }
}

/**
 * Runs a simulation in real time, for pages and games: in each frame it takes the steps that are due and
 * finds the state to draw.
 *
 * @example
 * const simulation = (await compile(crank)).simulate({ step: 1 / 240 });
 * const loop = realtime(simulation);
 * let last = performance.now();
 * function frame(now) {
 *   loop.advance((now - last) / 1000);
 *   last = now;
 *   loop.matrix("crank", mesh.matrix.elements);
 *   renderer.render(scene, camera);
 *   requestAnimationFrame(frame);
 * }
 * requestAnimationFrame(frame);
 */
export function realtime<S extends Simulation>(
  simulation: S,
  options?: RealtimeOptions,
  ...more: undefined[]
): Realtime<S>;
/**
 * The same for a compiled model, with a method that suits it: explicit, or {@link ros3} where its motion is too stiff for
 * explicit steps of this length.
 *
 * @example
 * const loop = realtime(await compile(vehicle), { step: 1 / 240 });
 * console.log(loop.simulation.method);
 */
export function realtime<S extends Simulation>(
  system: LiveSource<S>,
  options?: LiveOptions,
  ...more: undefined[]
): Realtime<S>;
/**
 * The same for a run to a tolerance, whose steps are as long as its errors allow; no frame takes more of them than
 * `maximumSteps`.
 *
 * @example
 * const loop = realtime(start(system, { span: [0, 1e6], tolerance: 1e-4 }), { maximumSteps: 20 });
 */
export function realtime<T extends State>(
  run: Run<T>,
  options?: RealtimeOptions,
  ...more: undefined[]
): RealtimeRun<T>;
export function realtime(
  given: Simulation | LiveSource<Simulation> | Run,
  options: LiveOptions = {},
  ...more: undefined[]
): Realtime | RealtimeRun<State> {
  // What is given may be a proxy, which runs code of the user's when it is looked at.
  const [isRun, isSource] = reading(locationOf("realtime", "STEP", "the first argument"), () => [
    given instanceof Run,
    isLiveSource(given),
  ]);
  if (isRun) {
    const settings = optionsOf("realtime", "STEP", options, REALTIME_SHAPE, more);
    return new RealtimeRun(given as Run, settings);
  }
  if (isSource) {
    const source = given as LiveSource<Simulation>;
    const { step = LIVE_STEP, ...rest } = optionsOf("realtime", "STEP", options, LIVE_SHAPE, more);
    const method = liveMethod(source, step);
    return new Realtime(source.simulate({ step, ...(method && { method }) }), rest);
  }
  requireSimulation("realtime", given);
  return new Realtime(
    given as Simulation,
    optionsOf("realtime", "STEP", options, REALTIME_SHAPE, more),
  );
}
