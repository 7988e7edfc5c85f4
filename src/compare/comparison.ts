// Compares several methods on one system, each with several step sizes or tolerances, with a reference.

import type { Integrator, State } from "../interfaces/index.js";
import type { MethodOption } from "../methods/names/method-rule.js";
import type { Block } from "../report/index.js";
import { count, duration, short } from "../report/numbers.js";
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
} from "../solve.js";

/** Number of times at which motions are compared. */
const SAMPLES = 101;
/** Tolerances of the reference, tried in turn while time permits. The last but one shows the accuracy of the last. */
const REFERENCES = [1e-8, 1e-9, 1e-10, 1e-11, 1e-12] as const;
/** Largest time for the reference, in time limits of a run. */
const REFERENCE_RUNS = 2;
/** Largest expected increase of the run time for a tenth of the tolerance. */
const MAX_TIME_GROWTH = 4;
/** Seconds for which short runs are repeated. The least time is that of the method; the others include interference. */
const REPEAT_S = 0.5;
const MAX_REPEATS = 5;
/** Tolerance for the end of a step, in steps. */
const TIME_TOLERANCE_STEPS = 1e-6;

/** Tolerance or step size of a run. */
export interface Effort {
  readonly kind: "tolerance" | "step";
  readonly value: number;
}

/** One run of one method. */
export interface ComparedRun {
  /** The method as requested. */
  readonly asked: string;
  /** The method that ran, as named by the solution, including automatically chosen parts. */
  readonly method: string;
  /** Coordinates of the method; undefined for systems of equations. */
  readonly coordinates: "relative" | "maximal" | undefined;
  /** Number of constraint rows. */
  readonly rows: number;
  readonly effort: Effort;
  /** Status of the run; "refused" if the method does not support the system. */
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
  /** CPU time in seconds: the least of several runs if they are short. */
  readonly seconds: number;
}

/** Reference motion at a time: positions, and the energy if known. */
export type ReferenceMotion = (time: number) => {
  readonly q: ArrayLike<number>;
  readonly energy?: number;
};

/** A method: its name, or an object, built-in or custom. */
export type ComparedMethod = MethodOption | Integrator | string;

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

/** A state at a comparison time. */
interface Sample {
  readonly q: ArrayLike<number>;
  readonly energy: number;
}

export class MethodComparison<System extends Source> {
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

  /** Number of runs. */
  get size(): number {
    return this.#plan.length;
  }

  /** Description of the reference and its accuracy. */
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

  /** Computes the reference with the automatic method of `solve`, which switches to an implicit one if the motion is stiff. */
  async #findReference(signal: StopSignal): Promise<void> {
    const sign = Math.sign(this.#span[1] - this.#span[0]);
    const lists = this.#plan.map(({ effort }) => timesOf(this.#span, effort));
    const times = [...new Set(lists.flat())].sort((a, b) => sign * (a - b));
    if (this.#given) {
      const at = this.#given;
      const reference = times.map((time): [number, Sample] => {
        const { q, energy = Number.NaN } = at(time);
        return [time, { q: Float64Array.from(q), energy }];
      });
      this.#reference = new Map(reference);
      this.#referenceText = "compared with the given reference";
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
      if (spent + MAX_TIME_GROWTH * seconds > most) return;
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
        seconds: isDone ? this.#leastTime(statistics.seconds, options) : statistics.seconds,
      };
    } catch (error) {
      const { message: reason } = error as Error;
      return { ...NOTHING, asked, method: asked, effort, status: "refused", reason };
    }
  }

  /**
   * Runs a method and samples states at the comparison times. Fixed steps must not be shortened to end at these, so fixed-step
   * runs are inspected after each step.
   */
  async #sampled(options: SolveOptions<System>, effort: Effort) {
    const times = timesOf(this.#span, effort);
    if (effort.kind === "tolerance") {
      const solution = await solveAsync(this.#system, { ...options, output: { times } });
      return { solution, samples: samplesOf<System>(solution, times) };
    }
    const samples = new Map<number, Sample>();
    const near = TIME_TOLERANCE_STEPS * effort.value;
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

  /** Largest position error, and largest energy error. */
  #errorsOf(
    samples: ReadonlyMap<number, Sample>,
    reference: ReadonlyMap<number, Sample>,
  ): typeof UNKNOWN {
    const distance = "bodySystem" in this.#system ? ofBodies : ofCoordinates;
    let [position, energy] = [0, 0];
    for (const [time, { q, energy: own }] of samples) {
      const expected = reference.get(time)!;
      position = Math.max(position, distance(q, expected.q));
      energy = Math.max(energy, Math.abs(own - expected.energy));
    }
    return { position, energy };
  }

  /** Least CPU time of a run and, if it was short, of repetitions, since other programs disturb short runs most. */
  #leastTime(seconds: number, options: SolveOptions<System>): number {
    let [least, sum] = [seconds, seconds];
    for (let i = 0; i < MAX_REPEATS && sum < REPEAT_S; i++) {
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
/** Numbers of steps in the span. */
const DEFAULT_STEPS = [500, 1000, 2000, 4000, 8000];

/**
 * Selects step sizes or tolerances for a method. With steps alone, all methods take steps, including those that estimate
 * their error. With tolerances alone, only methods without an estimate take steps. With both, or neither, complete schemes
 * take steps, for which they were designed.
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
  if ("method" in given || !("formulation" in given || "coupled" in given)) return given;
  return { method: given };
}

function nameOf(choice: MethodChoice): string {
  if ("integrator" in choice) return choice.integrator.name;
  const { method } = choice;
  const own = "coupled" in method ? [method.coupled] : [method.formulation];
  const stabilisations = method.stabilisation ? [method.stabilisation].flat() : [];
  const last = "integrator" in method ? [method.integrator] : [];
  return [...own, ...stabilisations, ...last].map(({ name }) => name).join(" + ");
}

/** A state with an energy, as of mechanisms and equations. */
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
  const reached = times.slice(0, solution.length);
  return new Map(reached.map((time, k) => [time, sampleOf(solution.state(k))]));
}

/** Comparison times of a run: ends of its steps if they are fixed. */
function timesOf([begin, end]: readonly [number, number], { kind, value }: Effort): number[] {
  const span = end - begin;
  const times = Array.from({ length: SAMPLES - 1 }, (_, k) => {
    const part = (span * k) / (SAMPLES - 1);
    const step = Math.sign(span) * value;
    return kind === "tolerance" ? begin + part : begin + Math.round(part / step) * step;
  });
  return [...new Set([...times.filter((time) => (end - time) * span > 0), end])];
}

/** Name of a run. Names of solutions have no gains, so the requested names distinguish runs. */
function nameOfRun(ran: string, asked: string): string {
  const gains = [...asked.matchAll(/([a-zA-Z]+)\s*(\([-+.,\seE\d]+\))/g)];
  return gains.reduce((name, [, part, numbers]) => name.replace(part!, `${part}${numbers}`), ran);
}

/** Number of coordinates of a body: its centre of mass, and Euler parameters. */
const BODY_COORDINATES = 7;

/** Largest distance of a centre of mass. */
function ofBodies(q: ArrayLike<number>, reference: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < q.length; i += BODY_COORDINATES) {
    const [x, y, z] = [0, 1, 2].map((j) => q[i + j]! - reference[i + j]!);
    most = Math.max(most, Math.hypot(x!, y!, z!));
  }
  return most;
}

/** Largest difference of a coordinate. */
function ofCoordinates(q: ArrayLike<number>, reference: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < q.length; i++) most = Math.max(most, Math.abs(q[i]! - reference[i]!));
  return most;
}

// Formats a comparison as a table, plots and a page.

export const COLUMNS = [
  { name: "method", align: "left" },
  { name: "coordinates", align: "left" },
  { name: "rows", align: "right" },
  { name: "with", align: "left" },
  { name: "steps", align: "right" },
  { name: "error", align: "right" },
  { name: "drift", align: "right" },
  { name: "drift of v", align: "right" },
  { name: "energy", align: "right" },
  { name: "evaluations", align: "right" },
  { name: "factors", align: "right" },
  { name: "time", align: "right" },
  { name: "ended", align: "left" },
] as const;

const effortText = ({ kind, value }: Effort) => `${kind} ${short(value)}`;

/** A cell; unfinished runs have a tone. */
export type ComparedCell = string | { readonly text: string; readonly tone: "bad" };

/** A row of the table. */
export function cellsOf(run: ComparedRun): readonly ComparedCell[] {
  const isDone = run.status === "finished" || run.status === "event";
  return [
    run.method,
    run.coordinates ?? "-",
    run.status === "refused" ? "-" : count(run.rows),
    effortText(run.effort),
    count(run.steps),
    short(run.error, 2),
    short(run.drift, 2),
    short(run.velocityDrift, 2),
    short(run.energy, 2),
    count(run.evaluations),
    count(run.factorisations),
    duration(run.seconds),
    isDone ? run.status : { text: `${run.status}: ${run.reason}`.slice(0, 100), tone: "bad" },
  ];
}

/** Formats the runs as text with aligned columns. */
export function tableText(runs: readonly ComparedRun[]): string {
  const rows = [
    COLUMNS.map(({ name }) => name as string),
    ...runs.map((run) => cellsOf(run).map((cell) => (typeof cell === "string" ? cell : cell.text))),
  ];
  const widths = COLUMNS.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, i) =>
        COLUMNS[i]!.align === "left" ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!),
      )
      .join("  ")
      .trimEnd();
  return rows.map(line).join("\n");
}

/** Units of lengths and energies, if they are known. */
export interface ComparisonUnits {
  readonly length?: string | undefined;
  readonly energy?: string | undefined;
}

/** Blocks of the page: the reference, work-precision plots, and all runs. */
export function blocksOf(
  reference: string,
  runs: readonly ComparedRun[],
  { length, energy }: ComparisonUnits = {},
): readonly Block[] {
  return [
    { kind: "notes", notes: [reference] },
    plotOf("Error against time", "largest error", length, runs, ({ error }) => error),
    plotOf("Drift against time", "largest |Φ|", undefined, runs, ({ drift }) => drift),
    plotOf("Energy against time", "largest error", energy, runs, (one) => one.energy),
    { kind: "table", title: "All runs", columns: COLUMNS, rows: runs.map(cellsOf) },
  ];
}

/** Log-log plot with one curve for each method. */
function plotOf(
  title: string,
  label: string,
  unit: string | undefined,
  runs: readonly ComparedRun[],
  read: (run: ComparedRun) => number,
): Block {
  const methods = [...new Set(runs.map(({ method }) => method))];
  const series = methods.map((name) => {
    const own = runs
      .filter((one) => one.method === name && read(one) > 0 && Number.isFinite(read(one)))
      // Sorted by effort, so that a badly measured time cannot fold a curve back.
      .sort((a, b) => b.effort.value - a.effort.value);
    return { name, x: own.map(({ seconds }) => seconds), y: own.map(read), points: true };
  });
  return {
    kind: "plot",
    plot: {
      title,
      x: { label: "time on this machine", unit: "s", log: true },
      y: { label, ...(unit !== undefined && { unit }), log: true },
      series: series.filter(({ x }) => x.length > 0),
    },
  };
}
