// Programming interface of campaigns.

import { availableParallelism } from "node:os";
import { optionsOf, rule, type Shape, show, text, whole } from "../src/base/checking/index.js";
import { NodriftError } from "../src/base/errors.js";
import type { StopSignal } from "../src/solve.js";
import { CaseRunner, checkCases } from "./cases/case-runner.js";
import { Plan } from "./cases/plan.js";
import type { CaseResult } from "./cases/result.js";
import { DESCRIPTION } from "./definition/checks.js";
import { define } from "./definition/define.js";
import type { CampaignDescription, CampaignModel, CaseMaker } from "./definition/options.js";
import { type CaseWorker, inProcessWorker } from "./engine/case-worker.js";
import { ProcessWorker, singleWorker } from "./engine/pool.js";
import { sweep } from "./engine/sweep.js";
import { Ledger } from "./journal/ledger.js";
import { Running } from "./journal/running.js";
import { type SobolIndex, sobolIndices } from "./statistics/indices.js";

/** Options of {@link campaign}. */
export interface CampaignOptions extends CampaignDescription {
  /** Model to run: a model document, the path of a model file or of a module, or a function. */
  readonly model: CampaignModel;
  /**
   * Number of processes that run cases; 0 runs them in this process. Modules always run in another process, since only killing a
   * process ends code that never returns. Default: one for each core, and 0 for functions.
   */
  readonly workers?: number;
  /** File for the results; a campaign with an existing journal resumes. Default: none. */
  readonly journal?: string;
  /** Stops the campaign; results so far are kept. */
  readonly signal?: StopSignal;
}

/** Progress of a campaign. */
export interface CampaignProgress {
  /** Number of cases. */
  readonly count: number;
  /** Number of cases with outputs. */
  readonly done: number;
  /** Number of failed cases. */
  readonly failed: number;
  /** Stop rule that ended the campaign early, as a sentence. */
  readonly stopReason: string | undefined;
}

/** A campaign. Iterating over it runs the cases. */
export interface Campaign extends AsyncIterable<CaseResult> {
  /** Names of parameters, in the order of `parameters` of results. */
  readonly parameters: readonly string[];
  /** Names of outputs, in the order of `outputs` of results. */
  readonly columns: readonly string[];
  /** Progress so far. */
  readonly progress: CampaignProgress;
  /** Results so far, by case index. */
  results(): Generator<CaseResult>;
  /** Mean, deviation, minimum and maximum of an output over the completed cases. */
  statistics(column: string): {
    readonly count: number;
    readonly mean: number;
    readonly deviation: number;
    readonly standardError: number;
    readonly minimum: number;
    readonly maximum: number;
  };
  /** Sobol's indices of an output, by parameter; undefined unless the design is of type "sensitivity". */
  indices(column: string): Readonly<Record<string, SobolIndex>> | undefined;
  /** Closes the journal. */
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
 * Runs a model with many parameter sets. Yields results as they arrive, including failed cases with their reasons.
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
      "campaign: a function runs in this process: omit workers, or put it into a module and use its path as model",
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
    if (this.#isRunning) throw new NodriftError("STOPPED", "campaign: already running");
    this.#isRunning = true;
    try {
      const { signal } = this.#options;
      yield* this.#ledger.results();
      if (this.#ledger.isComplete || this.#ledger.stopReason !== undefined) return;
      yield* sweep(this.#ledger, await this.#workers(), { signal });
    } finally {
      this.#isRunning = false;
    }
  }

  async #workers(): Promise<CaseWorker[]> {
    const { plan } = this.#ledger;
    const { workers, maker, signal } = this.#options;
    if (maker) return [inProcessWorker(await CaseRunner.of(plan, maker), signal)];
    if (workers === 0) return [await singleWorker(plan, signal)];
    checkCases(plan);
    return Array.from({ length: workers }, () => new ProcessWorker(plan));
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
      `campaign: unknown output ${show(column)}; available: ${this.columns.join(", ")}`,
    );
  }
}
