import type { Joint } from "../../describe/model/handles.js";
import type { SetNumbers } from "../../describe/settings.js";
import { ReentryGuard } from "../../ground/checking/index.js";
import { NodriftError } from "../../ground/errors.js";
import { RunLimits, setActiveLimits, withLimits } from "../../ground/run-limits.js";
import type { State } from "../../seam/index.js";
import { shownCoordinates } from "../public/state-view.js";
import type { Simulation } from "../stepping/simulation.js";
import { CallbackError } from "./leg/failure.js";
import { Loop } from "./loop/loop.js";
import { type RunSnapshot, restoreRun, saveRun } from "./loop/run-snapshot.js";
import { checkEndless } from "./setup/option-checks.js";
import type { SolveOptions } from "./setup/options.js";
import { type Setup, START, setupOf } from "./setup/setup.js";
import type { Source, StateOf } from "./setup/source.js";
import { Solution } from "./solution/solution.js";

/** Real time between two calls of `progress`, and that a page may wait, in seconds. */
const PROGRESS = 0.1;
const PATIENCE = 0.012;

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
  readonly #watch: RunLimits;
  #told = 0;
  readonly #turn = new ReentryGuard("the run");

  constructor(setup: Setup<T>) {
    const watch = new RunLimits(setup.signal, setup.maximumSeconds);
    this.#watch = watch;
    this.#loop = withLimits(watch, () => new Loop(setup, watch));
    withLimits(watch, () => this.#loop.open());
    if (this.isOver) this.#report(watch.seconds);
  }

  /** The system that is solved, as it was given. */
  get source(): Source {
    return this.#loop.setup.sources[START]!;
  }

  /** The system it is in now: that of its mode, with what was set and locked. */
  get present(): Source {
    return this.#loop.leg.source;
  }

  /** Time the run has reached. */
  get time(): number {
    return this.#loop.time;
  }

  /** The present state: always the same object, with the numbers of now. */
  get state(): T {
    return this.#loop.leg.look.atAccepted(this.#loop.time);
  }

  /** Bodies of a mechanism; undefined for other systems. */
  get rigidBodies(): Simulation["rigidBodies"] {
    return shownCoordinates(this.#loop.leg.system).rigidBodies;
  }

  /** Whether the run has ended. */
  get isOver(): boolean {
    return this.#loop.status !== undefined;
  }

  /** Takes a step, or runs to the next event. Returns false when the run is over. */
  step(): boolean {
    return this.#advance(false);
  }

  /** `sprints`: takes many steps, where it need not be one. */
  #advance(sprints: boolean): boolean {
    this.#turn.enter("step");
    try {
      return this.#step(sprints);
    } finally {
      this.#turn.leave();
    }
  }

  #step(sprints: boolean): boolean {
    const loop = this.#loop;
    if (loop.status !== undefined) return false;
    const watch = this.#watch;
    const { maximumSteps, progress } = loop.setup;
    const limit = watch.reached();
    if (limit === "aborted") loop.stop(limit);
    else if (loop.tally.steps >= maximumSteps) {
      loop.end("maximumSteps", `${maximumSteps} steps were taken up to t = ${loop.time}`);
    } else if (limit) loop.stop(limit);
    else {
      const before = setActiveLimits(watch);
      try {
        if (sprints) loop.sprint(maximumSteps - loop.tally.steps - 1);
        loop.step();
      } finally {
        setActiveLimits(before);
      }
    }
    const seconds = progress ? watch.seconds : 0;
    if (this.isOver || seconds - this.#told >= PROGRESS) this.#report(seconds);
    return !this.isOver;
  }

  /**
   * Changes numbers of the mechanism between two steps: parameters and gravity, or those of a body, marker, joint or force.
   * The motion goes on from the present state.
   *
   * @example
   * const run = start(system, { span: [0, 10] });
   * while (run.time < 5 && run.step());
   * run.set({ k: 3e4 });
   */
  readonly set: SetNumbers<void> = (...given: readonly unknown[]) => {
    this.#turn.refuse("set");
    if (this.isOver) throw new NodriftError("STEP", "set: the run is over");
    withLimits(undefined, () => this.#loop.set(given));
  };

  /**
   * Locks a joint where it is, between two steps, and gives the impulses of the rows that stop it by their names.
   *
   * @example
   * const impulse = run.lock("hinge")["lock of hinge: angle"];
   */
  lock(joint: string | Joint): Record<string, number> {
    return this.#hold("lock", joint);
  }

  /** Frees a joint that was locked: `run.unlock("hinge")`. */
  unlock(joint: string | Joint): void {
    this.#hold("unlock", joint);
  }

  #hold(where: "lock" | "unlock", joint: string | Joint): Record<string, number> {
    this.#turn.refuse(where);
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
    this.#loop.tally.seconds = this.#watch.seconds;
    return new Solution(this.#loop);
  }

  /** A copy of everything the motion depends on: {@link restore} continues with the same bits. */
  save(): RunSnapshot {
    this.#turn.refuse("save");
    return saveRun(this.#loop);
  }

  /**
   * Goes back to a saved point, of this run or of one made with the same options. States and events are kept
   * from there on; those before it are in the solution of the run that found them. A snapshot that does not fit
   * is refused, and the run stays as it is.
   *
   * @example
   * const saved = structuredClone(run.save());
   * const other = start(system, options);
   * other.restore(saved);
   */
  restore(snapshot: RunSnapshot): void {
    this.#turn.refuse("restore");
    restoreRun(this.#loop, snapshot);
  }

  /** @internal The memory goes to the next run of the same source. */
  release(): void {
    this.#loop.legs.release();
  }

  /** Tells how far the run is. */
  #report(seconds: number): void {
    const { time, tally, lastStep: step, setup } = this.#loop;
    const [from, to] = setup.span;
    const fraction = from === to ? 1 : (time - from) / (to - from);
    this.#told = seconds;
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
 * Solves the motion of a mechanism, or of a system given by functions, or a plain differential equation, to a
 * tolerance.
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
    if (performance.now() - since < 1000 * PATIENCE) continue;
    await new Promise((resolve) => setTimeout(resolve));
    since = performance.now();
  }
  const solution = run.solution();
  run.release();
  return solution;
}
