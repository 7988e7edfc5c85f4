import { ReentryGuard } from "../../base/checking/index.js";
import { NodriftError } from "../../base/errors.js";
import { RunLimits, setActiveLimits, withLimits } from "../../base/run-limits.js";
import type { State } from "../../interfaces/index.js";
import type { Joint } from "../../model/handles.js";
import type { SetNumbers } from "../../model/settings.js";
import { publicCoordinates } from "../public/public-view.js";
import type { Simulation } from "../stepping/simulation.js";
import { Loop } from "./loop/loop.js";
import { type RunSnapshot, restoreRun, saveRun } from "./loop/run-snapshot.js";
import { CallbackError } from "./mode-solver/failure.js";
import { checkEndless } from "./setup/option-checks.js";
import type { SolveOptions, Source, StateOf } from "./setup/options.js";
import { type Setup, START, setupOf } from "./setup/setup.js";
import { Solution } from "./solution/solution.js";

/** Real time between two calls of `progress`, and longest time a run blocks the event loop, in seconds. */
const PROGRESS_INTERVAL_S = 0.1;
const MAX_BLOCKING_S = 0.012;

/**
 * A run that you step yourself. Made by {@link start}.
 *
 * @example
 * const run = start(system, { span: [0, 10] });
 * while (run.step()) draw(run.state.q);
 * const solution = run.solution();
 */
export class Run<T extends State = State> {
  readonly #loop: Loop<T>;
  readonly #limits: RunLimits;
  #lastReport = 0;
  readonly #guard = new ReentryGuard("the run");

  constructor(setup: Setup<T>) {
    const limits = new RunLimits(setup.signal, setup.maximumSeconds);
    this.#limits = limits;
    this.#loop = withLimits(limits, () => new Loop(setup, limits));
    withLimits(limits, () => this.#loop.open());
    if (this.isOver) this.#report(limits.seconds);
  }

  /** The system being solved, as given. */
  get source(): Source {
    return this.#loop.setup.sources[START]!;
  }

  /** The present system: that of the present mode, with the values set and the joints locked. */
  get present(): Source {
    return this.#loop.solver.source;
  }

  /** Time the run has reached. */
  get time(): number {
    return this.#loop.time;
  }

  /** The present state: always the same object, with present values. */
  get state(): T {
    return this.#loop.solver.viewer.atAccepted(this.#loop.time);
  }

  /** Bodies of a mechanism; undefined for other systems. */
  get rigidBodies(): Simulation["rigidBodies"] {
    return publicCoordinates(this.#loop.solver.system).rigidBodies;
  }

  /** Whether the run has ended. */
  get isOver(): boolean {
    return this.#loop.status !== undefined;
  }

  /** Takes a step, or runs to the next event. Returns false when the run is over. */
  step(): boolean {
    return this.#advance(false);
  }

  /** Advances the run; with `canTakeBatches` it may take several steps in one call. */
  #advance(canTakeBatches: boolean): boolean {
    const loop = this.#loop;
    const limits = this.#limits;
    this.#guard.enter("step");
    try {
      if (loop.status !== undefined) return false;
      const { maximumSteps, progress } = loop.setup;
      const limit = limits.reached();
      if (limit === "aborted") loop.stop(limit);
      else if (loop.tally.steps >= maximumSteps) {
        loop.end("maximumSteps", `${maximumSteps} steps were taken up to t = ${loop.time}`);
      } else if (limit) loop.stop(limit);
      else {
        const before = setActiveLimits(limits);
        try {
          if (canTakeBatches) loop.stepBatch(maximumSteps - loop.tally.steps - 1);
          loop.step();
        } finally {
          setActiveLimits(before);
        }
      }
      const seconds = progress ? limits.seconds : 0;
      if (this.isOver || seconds - this.#lastReport >= PROGRESS_INTERVAL_S) this.#report(seconds);
      return !this.isOver;
    } finally {
      this.#guard.leave();
    }
  }

  /**
   * Changes values of the mechanism between two steps: parameters and gravity, or properties of a body, marker, joint
   * or force. The motion continues from the present state.
   *
   * @example
   * const run = start(system, { span: [0, 10] });
   * while (run.time < 5 && run.step());
   * run.set({ k: 3e4 });
   */
  readonly set: SetNumbers<void> = (...given: readonly unknown[]) => {
    this.#guard.refuse("set");
    if (this.isOver) throw new NodriftError("STEP", "set: the run is over");
    withLimits(undefined, () => this.#loop.set(given));
  };

  /**
   * Locks a joint at its present position, between two steps, and returns the impulses of the rows that stop it, by
   * row name.
   *
   * @example
   * const impulse = run.lock("hinge")["lock of hinge: angle"];
   */
  lock(joint: string | Joint): Record<string, number> {
    return this.#hold("lock", joint);
  }

  /** Unlocks a joint that was locked: `run.unlock("hinge")`. */
  unlock(joint: string | Joint): void {
    this.#hold("unlock", joint);
  }

  #hold(where: "lock" | "unlock", joint: string | Joint): Record<string, number> {
    this.#guard.refuse(where);
    if (this.isOver) throw new NodriftError("STEP", `${where}: the run is over`);
    return withLimits(undefined, () => this.#loop.hold(where, joint));
  }

  /** Runs to the end. */
  finish(): Solution<T> {
    while (this.#advance(true));
    return this.solution();
  }

  /** The solution so far. */
  solution(): Solution<T> {
    this.#loop.tally.seconds = this.#limits.seconds;
    return new Solution(this.#loop);
  }

  /** Returns a copy of everything the motion depends on: {@link restore} continues from it bitwise identically. */
  save(): RunSnapshot {
    this.#guard.refuse("save");
    return saveRun(this.#loop);
  }

  /**
   * Restores a saved point of this run, or of one created with the same options. States and events are recorded from
   * there on; earlier ones are in the solution of the run that found them. A snapshot that does not fit is rejected,
   * and the run stays unchanged.
   *
   * @example
   * const saved = structuredClone(run.save());
   * const other = start(system, options);
   * other.restore(saved);
   */
  restore(snapshot: RunSnapshot): void {
    this.#guard.refuse("restore");
    restoreRun(this.#loop, snapshot);
  }

  /** @internal Returns the memory to the pool for the next run of the same source. */
  release(): void {
    this.#loop.solvers.release();
  }

  /** Reports the progress of the run. */
  #report(seconds: number): void {
    const { time, tally, lastStep: step, setup } = this.#loop;
    const [from, to] = setup.span;
    const fraction = from === to ? 1 : (time - from) / (to - from);
    this.#lastReport = seconds;
    this.#loop.guard(() => {
      try {
        setup.progress?.({ time, fraction, steps: tally.steps, step, seconds });
      } catch (cause) {
        throw new CallbackError("progress", time, cause);
      }
    });
  }
}

/**
 * Starts a run that you step yourself, with save and restore.
 *
 * @example
 * const run = start(system, { span: [0, 10], output: "ends" });
 * const saved = run.save();
 */
export function start<S extends Source>(
  source: S,
  options: SolveOptions<S>,
  ...more: undefined[]
): Run<StateOf<S>> {
  return new Run(setupOf<StateOf<S>>(source, options as unknown as SolveOptions, more));
}

/**
 * Solves the motion of a mechanism, a system given by functions, or a plain differential equation, with error control
 * or a fixed step.
 *
 * @example
 * const solution = solve(await compile(pendulum), { span: [0, 10], tolerance: 1e-8 });
 * console.log(solution.status, solution.at(2.5).body("rod").position);
 */
export function solve<S extends Source>(
  source: S,
  options: SolveOptions<S>,
  ...more: undefined[]
): Solution<StateOf<S>> {
  const run = start(source, options, ...more);
  checkEndless(options as unknown as SolveOptions);
  const solution = run.finish();
  run.release();
  return solution;
}

/**
 * Like {@link solve}, but yields to the event loop between steps, so that pages stay alive and signals and timers fire.
 *
 * @example
 * const solution = await solveAsync(system, { span: [0, 100], signal: AbortSignal.timeout(5000) });
 */
export async function solveAsync<S extends Source>(
  source: S,
  options: SolveOptions<S>,
  ...more: undefined[]
): Promise<Solution<StateOf<S>>> {
  const run = start(source, options, ...more);
  checkEndless(options as unknown as SolveOptions);
  for (let since = performance.now(); run.step(); ) {
    if (performance.now() - since < 1000 * MAX_BLOCKING_S) continue;
    await new Promise((resolve) => setTimeout(resolve));
    since = performance.now();
  }
  const solution = run.solution();
  run.release();
  return solution;
}
