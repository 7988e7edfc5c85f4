// Fixed steps in real time. The pattern is that of G. Fiedler, "Fix Your Timestep!" (2004): time is accumulated,
// whole steps are taken from it, and the drawn state lies between the last two states.

import {
  argument,
  callback,
  locationOf,
  optionsOf,
  ReentryGuard,
  reading,
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
import { requireSimulation } from "../stepping/require-simulation.js";
import type { Simulation } from "../stepping/simulation.js";
import { BodyTransforms, type Matrix4, writeMatrix } from "./body-matrix.js";
import { DrawnState } from "./drawn-state.js";
import { FrameClock } from "./frame-clock.js";
import {
  LIVE_SHAPE,
  type LiveOptions,
  REALTIME_SHAPE,
  type RealtimeOptions,
} from "./realtime-options.js";
import { RealtimeRun } from "./realtime-run.js";

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

/** Rounding of the due time, in steps: six frames of 1/60 s are a tenth of a second. */
const TIME_TOLERANCE_STEPS = 1e-9;

/**
 * Runs a simulation in real time with fixed steps. Made by {@link realtime}.
 *
 * All steps have the simulation's own length, so its states do not depend on the frame rate. `q`, `v` and `time` are
 * the state to draw. It lies between the last two states, at most one step before the present state of the
 * simulation: linear in between, rotations on the shortest path. In between, joints open by at most (w h)^2 / 8 of
 * the radius when a body rotates by w h in a step, and are closed at the states.
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
  readonly #matrices: BodyTransforms | undefined;
  readonly #maximumSteps: number | undefined;
  readonly #clock: FrameClock;
  /** Accumulated simulated time; slightly negative if rounding advanced a step early. */
  #accumulated = 0;
  #fraction = 0;
  readonly #guard = new ReentryGuard("the loop");

  constructor(simulation: S, { maximumSteps, speed = 1 }: RealtimeOptions) {
    this.simulation = simulation;
    this.#maximumSteps = maximumSteps;
    this.#between = new DrawnState(simulation);
    this.q = this.#between.q;
    this.v = this.#between.v;
    this.#matrices =
      simulation.rigidBodies &&
      new BodyTransforms(
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

  /** Position of the drawn state between the last two states: 0 to 1. */
  get fraction(): number {
    return this.#fraction;
  }

  /**
   * Total simulated time dropped since the start or `reset`, because more steps were due than one call may take, or
   * one failed. Grows if the machine cannot keep up: use longer steps or a lower speed.
   */
  get droppedTime(): number {
    return this.#clock.droppedTime;
  }

  /** The part of {@link droppedTime} that the last call of `advance` added. */
  get lastDroppedTime(): number {
    return this.#clock.lastDroppedTime;
  }

  /**
   * Advances by `frameTime` real seconds; returns the number of steps taken. `each` is called after every one. A
   * negative time counts as 0: the first frame of a page may have begun before the loop was started. Time beyond
   * `maximumSteps` is dropped and counted in {@link droppedTime}. After a tab was hidden the motion continues from
   * its last state, and a machine that is too slow shows slow motion instead of freezing.
   *
   * If a step fails its error is thrown, the last good state is drawn, and the accumulated time counts as dropped;
   * the loop can continue. If the state was set since the last call, by `setState`, `restore` or manual steps,
   * nothing is drawn between it and the previous one.
   *
   * @example
   * const steps = loop.advance(1 / 60);
   * if (loop.lastDroppedTime > 0) console.log(`dropped ${loop.lastDroppedTime} s`);
   */
  advance(frameTime: number, each?: (simulation: S) => void): number {
    if (each !== undefined) argument("advance", "STEP", "each", each, callback());
    const due = this.#accumulated + this.#clock.passing(frameTime);
    this.#guard.enter("advance");
    const { step } = this.simulation;
    if (this.#between.isStale) this.#between.hold();
    const wholeSteps = Math.max(0, Math.floor(due / step + TIME_TOLERANCE_STEPS));
    const count = Math.min(wholeSteps, this.#maximumSteps ?? this.#catchUp(step));
    let taken = 0;
    try {
      while (taken < count) {
        this.#takeStep(taken + 1 === count);
        taken++;
        each?.(this.simulation);
      }
    } catch (error) {
      this.#dropAfterFailure(due, taken, step);
      throw error;
    } finally {
      this.#guard.leave();
    }
    this.#accumulated = count < wholeSteps ? due % step : due - count * step;
    this.#clock.drop(count < wholeSteps ? due - this.#accumulated - count * step : 0);
    this.#draw();
    return count;
  }

  /**
   * Restarts from the present state of the simulation, without accumulated or dropped time.
   *
   * @example
   * simulation.setState(q, v);
   * loop.reset();
   */
  reset(): void {
    this.#accumulated = 0;
    this.#clock.forget();
    this.#between.hold();
    this.#draw();
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

  #catchUp(step: number): number {
    const steps = Math.ceil((CATCH_UP.seconds * this.#clock.speed) / step);
    return Math.min(Math.max(CATCH_UP.steps, steps), CATCH_UP.most);
  }

  /** Takes a step; the drawn state lies in the last one of a call. */
  #takeStep(last: boolean): void {
    if (last) this.#between.begin();
    this.simulation.advance();
    if (last) this.#between.end();
  }

  /** Draws the last good state. Call after a step or a user function failed. */
  #dropAfterFailure(due: number, taken: number, step: number): void {
    this.#accumulated = 0;
    this.#clock.drop(due - taken * step);
    this.#between.hold();
    this.#draw();
  }

  #draw(): void {
    this.#fraction = Math.min(1, Math.max(0, this.#accumulated / this.simulation.step));
    this.#between.draw(this.#fraction);
  }
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
): RealtimeRun<T>;
export function realtime(
  given: Simulation | RealtimeModel<Simulation> | Run,
  options: LiveOptions = {},
  ...more: undefined[]
): Realtime | RealtimeRun<State> {
  // The argument may be a proxy, which runs user code when it is read.
  const [isRun, isSource] = reading(locationOf("realtime", "STEP", "the first argument"), () => [
    given instanceof Run,
    isRealtimeModel(given),
  ]);
  if (isRun) {
    const settings = optionsOf("realtime", "STEP", options, REALTIME_SHAPE, more);
    return new RealtimeRun(given as Run, settings);
  }
  if (isSource) {
    const source = given as RealtimeModel<Simulation>;
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
