// Status of all cases of a campaign, and the locations of their results in the journal. The results stay on disk, so memory grows
// by only a few bytes per case.

import type { Plan } from "../cases/plan.js";
import { type CaseResult, recordOf, resultOf } from "../cases/result.js";
import type { StopRule } from "../definition/options.js";
import { Journal, type JournalOptions, type LineLocation } from "./journal.js";
import { Running } from "./running.js";

// Rules that end a campaign. They are evaluated on cases in the order of their indices, up to the first open one. So the same cases
// decide, whatever the number of workers and the order in which cases finish.

/** Default number of cases before a rule applies. */
const DEFAULT_MINIMUM_CASES = 100;

/** Evaluates the stop rules case by case. */
class StopRules {
  readonly #rules: readonly {
    readonly rule: StopRule;
    readonly column: number;
    readonly running: Running;
  }[];
  #seen = 0;
  #failed = 0;

  constructor({ definition, columns }: Plan) {
    this.#rules = (definition.stop ?? []).map((rule) => ({
      rule,
      column: columns.indexOf(rule.output),
      running: new Running(),
    }));
  }

  /** Whether the campaign has stop rules. */
  get isNeeded(): boolean {
    return this.#rules.length > 0;
  }

  /** Adds the next case. Returns why the campaign ends with it, or undefined. */
  see(result: CaseResult): string | undefined {
    this.#seen++;
    if (result.status === "failed") this.#failed++;
    let why: string | undefined;
    for (const { rule, column, running } of this.#rules) {
      const value = result.status === "done" ? result.outputs[column] : undefined;
      if (typeof value === "number") running.add(value);
      if (this.#seen >= (rule.minimumCases ?? DEFAULT_MINIMUM_CASES))
        why ??= this.#judge(rule, running);
    }
    return why;
  }

  #judge(rule: StopRule, running: Running): string | undefined {
    const { output, standardErrorBelow, relativeErrorBelow, failuresAbove } = rule;
    if (failuresAbove !== undefined) {
      const part = this.#failed / this.#seen;
      return part > failuresAbove ? `${this.#failed} of ${this.#seen} cases failed` : undefined;
    }
    const error = running.standardError;
    const bound = standardErrorBelow ?? (relativeErrorBelow ?? 0) * Math.abs(running.mean);
    if (!(error < bound)) return undefined;
    return `the mean of "${output}" is known to ${error.toPrecision(3)} after ${this.#seen} cases`;
  }
}

const STATUS_OPEN = 0;
const STATUS_DONE = 1;
const STATUS_FAILED = 2;

/** Results in memory, for campaigns without a journal. */
class Memory {
  readonly #lines: string[] = [];

  append(lines: readonly string[]): LineLocation[] {
    return lines.map((line) => ({ offset: this.#lines.push(line) - 1, length: line.length }));
  }

  line({ offset }: LineLocation): string {
    return this.#lines[offset]!;
  }

  flush(): void {}
  close(): void {}
}

/** Status and results of all cases of a campaign. */
export class Ledger {
  readonly plan: Plan;
  /** Number of damaged lines in the journal, of lines of cases outside this campaign, and of lines in use. */
  readonly found = { damaged: 0, foreign: 0, taken: 0 };
  /** Why the campaign has ended early; undefined if it has not. */
  stopReason: string | undefined;
  readonly #journal: Journal | Memory;
  readonly #status: Uint8Array;
  readonly #offset: Float64Array;
  readonly #length: Uint32Array;
  readonly #rules: StopRules;
  /** Number of cases that the stop rules have seen. */
  #judged = 0;
  /** Number of cases of the campaign, fewer than those of the plan if a rule has ended it. */
  #end: number;
  #counts = { done: 0, failed: 0 };

  /** With a path, opens the journal and reads the results in it. */
  constructor(plan: Plan, path?: string, options: JournalOptions = {}) {
    const { count } = plan;
    this.plan = plan;
    this.#end = count;
    this.#status = new Uint8Array(count);
    this.#offset = new Float64Array(count);
    this.#length = new Uint32Array(count);
    this.#rules = new StopRules(plan);
    this.#journal =
      path === undefined
        ? new Memory()
        : new Journal(path, (line, location) => this.#load(line, location), options);
    this.#judge();
  }

  /** Number of cases. */
  get count(): number {
    return this.#end;
  }

  get done(): number {
    return this.#counts.done;
  }

  get failed(): number {
    return this.#counts.failed;
  }

  get isComplete(): boolean {
    return this.done + this.failed >= this.#end;
  }

  isOpen(index: number): boolean {
    return this.#status[index] === STATUS_OPEN;
  }

  isFailed(index: number): boolean {
    return this.#status[index] === STATUS_FAILED;
  }

  /** Marks cases to be run again. */
  reopen(indices: Iterable<number>): void {
    for (const index of indices) this.#set(index, STATUS_OPEN);
  }

  /** Stores valid lines of results. Returns the results of cases that were open. */
  add(lines: readonly string[]): CaseResult[] {
    const fresh: { readonly line: string; readonly result: CaseResult }[] = [];
    const seen = new Set<number>();
    for (const line of lines) {
      const result = this.#resultOf(line);
      if (!result || result.case < 0 || !this.isOpen(result.case) || seen.has(result.case))
        continue;
      seen.add(result.case);
      fresh.push({ line, result });
    }
    if (fresh.length === 0) return [];
    const locations = this.#journal.append(fresh.map(({ line }) => line));
    for (const [i, { result }] of fresh.entries()) this.#record(result, locations[i]!);
    this.#judge();
    return fresh.map(({ result }) => result).filter((result) => result.case < this.#end);
  }

  /** Result of a case; undefined if it is open. */
  result(index: number): CaseResult | undefined {
    if (this.isOpen(index)) return undefined;
    const line = this.#journal.line({ offset: this.#offset[index]!, length: this.#length[index]! });
    const result = this.#resultOf(line);
    // The case index in a line is that of the campaign which wrote it.
    return result && { ...result, case: index };
  }

  /** All results, by case index. */
  *results(): Generator<CaseResult> {
    for (let i = 0; i < this.#end; i++) {
      const result = this.result(i);
      if (result) yield result;
    }
  }

  flush(): void {
    this.#journal.flush();
  }

  close(): void {
    this.#journal.close();
  }

  #load(line: string, location: LineLocation): void {
    const result = this.#resultOf(line);
    if (!result && !recordOf(line)) this.found.damaged++;
    else if (!result || result.case < 0) this.found.foreign++;
    else {
      this.found.taken++;
      this.#record(result, location);
    }
  }

  /** Finds the case of a result by its id; its index may be different in this campaign. */
  #resultOf(line: string): CaseResult | undefined {
    const { plan } = this;
    const result = resultOf(line, plan.parameters.length, plan.columns.length);
    if (!result) return undefined;
    const isSame = result.case < plan.count && plan.id(result.case) === result.id;
    return isSame ? result : { ...result, case: plan.find(result.id) };
  }

  #record(result: CaseResult, { offset, length }: LineLocation): void {
    this.#set(result.case, result.status === "done" ? STATUS_DONE : STATUS_FAILED);
    this.#offset[result.case] = offset;
    this.#length[result.case] = length;
  }

  #set(index: number, status: number): void {
    this.#count(index, -1);
    this.#status[index] = status;
    this.#count(index, 1);
  }

  #count(index: number, by: number): void {
    if (index >= this.#end) return;
    if (this.#status[index] === STATUS_DONE) this.#counts.done += by;
    else if (this.#status[index] === STATUS_FAILED) this.#counts.failed += by;
  }

  #judge(): void {
    if (!this.#rules.isNeeded) return;
    while (this.#judged < this.#end && !this.isOpen(this.#judged)) {
      this.stopReason = this.#rules.see(this.result(this.#judged++)!);
      if (this.stopReason !== undefined) this.#endAt(this.#judged);
    }
  }

  #endAt(end: number): void {
    this.#end = end;
    this.#counts = { done: 0, failed: 0 };
    for (let i = 0; i < end; i++) this.#count(i, 1);
  }
}
