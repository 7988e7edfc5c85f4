// Campaigns in programs.

import { availableParallelism } from "node:os";
import { optionsOf, rule, type Shape, show, text, whole } from "../../ground/checking/index.js";
import { NodriftError } from "../../ground/errors.js";
import type { StopSignal } from "../../solve.js";
import { CaseRunner, checkCases } from "./cases/case-runner.js";
import { Plan } from "./cases/plan.js";
import type { CaseResult } from "./cases/result.js";
import { DESCRIPTION } from "./definition/checks.js";
import { define } from "./definition/define.js";
import type { CampaignDescription, CampaignModel, CaseMaker } from "./definition/options.js";
import { oneSeat, ProcessSeat } from "./engine/pool.js";
import { ownSeat, type Seat } from "./engine/seat.js";
import { sweep } from "./engine/sweep.js";
import { Ledger } from "./journal/ledger.js";
import { Running } from "./journal/running.js";
import { type SobolIndex, sobolIndices } from "./statistics/indices.js";

/** Options of {@link campaign}. */
export interface CampaignOptions extends CampaignDescription {
  /** What is run: a model document, the path of a model file or of a module, or a function. */
  readonly model: CampaignModel;
  /**
   * Processes that run cases; 0 runs them in this one, except those of modules: only the end of a process ends code that never
   * returns. Default: one for each core, and 0 for functions.
   */
  readonly workers?: number;
  /** A file in which results are kept: with the same one a campaign goes on where it was. Default: none. */
  readonly journal?: string;
  /** Ends the campaign; what is done is kept. */
  readonly signal?: StopSignal;
}

/** How far a campaign is. */
export interface CampaignProgress {
  /** Cases of the campaign. */
  readonly count: number;
  /** Cases with outputs. */
  readonly done: number;
  /** Cases without. */
  readonly failed: number;
  /** Which rule has ended it early. */
  readonly stopReason: string | undefined;
}

/** A campaign. Iterating over it runs its cases. */
export interface Campaign extends AsyncIterable<CaseResult> {
  /** Names of parameters, in the order of `parameters` of results. */
  readonly parameters: readonly string[];
  /** Names of outputs, in the order of `outputs` of results. */
  readonly columns: readonly string[];
  /** How far it is. */
  readonly progress: CampaignProgress;
  /** The results there are, by the numbers of their cases. */
  results(): Generator<CaseResult>;
  /** Mean, deviation, smallest and largest of an output, over the cases that are done. */
  statistics(column: string): {
    readonly count: number;
    readonly mean: number;
    readonly deviation: number;
    readonly standardError: number;
    readonly minimum: number;
    readonly maximum: number;
  };
  /** Sobol's indices of an output, by parameter; undefined for designs that do not give them. */
  indices(column: string): Readonly<Record<string, SobolIndex>> | undefined;
  /** Lets go of the journal. */
  close(): void;
}

const SHAPE: Shape<CampaignOptions> = {
  ...DESCRIPTION,
  model: {
    wants: "a model document, the path of a model file or of a module, or a function",
    needed: true,
    read: (value, place) =>
      rule<CampaignModel>(
        "a model document, the path of a model file or of a module, or a function",
        (given) =>
          (typeof given === "string" && given.trim() !== "") ||
          typeof given === "function" ||
          given instanceof URL ||
          Object.prototype.toString.call(given) === "[object Object]",
      ).read(value, place),
  },
  workers: whole(0, 1024),
  journal: text,
  signal: rule<StopSignal>(
    "an AbortSignal",
    (value) =>
      typeof value === "object" &&
      value !== null &&
      typeof (value as StopSignal).aborted === "boolean",
  ),
};

/**
 * Runs a model with many sets of parameters. Results come as they are ready; failed cases are among them, with the reason.
 *
 * @example
 * const study = campaign({
 *   model: "slider-crank.json",
 *   parameters: [{ name: "mass", at: "/bodies/crank/mass", normal: { mean: 1, deviation: 0.05 } }],
 *   design: { type: "sobol", cases: 256 },
 *   outputs: [{ name: "peak", maximum: "force('pin')" }],
 * });
 * for await (const result of study) console.log(result.case, result.status);
 * console.log(study.statistics("peak").mean);
 */
export function campaign(options: CampaignOptions, ...more: undefined[]): Campaign {
  const { model, workers, journal, signal, ...description } = optionsOf(
    "campaign",
    "DESCRIPTION",
    options,
    SHAPE,
    more,
  );
  const plan = new Plan(define(description, model, process.cwd()));
  const isFunction = typeof model === "function";
  if (isFunction && workers !== undefined && workers > 0) {
    throw new NodriftError(
      "DESCRIPTION",
      "campaign: a function runs in this process: put it into a module and give its path, or leave out workers",
    );
  }
  const count = workers ?? (isFunction ? 0 : availableParallelism());
  return new Study(new Ledger(plan, journal), {
    workers: count,
    maker: isFunction ? (model as CaseMaker) : undefined,
    signal,
  });
}

interface StudyOptions {
  readonly workers: number;
  readonly maker: CaseMaker | undefined;
  readonly signal: StopSignal | undefined;
}

class Study implements Campaign {
  readonly #ledger: Ledger;
  readonly #options: StudyOptions;
  #isRunning = false;

  constructor(ledger: Ledger, options: StudyOptions) {
    this.#ledger = ledger;
    this.#options = options;
  }

  get parameters(): readonly string[] {
    return this.#ledger.plan.parameters;
  }

  get columns(): readonly string[] {
    return this.#ledger.plan.columns;
  }

  get progress(): CampaignProgress {
    const { count, done, failed, stopReason } = this.#ledger;
    return { count, done, failed, stopReason };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<CaseResult> {
    if (this.#isRunning) throw new NodriftError("STOPPED", "campaign: it is running already");
    this.#isRunning = true;
    try {
      const { signal } = this.#options;
      yield* this.#ledger.results();
      if (this.#ledger.isComplete || this.#ledger.stopReason !== undefined) return;
      yield* sweep(this.#ledger, await this.#seats(), { signal });
    } finally {
      this.#isRunning = false;
    }
  }

  async #seats(): Promise<Seat[]> {
    const { plan } = this.#ledger;
    const { workers, maker, signal } = this.#options;
    if (maker) return [ownSeat(await CaseRunner.of(plan, maker), signal)];
    if (workers === 0) return [await oneSeat(plan, signal)];
    checkCases(plan);
    return Array.from({ length: workers }, () => new ProcessSeat(plan));
  }

  results(): Generator<CaseResult> {
    return this.#ledger.results();
  }

  statistics(column: string) {
    const index = this.#columnOf(column);
    const running = new Running();
    for (const result of this.#ledger.results()) {
      const value = result.status === "done" ? result.outputs[index] : null;
      if (typeof value === "number") running.add(value);
    }
    const { count, mean, deviation, standardError, minimum, maximum } = running;
    return { count, mean, deviation, standardError, minimum, maximum };
  }

  indices(column: string): Readonly<Record<string, SobolIndex>> | undefined {
    this.#columnOf(column);
    return sobolIndices(this.#ledger, column);
  }

  close(): void {
    this.#ledger.close();
  }

  #columnOf(column: string): number {
    const index = this.columns.indexOf(column);
    if (index >= 0) return index;
    throw new NodriftError(
      "DESCRIPTION",
      `campaign: there is no output ${show(column)}; there are ${this.columns.join(", ")}`,
    );
  }
}
