// Simulations and runs in real time. The pattern is that of G. Fiedler, "Fix Your Timestep!" (2004): time is
// accumulated, whole steps are taken from it, and the drawn state lies between the last two states.

import { BODY_POSITIONS } from "../../../assembly/layout-bodies.js";
import {
  argument,
  callback,
  locationOf,
  number,
  optionsOf,
  ReentryGuard,
  reading,
  type Shape,
  show,
} from "../../base/checking/index.js";
import { NodriftError } from "../../base/errors.js";
import type { Method, State, System } from "../../interfaces/index.js";
import { ros3 } from "../../methods/integrators/ros3/ros3.js";
import type { Body } from "../../model/handles.js";
import { fastestPossibleRate } from "../bodies/linearise/fastest-rate.js";
import type { BodySimulation } from "../bodies/simulation/simulation.js";
import { implicitMethod } from "../solve/setup/method-choice.js";
import type { NamedBodiesState } from "../solve/solution/solution-columns.js";
import { Run } from "../solve/solve.js";
import { stepLength } from "../stepping/options.js";
import { requireSimulation, type Simulation } from "../stepping/simulation.js";
import { BodyTransforms, type Matrix4, writeMatrix } from "./body-matrix.js";

/** Options of {@link realtime}. */
export interface RealtimeOptions {
  /**
   * Maximum steps in one call of `advance`. Default: those due in a tenth of a second of real time, but at least 8; 100
   * for runs.
   */
  readonly maximumSteps?: number;
  /** Simulated seconds per real second: 0.1 is slow motion. Default: 1. */
  readonly speed?: number;
}

/** Options of {@link realtime} for a compiled model. */
export interface LiveOptions extends RealtimeOptions {
  /** Length of a step in seconds. Default: 1/240. */
  readonly step?: number;
}

/** Rule for the speed of the simulated clock. */
const clockSpeed = number("0 or more: 1 is real time", (speed) => speed >= 0);

const REALTIME_SHAPE: Shape<RealtimeOptions> = {
  maximumSteps: number(
    "an integer >= 1 (a limit is needed, or pages freeze)",
    (steps) => Number.isSafeInteger(steps) && steps >= 1,
  ),
  speed: clockSpeed,
};

const LIVE_SHAPE: Shape<LiveOptions> = { ...REALTIME_SHAPE, step: stepLength };

// The method for a mechanism in real time, if none is given.

/** Default length of steps in seconds. */
const LIVE_STEP = 1 / 240;

/** The interface of a compiled model that its motion in real time needs. */
interface RealtimeModel<S extends Simulation> {
  system(): System;
  simulate(options: { readonly step: number; readonly method?: Method }): S;
}

function isRealtimeModel(given: unknown): given is RealtimeModel<Simulation> {
  const { system, simulate } = (given ?? {}) as Partial<RealtimeModel<Simulation>>;
  return typeof system === "function" && typeof simulate === "function";
}

/** Explicit steps of order 4 are stable up to about |h lambda| = 2.8; beyond this bound they are not trusted. */
const MAX_EXPLICIT_STABILITY = 2;

/**
 * Returns undefined (the default of `simulate`) if explicit steps of this length are stable with all forces that may
 * act, else {@link ros3}: a tyre that is in the air at the start bounces without end under explicit steps once it
 * lands. If small motions cannot be found, as at singular poses, explicit steps pass.
 */
function liveMethod(source: RealtimeModel<Simulation>, step: number): Method | undefined {
  const { readout } = source.simulate({ step }) as unknown as Partial<BodySimulation>;
  if (readout === undefined) return undefined;
  const limit = MAX_EXPLICIT_STABILITY / step;
  try {
    const isStiff = fastestPossibleRate(readout, limit) > limit;
    return isStiff ? implicitMethod(source.system(), ros3()) : undefined;
  } catch (error) {
    if (error instanceof NodriftError) return undefined;
    throw error;
  }
}

/** Real time that one call may catch up, and bounds of the number of steps, by default. */
const CATCH_UP = { seconds: 0.1, steps: 8, most: 1e6 } as const;

/** Default maximum of steps of an adaptive run per frame. */
const MAX_ADAPTIVE_STEPS = 100;

/** Rounding of the due time, in steps: six frames of 1/60 s are a tenth of a second. */
const TIME_TOLERANCE_STEPS = 1e-9;

/**
 * Runs a simulation or an adaptive run in real time. Made by {@link realtime}.
 *
 * `q`, `v` and `time` are the state to draw. It lies between the last two states, at most one step before the present
 * state of the simulation: linear in between, rotations on the shortest path. In between, joints open by at most
 * (w h)^2 / 8 of the radius when a body rotates by w h in a step, and are closed at the states. All steps of a
 * simulation have its own length, so its states do not depend on the frame rate; give an adaptive run a `maximumStep` of
 * a frame or two if its steps are longer than that.
 *
 * @example
 * const loop = realtime(simulation, { speed: 0.5 });
 * loop.advance(1 / 60); // in each frame
 * console.log(loop.time, loop.q);
 */
export abstract class Realtime<S extends Pick<Simulation, "time" | "rigidBodies"> = Simulation> {
  /** The simulation or the run it drives. */
  readonly simulation: S;
  /** Positions to draw: a live view, new after each `advance`. */
  readonly q: Float64Array;
  /** Velocities to draw: a live view. */
  readonly v: Float64Array;
  /** While true, `advance` lets no time pass. Changes made to the simulation are still drawn. */
  paused = false;
  /** @internal The last two states, and the drawn one. */
  protected readonly between: DrawnState;
  /** @internal Held while steps are taken. */
  protected readonly guard = new ReentryGuard("the loop");
  readonly #matrices: BodyTransforms | undefined;
  #speed = 1;
  #droppedTime = 0;
  #lastDroppedTime = 0;

  constructor(simulation: S, speed = 1) {
    this.simulation = simulation;
    this.speed = speed;
    this.between = new DrawnState(() => this.state, simulation.rigidBodies?.length ?? 0);
    this.q = this.between.q;
    this.v = this.between.v;
    this.#matrices =
      simulation.rigidBodies &&
      new BodyTransforms(
        () => simulation.rigidBodies ?? [],
        this.q,
        (body) => (this.state as NamedBodiesState).body(body).name,
      );
  }

  /** @internal The present state, with its readings: the simulation itself, or the state of a run. */
  abstract get state(): State;

  /** @internal Length of a step in seconds: the mean over the last call if steps vary. */
  abstract get stepLength(): number;

  /** @internal How the motion ended; undefined while it continues. */
  abstract get status(): string | undefined;

  /** @internal Takes steps at once, paused or not. Call `reset` to draw the state that is reached. */
  abstract step(count: number): void;

  /** Simulated seconds per real second. */
  get speed(): number {
    return this.#speed;
  }

  set speed(speed: number) {
    this.#speed = argument("realtime", "STEP", "speed", speed, clockSpeed);
  }

  /** Time of the state that is drawn. */
  get time(): number {
    return this.between.time;
  }

  /** Position of the drawn state between the last two states: 0 to 1. */
  get fraction(): number {
    return this.between.fraction;
  }

  /**
   * Total simulated time dropped since the start or `reset`, because more steps were due than one call may take, or
   * one failed. Grows if the machine cannot keep up: use longer steps or a lower speed.
   */
  get droppedTime(): number {
    return this.#droppedTime;
  }

  /** The part of {@link droppedTime} that the last call of `advance` added. */
  get lastDroppedTime(): number {
    return this.#lastDroppedTime;
  }

  /**
   * Advances by `frameTime` real seconds; returns the number of steps taken. `each` is called after every one. A
   * negative time counts as 0: the first frame of a page may have begun before the loop was started. Time beyond
   * `maximumSteps` is dropped and counted in {@link droppedTime}. After a tab was hidden the motion continues from
   * its last state, and a machine that is too slow shows slow motion instead of freezing. The motion ends with a run.
   *
   * If a step fails its error is thrown, the last good state is drawn, and the accumulated time counts as dropped;
   * the loop can continue. If the state was set since the last call, by `setState`, `restore` or manual steps,
   * nothing is drawn between it and the previous one.
   *
   * @example
   * const steps = loop.advance(1 / 60);
   * if (loop.lastDroppedTime > 0) console.log(`dropped ${loop.lastDroppedTime} s`);
   */
  abstract advance(frameTime: number, each?: (simulation: S) => void): number;

  /**
   * Restarts from the present state of the simulation, without accumulated or dropped time.
   *
   * @example
   * simulation.setState(q, v);
   * loop.reset();
   */
  reset(): void {
    this.#droppedTime = 0;
    this.#lastDroppedTime = 0;
    this.hold();
    this.draw();
  }

  /**
   * Writes the pose in which a body of a mechanism is drawn: the matrix of its frame (with the origin of the frame,
   * not the centre of mass), 4 x 4 in column-major order, as in WebGL and three.js. Returns the array.
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

  /** @internal Restarts at the present state. */
  protected abstract hold(): void;

  /** @internal Finds the state to draw. */
  protected abstract draw(): void;

  /**
   * @internal Returns the simulated seconds that pass in a frame. No time passes in a negative one:
   * requestAnimationFrame passes the time at which its frame began, which may be a frame before the performance.now()
   * that a loop was started with.
   */
  protected passing(frameTime: number): number {
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

  /** @internal Counts the time that a call has to drop; negative values count as 0. */
  protected drop(seconds: number): void {
    this.#lastDroppedTime = Math.max(0, seconds);
    this.#droppedTime += this.#lastDroppedTime;
  }
}

/** Takes steps of one length. */
class FixedLoop<S extends Simulation> extends Realtime<S> {
  readonly status = undefined;
  readonly #maximumSteps: number | undefined;
  /** Accumulated simulated time; slightly negative if rounding advanced a step early. */
  #accumulated = 0;
  /** Length of the last step. */
  #length: number;

  constructor(simulation: S, { maximumSteps, speed }: RealtimeOptions) {
    super(simulation, speed);
    this.#maximumSteps = maximumSteps;
    this.#length = simulation.step;
    this.reset();
  }

  get state(): State {
    return this.simulation;
  }

  get stepLength(): number {
    return this.simulation.step;
  }

  step(count: number): void {
    this.simulation.advance(count);
  }

  advance(frameTime: number, each?: (simulation: S) => void): number {
    if (each !== undefined) argument("advance", "STEP", "each", each, callback());
    const due = this.#accumulated + this.passing(frameTime);
    this.guard.enter("advance");
    const { step } = this.simulation;
    if (step !== this.#length || this.between.isStale) this.between.hold();
    this.#length = step;
    const wholeSteps = Math.max(0, Math.floor(due / step + TIME_TOLERANCE_STEPS));
    const count = Math.min(wholeSteps, this.#maximumSteps ?? this.#catchUp(step));
    let taken = 0;
    try {
      while (taken < count) {
        // The drawn state lies in the last step of a call.
        const isLast = taken + 1 === count;
        if (isLast) this.between.begin();
        this.simulation.advance();
        if (isLast) this.between.end();
        taken++;
        each?.(this.simulation);
      }
    } catch (error) {
      this.drop(due - taken * step);
      this.hold();
      this.draw();
      throw error;
    } finally {
      this.guard.leave();
    }
    this.#accumulated = count < wholeSteps ? due % step : due - count * step;
    this.drop(count < wholeSteps ? due - this.#accumulated - count * step : 0);
    this.draw();
    return count;
  }

  protected hold(): void {
    this.#accumulated = 0;
    this.between.hold();
  }

  protected draw(): void {
    this.between.draw(Math.min(1, Math.max(0, this.#accumulated / this.simulation.step)));
  }

  #catchUp(step: number): number {
    const steps = Math.ceil((CATCH_UP.seconds * this.speed) / step);
    return Math.min(Math.max(CATCH_UP.steps, steps), CATCH_UP.most);
  }
}

/** Takes the steps of an adaptive run. */
class AdaptiveLoop<T extends State> extends Realtime<Run<T>> {
  stepLength = Number.NaN;
  readonly #maximumSteps: number;
  /** Time up to which the run is due. */
  #due = 0;
  /** Ends of the last step. */
  #from = 0;
  #to = 0;

  constructor(run: Run<T>, { maximumSteps = MAX_ADAPTIVE_STEPS, speed }: RealtimeOptions) {
    super(run, speed);
    this.#maximumSteps = maximumSteps;
    this.reset();
  }

  get state(): T {
    return this.simulation.state;
  }

  get status(): string | undefined {
    return this.simulation.isOver ? this.simulation.solution().status : undefined;
  }

  step(count: number): void {
    const before = this.simulation.time;
    let taken = 0;
    while (taken < count && this.simulation.step()) taken++;
    this.#measure(before, taken);
  }

  advance(frameTime: number, each?: (run: Run<T>) => void): number {
    if (each !== undefined) argument("advance", "STEP", "each", each, callback());
    const seconds = this.passing(frameTime);
    this.guard.enter("advance");
    if (this.between.isStale) this.hold();
    this.#due += seconds;
    const run = this.simulation;
    const before = run.time;
    let taken = 0;
    try {
      while (!run.isOver && run.time < this.#due && taken < this.#maximumSteps) {
        this.between.begin();
        this.#from = run.time;
        run.step();
        this.between.end();
        this.#to = run.time;
        taken++;
        each?.(run);
      }
    } catch (error) {
      // A user function threw: draw the present state of the run.
      this.between.hold();
      throw error;
    } finally {
      this.drop(run.isOver ? 0 : this.#due - run.time);
      this.#due = Math.min(this.#due, run.time);
      this.draw();
      this.guard.leave();
    }
    this.#measure(before, taken);
    return taken;
  }

  protected hold(): void {
    this.between.hold();
    this.#due = this.simulation.time;
    this.#from = this.#due;
    this.#to = this.#due;
  }

  protected draw(): void {
    const length = this.#to - this.#from;
    this.between.draw(length > 0 ? Math.min(1, (this.#due - this.#from) / length) : 1);
  }

  #measure(before: number, taken: number): void {
    if (taken > 0) this.stepLength = (this.simulation.time - before) / taken;
  }
}

// The state to draw lies between two states. It is found in TypeScript, because it is computed once a frame, outside the
// memory of the simulation.

/** A state, or a simulation. */
type Drawable = Pick<State, "q" | "v" | "time">;

/** Offset of the Euler parameters in the coordinates of a body. */
const EULER_OFFSET = 3;

/** A copy of a state. */
class StateCopy {
  readonly q: Float64Array;
  readonly v: Float64Array;
  time = Number.NaN;

  constructor({ q, v }: Drawable) {
    this.q = new Float64Array(q.length);
    this.v = new Float64Array(v.length);
  }

  take({ q, v, time }: Drawable): void {
    this.q.set(q);
    this.v.set(v);
    this.time = time;
  }

  isOf({ q, v, time }: Drawable): boolean {
    return time === this.time && equal(q, this.q) && equal(v, this.v);
  }
}

/** The last two states of a simulation, and an interpolated one. */
class DrawnState {
  readonly q: Float64Array;
  readonly v: Float64Array;
  time = Number.NaN;
  fraction = 0;
  readonly #source: () => Drawable;
  readonly #before: StateCopy;
  readonly #now: StateCopy;
  readonly #bodies: number;

  constructor(source: () => Drawable, bodies: number) {
    this.#source = source;
    this.#before = new StateCopy(source());
    this.#now = new StateCopy(source());
    this.#bodies = bodies;
    this.q = this.#now.q.slice();
    this.v = this.#now.v.slice();
    this.hold();
  }

  /** Whether the state was changed from outside since the last step. */
  get isStale(): boolean {
    return !this.#now.isOf(this.#source());
  }

  /** Makes both states the present one. */
  hold(): void {
    this.begin();
    this.end();
  }

  /** Stores the state before a step. */
  begin(): void {
    this.#before.take(this.#source());
  }

  /** Stores the state after a step. */
  end(): void {
    this.#now.take(this.#source());
  }

  /** Interpolates the drawn state at a fraction of the last step. */
  draw(fraction: number): void {
    this.fraction = fraction;
    const before = this.#before;
    const now = this.#now;
    this.time = before.time + fraction * (now.time - before.time);
    interpolate(before.v, now.v, fraction, this.v);
    interpolate(before.q, now.q, fraction, this.q);
    for (let body = 0; body < this.#bodies; body++) {
      interpolateRotation(before.q, now.q, fraction, BODY_POSITIONS * body + EULER_OFFSET, this.q);
    }
  }
}

function equal(a: Float64Array, b: Float64Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function interpolate(a: Float64Array, b: Float64Array, fraction: number, out: Float64Array): void {
  for (let i = 0; i < out.length; i++) out[i] = a[i]! + fraction * (b[i]! - a[i]!);
}

/**
 * Interpolates Euler parameters at an offset: e and -e are the same rotation, so b is taken with the sign that is
 * nearer to a; the sum is then never shorter than 1 / sqrt(2), and its direction is the result.
 */
function interpolateRotation(
  a: Float64Array,
  b: Float64Array,
  fraction: number,
  offset: number,
  out: Float64Array,
): void {
  let product = 0;
  for (let i = offset; i < offset + 4; i++) product += a[i]! * b[i]!;
  const sign = product < 0 ? -1 : 1;
  let square = 0;
  for (let i = offset; i < offset + 4; i++) {
    const sum = a[i]! + fraction * (sign * b[i]! - a[i]!);
    out[i] = sum;
    square += sum * sum;
  }
  const length = Math.sqrt(square);
  for (let i = offset; i < offset + 4; i++) out[i] = out[i]! / length;
}

/**
 * Runs a simulation in real time, for pages and games: in each frame it takes the due steps and finds the state to
 * draw.
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
 * Runs a compiled model in real time with a suitable method: explicit, or {@link ros3} if its motion is too stiff for
 * explicit steps of this length.
 *
 * @example
 * const loop = realtime(await compile(vehicle), { step: 1 / 240 });
 * console.log(loop.simulation.method);
 */
export function realtime<S extends Simulation>(
  system: RealtimeModel<S>,
  options?: LiveOptions,
  ...more: undefined[]
): Realtime<S>;
/**
 * Runs an adaptive run in real time: its error control chooses the steps, and no frame takes more of them than
 * `maximumSteps`.
 *
 * @example
 * const loop = realtime(start(system, { span: [0, 1e6], tolerance: 1e-4 }), { maximumSteps: 20 });
 */
export function realtime<T extends State>(
  run: Run<T>,
  options?: RealtimeOptions,
  ...more: undefined[]
): Realtime<Run<T>>;
export function realtime(
  given: Simulation | RealtimeModel<Simulation> | Run,
  options: LiveOptions = {},
  ...more: undefined[]
): Realtime | Realtime<Run> {
  // The argument may be a proxy, which runs user code when it is read.
  const [isRun, isSource] = reading(locationOf("realtime", "STEP", "the first argument"), () => [
    given instanceof Run,
    isRealtimeModel(given),
  ]);
  if (isRun) {
    const settings = optionsOf("realtime", "STEP", options, REALTIME_SHAPE, more);
    return new AdaptiveLoop(given as Run, settings);
  }
  if (isSource) {
    const source = given as RealtimeModel<Simulation>;
    const { step = LIVE_STEP, ...rest } = optionsOf("realtime", "STEP", options, LIVE_SHAPE, more);
    const method = liveMethod(source, step);
    return new FixedLoop(source.simulate({ step, ...(method && { method }) }), rest);
  }
  requireSimulation("realtime", given);
  return new FixedLoop(
    given as Simulation,
    optionsOf("realtime", "STEP", options, REALTIME_SHAPE, more),
  );
}
