// Several methods on one system, each with several steps or tolerances, against a reference.

import type { MethodOption } from "../../methods/names/index.js";
import type { Integrator, State } from "../../seam/index.js";
import {
  estimatesError,
  type MethodChoice,
  parseMethod,
  type RunStatus,
  type Solution,
  type SolveOptions,
  type Source,
  type StateOf,
  type StopSignal,
  solve,
  solveAsync,
} from "../../solve.js";
import { short } from "../report/numbers.js";

/** Times at which motions are compared. */
const SAMPLES = 101;
/** Tolerances of the reference, as long as there is time: the last but one shows how good the last is. */
const REFERENCES = [1e-8, 1e-9, 1e-10, 1e-11, 1e-12] as const;
/** A reference may take as long as this many runs. */
const REFERENCE_RUNS = 2;
/** A tenth of the tolerance takes at most this many times as long. */
const LONGER = 4;
/** Runs are repeated for so many seconds: the least of their times is what the method needs, the rest is what else ran. */
const REPEATED = 0.5;
const REPEATS = 5;
/** A step ends where it should, but for rounding: in steps. */
const NEAR = 1e-6;

/** What a method is given. */
export interface Effort {
  readonly kind: "tolerance" | "step";
  readonly value: number;
}

/** One run of one method. */
export interface ComparedRun {
  /** The method as it was asked for. */
  readonly asked: string;
  /** What ran, as solutions name it: with the parts that were chosen around what was asked for. */
  readonly method: string;
  /** The coordinates it worked in; undefined for systems of equations. */
  readonly coordinates: "relative" | "maximal" | undefined;
  /** Rows of constraints that it had to satisfy. */
  readonly rows: number;
  readonly effort: Effort;
  /** How it ended; "refused" if the method does not take the system. */
  readonly status: RunStatus | "refused";
  readonly reason: string;
  readonly steps: number;
  /** Largest distance of the centre of mass of a body, or of a coordinate of equations, from the reference. NaN if the run did not finish. */
  readonly error: number;
  /** Largest |Phi| at the ends of steps. */
  readonly drift: number;
  /** Largest |dPhi/dt| at the ends of steps. */
  readonly velocityDrift: number;
  /** Largest difference of the energy from that of the reference. */
  readonly energy: number;
  /** Evaluations of the accelerations. */
  readonly evaluations: number;
  /** Factorisations of mass matrices and constraints, and of matrices of implicit methods. */
  readonly factorisations: number;
  /** CPU time: the least of some runs if they are short. */
  readonly seconds: number;
}

/** The motion that others are compared with, at a time: positions, and the energy if it is known. */
export type ReferenceMotion = (time: number) => {
  readonly q: ArrayLike<number>;
  readonly energy?: number;
};

/** A method: its name, an object of the registries' types, or one's own. */
export type ComparedMethod = MethodOption | Integrator;

export interface ComparisonOptions {
  readonly methods: readonly ComparedMethod[];
  readonly tolerances?: readonly number[] | undefined;
  readonly steps?: readonly number[] | undefined;
  readonly maximumSeconds: number;
  readonly reference?: ReferenceMotion | undefined;
}

interface Planned {
  readonly asked: string;
  readonly choice: MethodChoice;
  readonly effort: Effort;
}

/** A state at a time that runs are compared at. */
interface Sample {
  readonly q: ArrayLike<number>;
  readonly energy: number;
}

export class Comparison<System extends Source> {
  readonly #system: System;
  readonly #options: SolveOptions<System>;
  readonly #span: readonly [number, number];
  readonly #plan: readonly Planned[];
  readonly #maximumSeconds: number;
  readonly #given: ReferenceMotion | undefined;
  #reference: ReadonlyMap<number, Sample> | undefined;
  #referenceText = "no reference solution was found, so errors are unknown";

  constructor(system: System, given: SolveOptions<System>, options: ComparisonOptions) {
    const {
      method: _method,
      integrator: _integrator,
      step: _step,
      tolerance: _tolerance,
      ...rest
    } = given;
    this.#system = system;
    this.#span = given.span;
    this.#options = rest as unknown as SolveOptions<System>;
    this.#maximumSeconds = options.maximumSeconds;
    this.#given = options.reference;
    this.#plan = planOf(options, Math.abs(given.span[1] - given.span[0]));
  }

  /** How many runs there will be. */
  get size(): number {
    return this.#plan.length;
  }

  /** What is compared with, and how good that is. */
  get referenceText(): string {
    return this.#referenceText;
  }

  async *run(signal: StopSignal): AsyncGenerator<ComparedRun> {
    await this.#findReference(signal);
    for (const planned of this.#plan) {
      if (signal.aborted) return;
      yield await this.#attempt(planned, signal);
    }
  }

  /** The method is chosen by `solve`: an implicit one takes over where the motion is stiff. */
  async #findReference(signal: StopSignal): Promise<void> {
    const sign = Math.sign(this.#span[1] - this.#span[0]);
    const lists = this.#plan.map(({ effort }) => timesOf(this.#span, effort));
    const times = [...new Set(lists.flat())].sort((a, b) => sign * (a - b));
    if (this.#given) {
      const at = this.#given;
      const known = times.map((time): [number, Sample] => {
        const { q, energy = Number.NaN } = at(time);
        return [time, { q: Float64Array.from(q), energy }];
      });
      this.#reference = new Map(known);
      this.#referenceText = "compared with the reference that was given";
      return;
    }
    const most = REFERENCE_RUNS * this.#maximumSeconds;
    let spent = 0;
    for (const tolerance of REFERENCES) {
      const limits = { signal, maximumSeconds: most };
      const options = { ...this.#options, output: { times }, tolerance, ...limits };
      const found = await solveAsync(this.#system, options);
      if (found.length < times.length) return;
      const samples = samplesOf<System>(found, times);
      const change = this.#reference
        ? this.#errorsOf(samples, this.#reference).position
        : Number.NaN;
      this.#reference = samples;
      this.#referenceText =
        `compared with ${found.method} at tolerance ${tolerance}` +
        (Number.isNaN(change)
          ? ""
          : `, which at ${short(10 * tolerance)} differs by ${short(change, 2)}: errors of that size are not significant`);
      const { seconds } = found.statistics;
      spent += seconds;
      if (spent + LONGER * seconds > most) return;
    }
  }

  async #attempt(planned: Planned, signal: StopSignal): Promise<ComparedRun> {
    const { asked, choice, effort } = planned;
    const options = {
      ...this.#options,
      ...choice,
      [effort.kind]: effort.value,
      maximumSeconds: this.#maximumSeconds,
      signal,
    };
    try {
      const { solution, samples } = await this.#sampled(options, effort);
      const { statistics, status, reason } = solution;
      const { steps, maximumDrift, evaluations, factorisations, implicit, rows } = statistics;
      const isDone = solution.end.time === this.#span[1];
      const reference = this.#reference;
      const errors = isDone && reference ? this.#errorsOf(samples, reference) : UNKNOWN;
      return {
        asked,
        method: nameOfRun(solution.method, asked),
        coordinates: solution.coordinateChoice?.kind,
        rows,
        effort,
        status,
        reason,
        steps,
        error: errors.position,
        drift: maximumDrift.position,
        velocityDrift: maximumDrift.velocity,
        energy: errors.energy,
        evaluations,
        factorisations: factorisations + (implicit?.factorisations ?? 0),
        seconds: isDone ? this.#least(statistics.seconds, options) : statistics.seconds,
      };
    } catch (error) {
      const { message: reason } = error as Error;
      return { ...NOTHING, asked, method: asked, effort, status: "refused", reason };
    }
  }

  /**
   * A run with states at the times of comparison. Steps that are given must not be shortened to end at these: a run with given steps is
   * looked at after each.
   */
  async #sampled(options: SolveOptions<System>, effort: Effort) {
    const times = timesOf(this.#span, effort);
    if (effort.kind === "tolerance") {
      const solution = await solveAsync(this.#system, { ...options, output: { times } });
      return { solution, samples: samplesOf<System>(solution, times) };
    }
    const samples = new Map<number, Sample>();
    const near = NEAR * effort.value;
    const sign = Math.sign(this.#span[1] - this.#span[0]);
    let next = 0;
    const each = (state: StateOf<System>) => {
      const { time } = state as unknown as State;
      while (next < times.length && sign * (time - times[next]!) > near) next++;
      if (next === times.length || Math.abs(time - times[next]!) > near) return;
      samples.set(times[next++]!, sampleOf(state));
    };
    const looked = { ...options, output: "steps", keep: false, dense: false, each } as const;
    return { solution: await solveAsync(this.#system, looked), samples };
  }

  /** Largest distance from where it should be, and largest error of the energy. */
  #errorsOf(
    samples: ReadonlyMap<number, Sample>,
    reference: ReadonlyMap<number, Sample>,
  ): typeof UNKNOWN {
    const distance = "bodySystem" in this.#system ? ofBodies : ofCoordinates;
    let [position, energy] = [0, 0];
    for (const [time, { q, energy: own }] of samples) {
      const known = reference.get(time)!;
      position = Math.max(position, distance(q, known.q));
      energy = Math.max(energy, Math.abs(own - known.energy));
    }
    return { position, energy };
  }

  /** Of a run that took this long, and of some more if it was short: the shorter, the more another program can add to it. */
  #least(seconds: number, options: SolveOptions<System>): number {
    let [least, sum] = [seconds, seconds];
    for (let i = 0; i < REPEATS && sum < REPEATED; i++) {
      const again = solve(this.#system, { ...options, output: "ends" }).statistics.seconds;
      least = Math.min(least, again);
      sum += again;
    }
    return least;
  }
}

const UNKNOWN = { position: Number.NaN, energy: Number.NaN };
const NOTHING = {
  coordinates: undefined,
  rows: 0,
  steps: 0,
  error: Number.NaN,
  drift: Number.NaN,
  velocityDrift: Number.NaN,
  energy: Number.NaN,
  evaluations: 0,
  factorisations: 0,
  seconds: Number.NaN,
} as const;

const DEFAULT_TOLERANCES = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8];
/** Steps in the span. */
const DEFAULT_STEPS = [500, 1000, 2000, 4000, 8000];

/**
 * Which steps or tolerances a method takes. What is given binds: with steps alone all methods take them, those that estimate
 * their error as well; with tolerances alone, only methods without an estimate take steps. With both, or neither, complete schemes
 * take steps: that is what they were made for.
 */
function planOf(
  { methods, tolerances, steps }: ComparisonOptions,
  span: number,
): readonly Planned[] {
  return methods.flatMap((given) => {
    const choice = choiceOf(given);
    const isScheme = "method" in choice && "coupled" in choice.method;
    const takesSteps =
      !estimatesError(choice) ||
      (steps === undefined ? tolerances === undefined && isScheme : !tolerances || isScheme);
    const values = takesSteps
      ? (steps ?? DEFAULT_STEPS.map((n) => span / n))
      : (tolerances ?? DEFAULT_TOLERANCES);
    const kind = takesSteps ? "step" : "tolerance";
    const asked = typeof given === "string" ? given : nameOf(choice);
    return values.map((value) => ({ asked, choice, effort: { kind, value } as const }));
  });
}

function choiceOf(given: ComparedMethod): MethodChoice {
  if (typeof given === "string") return parseMethod(given);
  if ("isMultistep" in given) return { integrator: given };
  return { method: given as never };
}

function nameOf(choice: MethodChoice): string {
  if ("integrator" in choice) return choice.integrator.name;
  const { method } = choice;
  const named = (part: unknown) =>
    typeof part === "string" ? part : (part as { name: string }).name;
  const own = "coupled" in method ? [method.coupled] : [method.formulation];
  const stabilisations = method.stabilisation ? [method.stabilisation].flat() : [];
  const last = "integrator" in method ? [method.integrator] : [];
  return [...own, ...stabilisations, ...last].map(named).join(" + ");
}

/** Those of mechanisms and equations have an energy. */
interface EnergyState extends State {
  energy?(): { readonly total: number };
}

function sampleOf(state: unknown): Sample {
  const { q, energy } = state as EnergyState;
  return { q: Float64Array.from(q), energy: energy?.call(state).total ?? Number.NaN };
}

function samplesOf<System extends Source>(
  solution: Solution<StateOf<System>>,
  times: readonly number[],
): ReadonlyMap<number, Sample> {
  const known = times.slice(0, solution.length);
  return new Map(known.map((time, k) => [time, sampleOf(solution.state(k))]));
}

/** Times at which a run is compared: ends of its steps if these are given. */
function timesOf([begin, end]: readonly [number, number], { kind, value }: Effort): number[] {
  const span = end - begin;
  const times = Array.from({ length: SAMPLES - 1 }, (_, k) => {
    const part = (span * k) / (SAMPLES - 1);
    const step = Math.sign(span) * value;
    return kind === "tolerance" ? begin + part : begin + Math.round(part / step) * step;
  });
  return [...new Set([...times.filter((time) => (end - time) * span > 0), end])];
}

/** Names of solutions have no gains: those that were asked for tell runs apart. */
function nameOfRun(ran: string, asked: string): string {
  const gains = [...asked.matchAll(/([a-zA-Z]+)\s*(\([-+.,\seE\d]+\))/g)];
  return gains.reduce((name, [, part, numbers]) => name.replace(part!, `${part}${numbers}`), ran);
}

/** Coordinates of a body: its centre of mass, and Euler parameters. */
const COORDINATES = 7;

/** The largest distance of a centre of mass. */
function ofBodies(q: ArrayLike<number>, known: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < q.length; i += COORDINATES) {
    const [x, y, z] = [0, 1, 2].map((j) => q[i + j]! - known[i + j]!);
    most = Math.max(most, Math.hypot(x!, y!, z!));
  }
  return most;
}

/** The largest difference of a coordinate. */
function ofCoordinates(q: ArrayLike<number>, known: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < q.length; i++) most = Math.max(most, Math.abs(q[i]! - known[i]!));
  return most;
}
