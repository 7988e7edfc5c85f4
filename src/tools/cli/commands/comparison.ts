// Several methods on one model, against a reference.

import {
  type RunStatus,
  type Solution,
  type SolveOptions,
  type Source,
  type StateOf,
  type StopSignal,
  solve,
  solveAsync,
} from "../../../solve.js";
import { estimatesError, type MethodChoice, parseMethod } from "../../files/index.js";
import { short } from "../terminal/numbers.js";
import type { RunState } from "../text/run-state.js";

/** Times at which motions are compared. */
const SAMPLES = 101;
/** Tolerances of the reference, as long as there is time: the last but one shows how good the last is. */
const REFERENCES = [1e-8, 1e-9, 1e-10, 1e-11, 1e-12] as const;
/** A reference may take as long as this many runs. */
const PATIENCE = 2;
/** A tenth of the tolerance takes at most this many times as long. */
const LONGER = 4;
/** Runs are repeated for so many seconds: the least of their times is what the method needs, the rest is what else ran. */
const REPEATED = 0.5;
const REPEATS = 5;

/** What a method is given. */
export interface Effort {
  readonly kind: "tolerance" | "step";
  readonly value: number;
}

/** One run of one method. */
export interface Attempt {
  readonly method: string;
  readonly effort: Effort;
  readonly status: RunStatus | "refused";
  readonly reason: string;
  readonly steps: number;
  /** Largest distance of the centre of mass of a body from where it should be. NaN if the run did not finish. */
  readonly error: number;
  readonly drift: number;
  /** Largest difference of the energy from what it should be. */
  readonly energy: number;
  /** Real time: the least of some runs where they are short. */
  readonly seconds: number;
}

export interface ComparisonOptions {
  readonly methods: readonly string[];
  readonly tolerances: readonly number[] | undefined;
  readonly steps: readonly number[] | undefined;
  readonly maximumSeconds: number;
}

export class Comparison<System extends Source> {
  readonly #system: System;
  readonly #options: SolveOptions<System>;
  readonly #plan: readonly {
    readonly method: string;
    readonly choice: MethodChoice;
    readonly effort: Effort;
  }[];
  readonly #maximumSeconds: number;
  #reference: Solution<StateOf<System>> | undefined;
  readonly #distance: Distance;
  #referenceText = "no reference solution was found, so errors are unknown";

  constructor(
    system: System,
    given: SolveOptions<System>,
    options: ComparisonOptions,
    distance: Distance,
  ) {
    this.#distance = distance;
    const {
      method: _method,
      integrator: _integrator,
      step: _step,
      tolerance: _tolerance,
      ...rest
    } = given;
    const [begin, end] = given.span;
    const span = Math.abs(end - begin);
    const times = Array.from({ length: SAMPLES }, (_, k) =>
      k === SAMPLES - 1 ? end : begin + ((end - begin) * k) / (SAMPLES - 1),
    );
    this.#system = system;
    this.#options = { ...rest, output: { times } } as unknown as SolveOptions<System>;
    this.#maximumSeconds = options.maximumSeconds;
    const { tolerances = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8] } = options;
    const { steps = [500, 1000, 2000, 4000, 8000].map((n) => span / n) } = options;
    this.#plan = options.methods.flatMap((method) => {
      const choice = parseMethod(method);
      const efforts: readonly Effort[] = estimatesError(choice)
        ? tolerances.map((value) => ({ kind: "tolerance", value }))
        : steps.map((value) => ({ kind: "step", value }));
      return efforts.map((effort) => ({ method, choice, effort }));
    });
  }

  /** How many runs there will be. */
  get size(): number {
    return this.#plan.length;
  }

  /** What is compared with. */
  get referenceText(): string {
    return this.#referenceText;
  }

  async *run(signal: StopSignal): AsyncGenerator<Attempt> {
    await this.#findReference(signal);
    for (const { method, choice, effort } of this.#plan) {
      if (signal.aborted) return;
      yield await this.#attempt(method, choice, effort, signal);
    }
  }

  /** The method is chosen by `solve`: an implicit one takes over where the motion is stiff. */
  async #findReference(signal: StopSignal): Promise<void> {
    const patience = PATIENCE * this.#maximumSeconds;
    let spent = 0;
    for (const tolerance of REFERENCES) {
      const limits = { signal, maximumSeconds: patience };
      const found = await solveAsync(this.#system, { ...this.#options, tolerance, ...limits });
      if (found.length < SAMPLES) return;
      const change = this.#reference ? this.#errorsOf(found, this.#reference).position : Number.NaN;
      this.#reference = found;
      this.#referenceText =
        `compared with ${found.method} at tolerance ${tolerance}` +
        (Number.isNaN(change)
          ? ""
          : `, which at ${short(10 * tolerance)} differs by ${short(change, 2)}: errors of that size are not significant`);
      const { seconds } = found.statistics;
      spent += seconds;
      if (spent + LONGER * seconds > patience) return;
    }
  }

  async #attempt(
    method: string,
    choice: MethodChoice,
    effort: Effort,
    signal: StopSignal,
  ): Promise<Attempt> {
    const maximumSeconds = this.#maximumSeconds;
    const options = {
      ...this.#options,
      ...choice,
      [effort.kind]: effort.value,
      maximumSeconds,
      signal,
    };
    try {
      const solution = await solveAsync(this.#system, options);
      const { statistics, status, reason } = solution;
      const { steps, maximumDrift } = statistics;
      const isDone = solution.length === SAMPLES;
      const reference = this.#reference;
      const errors = isDone && reference ? this.#errorsOf(solution, reference) : UNKNOWN;
      return {
        method,
        effort,
        status,
        reason,
        steps,
        error: errors.position,
        drift: maximumDrift.position,
        energy: errors.energy,
        seconds: isDone ? this.#least(statistics.seconds, options) : statistics.seconds,
      };
    } catch (error) {
      const nothing = { steps: 0, error: Number.NaN, drift: Number.NaN, energy: Number.NaN };
      const { message: reason } = error as Error;
      return { method, effort, status: "refused", reason, ...nothing, seconds: Number.NaN };
    }
  }

  /** Largest distance from where it should be, and largest error of the energy. */
  #errorsOf(
    solution: Solution<StateOf<System>>,
    reference: Solution<StateOf<System>>,
  ): typeof UNKNOWN {
    let [position, energy] = [0, 0];
    for (let k = 0; k < SAMPLES; k++) {
      const [state, known] = [solution.state(k), reference.state(k)].map(
        (one) => one as unknown as RunState,
      ) as [RunState, RunState];
      position = Math.max(position, this.#distance(state.q, known.q));
      energy = Math.max(energy, Math.abs(state.energy().total - known.energy().total));
    }
    return { position, energy };
  }

  /** Of a run that took this long, and of some more where it was short: the shorter, the more another program can add to it. */
  #least(seconds: number, options: SolveOptions<System>): number {
    let [least, sum] = [seconds, seconds];
    for (let i = 0; i < REPEATS && sum < REPEATED; i++) {
      const again = solve(this.#system, options).statistics.seconds;
      least = Math.min(least, again);
      sum += again;
    }
    return least;
  }
}

const UNKNOWN = { position: Number.NaN, energy: Number.NaN };

/** How far a position is from where it should be. */
export type Distance = (q: ArrayLike<number>, known: ArrayLike<number>) => number;

/** Coordinates of a body: its centre of mass, and Euler parameters. */
const COORDINATES = 7;

/** The largest distance of a centre of mass. */
export const ofBodies: Distance = (q, known) => {
  let most = 0;
  for (let i = 0; i < q.length; i += COORDINATES) {
    const [x, y, z] = [0, 1, 2].map((j) => q[i + j]! - known[i + j]!);
    most = Math.max(most, Math.hypot(x!, y!, z!));
  }
  return most;
};

/** The largest difference of a coordinate. */
export const ofCoordinates: Distance = (q, known) => {
  let most = 0;
  for (let i = 0; i < q.length; i++) most = Math.max(most, Math.abs(q[i]! - known[i]!));
  return most;
};
