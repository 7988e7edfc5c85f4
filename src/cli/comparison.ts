// Several methods on one model, against a reference.

import type { BodyState, CompiledModel } from "../bodies/index.js";
import { estimatesError, type MethodChoice, parseMethod } from "../files/index.js";
import {
  type Solution,
  type SolveOptions,
  type Status,
  solve,
  solveAsync,
} from "../solve/index.js";
import { short } from "./numbers.js";

/** Times at which motions are compared. */
const SAMPLES = 101;
/** Tolerances of the reference: of the first that comes to its end, and of one to see how good it is. */
const REFERENCES = [1e-12, 1e-11, 1e-10, 1e-9] as const;
const LOOSER = 10;
/** Runs shorter than this are repeated, for the median of their times. */
const SHORT = 0.5;
const REPEATS = 3;

type Options = SolveOptions<CompiledModel>;

/** What a method is given. */
export interface Effort {
  readonly kind: "tolerance" | "step";
  readonly value: number;
}

/** One run of one method. */
export interface Attempt {
  readonly method: string;
  readonly effort: Effort;
  readonly status: Status | "refused";
  readonly reason: string;
  readonly steps: number;
  /** Largest distance of the centre of mass of a body from where it should be. NaN if the run did not finish. */
  readonly error: number;
  readonly drift: number;
  readonly energy: number;
  /** Real time: the median of some runs where they are short. */
  readonly seconds: number;
}

export interface ComparisonOptions {
  readonly methods: readonly string[];
  readonly tolerances: readonly number[] | undefined;
  readonly steps: readonly number[] | undefined;
  readonly maximumSeconds: number;
}

export class Comparison {
  readonly #system: CompiledModel;
  readonly #options: Options;
  readonly #plan: readonly {
    readonly method: string;
    readonly choice: MethodChoice;
    readonly effort: Effort;
  }[];
  readonly #maximumSeconds: number;
  #reference: readonly (readonly number[])[] = [];
  #referenceText = "";

  constructor(system: CompiledModel, given: Options, options: ComparisonOptions) {
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
    this.#options = { ...rest, output: { times } };
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

  told() {
    return { reference: this.#referenceText };
  }

  async *run(signal: AbortSignal): AsyncGenerator<Attempt> {
    await this.#findReference(signal);
    for (const { method, choice, effort } of this.#plan) {
      if (signal.aborted) return;
      yield await this.#attempt(method, choice, effort, signal);
    }
  }

  /** The method is chosen by `solve`: an implicit one takes over where the motion is stiff. */
  async #findReference(signal: AbortSignal): Promise<void> {
    const limits = { signal, maximumSeconds: 6 * this.#maximumSeconds };
    for (const tolerance of REFERENCES) {
      const best = await solveAsync(this.#system, { ...this.#options, tolerance, ...limits });
      if (best.length < SAMPLES) continue;
      const looser = { ...this.#options, tolerance: LOOSER * tolerance, ...limits };
      this.#reference = positionsOf(best);
      const change = this.#errorOf(await solveAsync(this.#system, looser));
      this.#referenceText =
        `compared with ${best.method} at tolerance ${tolerance}, which at ${short(LOOSER * tolerance)} ` +
        `differs by ${short(change, 2)}: errors near that say nothing`;
      return;
    }
    this.#referenceText = "no reference was found: errors are not known";
  }

  async #attempt(
    method: string,
    choice: MethodChoice,
    effort: Effort,
    signal: AbortSignal,
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
      const { steps, maximumDrift, energyError } = statistics;
      const isDone = solution.length === SAMPLES;
      return {
        method,
        effort,
        status,
        reason,
        steps,
        error: isDone ? this.#errorOf(solution) : Number.NaN,
        drift: maximumDrift.position,
        energy: energyError,
        seconds: isDone ? this.#median(statistics.seconds, options) : statistics.seconds,
      };
    } catch (error) {
      const nothing = { steps: 0, error: Number.NaN, drift: Number.NaN, energy: Number.NaN };
      const { message: reason } = error as Error;
      return { method, effort, status: "refused", reason, ...nothing, seconds: Number.NaN };
    }
  }

  /** Of a run that took this long and some more; the first one is compiled on the way. */
  #median(seconds: number, options: Options): number {
    if (seconds > SHORT) return seconds;
    const times = Array.from(
      { length: REPEATS },
      () => solve(this.#system, options).statistics.seconds,
    );
    return times.sort((a, b) => a - b)[Math.floor(REPEATS / 2)]!;
  }

  #errorOf(solution: Solution<BodyState>): number {
    if (this.#reference.length === 0) return Number.NaN;
    const found = positionsOf(solution);
    let worst = 0;
    for (const [k, row] of found.entries()) {
      const known = this.#reference[k];
      if (!known) return Number.NaN;
      for (let i = 0; i < row.length; i += 3) {
        const [x, y, z] = [0, 1, 2].map((j) => row[i + j]! - known[i + j]!);
        worst = Math.max(worst, Math.hypot(x!, y!, z!));
      }
    }
    return worst;
  }
}

/** Coordinates of a body: its centre of mass, and Euler parameters. */
const COORDINATES = 7;

/** Centres of mass of all bodies at all times. */
function positionsOf(solution: Solution<BodyState>): number[][] {
  return [...solution.states()].map(({ q }) => [...q].filter((_, i) => i % COORDINATES < 3));
}
