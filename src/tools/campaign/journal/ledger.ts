// What is known of the cases of a campaign: which are done, and where in the journal. Results themselves stay on the disk, so that a
// campaign of a million cases needs no more memory than one of a thousand but for a few bytes a case.

import type { Plan } from "../cases/plan.js";
import { type CaseResult, recordOf, resultOf } from "../cases/result.js";
import { Journal, type JournalOptions, type LinePlace } from "./journal.js";
import { StopRules } from "./stop-rules.js";

const OPEN = 0;
const DONE = 1;
const FAILED = 2;

/** Where results are kept while there is no journal: of campaigns in a program. */
class Memory {
  readonly #lines: string[] = [];

  append(lines: readonly string[]): LinePlace[] {
    return lines.map((line) => ({ offset: this.#lines.push(line) - 1, length: line.length }));
  }

  line({ offset }: LinePlace): string {
    return this.#lines[offset]!;
  }

  flush(): void {}
  close(): void {}
}

/** The books of a campaign. */
export class Ledger {
  readonly plan: Plan;
  /** Lines of the journal that were damaged, and lines of cases that are no longer part of the campaign. */
  readonly found = { damaged: 0, foreign: 0, taken: 0 };
  /** Why the campaign has ended early, if it has. */
  stopReason: string | undefined;
  readonly #journal: Journal | Memory;
  readonly #status: Uint8Array;
  readonly #offset: Float64Array;
  readonly #length: Uint32Array;
  readonly #rules: StopRules;
  /** Cases before this one have been judged by the rules. */
  #judged = 0;
  /** The cases of the campaign: fewer than those of its plan where a rule has ended it. */
  #end: number;
  #counts = { done: 0, failed: 0 };

  /** With a path what is there already is taken. */
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
        : new Journal(path, (line, place) => this.#take(line, place), options);
    this.#judge();
  }

  /** Cases of the campaign. */
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
    return this.#status[index] === OPEN;
  }

  isFailed(index: number): boolean {
    return this.#status[index] === FAILED;
  }

  /** Cases are to be run again. */
  reopen(indices: Iterable<number>): void {
    for (const index of indices) this.#set(index, OPEN);
  }

  /** Keeps lines of results, once they are right. Gives the cases that were not known before. */
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
    const places = this.#journal.append(fresh.map(({ line }) => line));
    for (const [i, { result }] of fresh.entries()) this.#note(result, places[i]!);
    this.#judge();
    return fresh.map(({ result }) => result).filter((result) => result.case < this.#end);
  }

  /** What is known of a case. */
  result(index: number): CaseResult | undefined {
    if (this.isOpen(index)) return undefined;
    const line = this.#journal.line({ offset: this.#offset[index]!, length: this.#length[index]! });
    const result = this.#resultOf(line);
    // The numbers of a line are those of the campaign in which it was written.
    return result && { ...result, case: index };
  }

  /** All results, by the numbers of their cases. */
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

  #take(line: string, place: LinePlace): void {
    const result = this.#resultOf(line);
    if (!result && !recordOf(line)) this.found.damaged++;
    else if (!result || result.case < 0) this.found.foreign++;
    else {
      this.found.taken++;
      this.#note(result, place);
    }
  }

  /** A result by its identity: its number may be another in this campaign. */
  #resultOf(line: string): CaseResult | undefined {
    const { plan } = this;
    const result = resultOf(line, plan.parameters.length, plan.columns.length);
    if (!result) return undefined;
    const isSame = result.case < plan.count && plan.id(result.case) === result.id;
    return isSame ? result : { ...result, case: plan.find(result.id) };
  }

  #note(result: CaseResult, { offset, length }: LinePlace): void {
    this.#set(result.case, result.status === "done" ? DONE : FAILED);
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
    if (this.#status[index] === DONE) this.#counts.done += by;
    else if (this.#status[index] === FAILED) this.#counts.failed += by;
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
