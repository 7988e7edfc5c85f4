// Which cases are given out together. Short cases go in large parts, so that handing them over costs nothing; parts that cost a
// worker its life are halved until the case that does it is alone.

import type { StopSignal } from "../../../solve.js";
import { DEFAULT_SECONDS, lateReason } from "../cases/case-runner.js";
import type { Plan } from "../cases/plan.js";
import { lineOf } from "../cases/result.js";
import type { Ledger } from "../journal/ledger.js";
import { type Seat, WorkerLost } from "./seat.js";

/** Seconds of work in a part. */
const SECONDS = 0.5;
/** A part grows at most so fast, and to so many cases. */
const GROWTH = 4;
const MOST = 2000;
/** Parts at the end of a campaign are small, so that no worker waits long for the last. */
const SHARE = 4;

/** Cases that belong together. */
export interface Chunk {
  readonly indices: readonly number[];
  /** How often a worker was lost with this case alone. */
  readonly tries: number;
}

/** Seconds in which cases should be done. A model ends by its own limit; code of a module may never give control back. */
export function timeoutOf({ definition }: Plan, { indices }: Chunk): number {
  const { maximumSeconds = DEFAULT_SECONDS } = definition.limits ?? {};
  const slack = definition.model.kind === "module" ? 2 : 30;
  return indices.length === 1
    ? 1.2 * maximumSeconds + slack
    : maximumSeconds + 20 * SECONDS + slack;
}

/**
 * What becomes of cases whose worker was lost: parts that are tried again, or the line of the one that fails. A part that is late is
 * tried case by case: halves would cost the limit over and over. A module that is late with one case would be late again.
 */
export function afterLoss(
  plan: Plan,
  { indices, tries }: Chunk,
  { message, isLate }: WorkerLost,
): readonly Chunk[] | string {
  if (indices.length > 1) {
    const size = isLate ? 1 : Math.ceil(indices.length / 2);
    const parts = Math.ceil(indices.length / size);
    return Array.from({ length: parts }, (_, i) => ({
      indices: indices.slice(i * size, (i + 1) * size),
      tries: 0,
    }));
  }
  const { model, limits: { maximumSeconds = DEFAULT_SECONDS, tries: most = 3 } = {} } =
    plan.definition;
  if (isLate && model.kind === "module") {
    return failedLine(plan, indices[0]!, lateReason(maximumSeconds));
  }
  if (tries + 1 < most) return [{ indices, tries: tries + 1 }];
  return setAsideLine(plan, indices[0]!, most, message);
}

/** Runs cases on one seat until each has a line, and gives the lines as they come. */
export async function* linesOf(
  seat: Seat,
  plan: Plan,
  indices: readonly number[],
  signal: StopSignal,
): AsyncGenerator<readonly string[]> {
  const open: Chunk[] = indices.length > 0 ? [{ indices, tries: 0 }] : [];
  for (let chunk = open.pop(); chunk && !signal.aborted; chunk = open.pop()) {
    try {
      yield (await seat.run(chunk.indices, timeoutOf(plan, chunk))).lines;
    } catch (error) {
      if (!(error instanceof WorkerLost) || signal.aborted) throw error;
      const after = afterLoss(plan, chunk, error);
      if (typeof after === "string") yield [after];
      else open.push(...[...after].reverse());
    }
  }
}

/** The line of a case that ends every worker that takes it. */
export function setAsideLine(plan: Plan, index: number, tries: number, why: string): string {
  const workers = tries === 1 ? "a worker was" : `${tries} workers were`;
  return failedLine(plan, index, `set aside: ${workers} lost with this case (${why})`);
}

function failedLine(plan: Plan, index: number, reason: string): string {
  return lineOf({
    case: index,
    id: plan.id(index),
    status: "failed",
    parameters: Array.from(plan.values(index)),
    reason,
  });
}

/** Gives out the open cases of a ledger. */
export class Chunks {
  readonly #ledger: Ledger;
  readonly #workers: number;
  readonly #again: Chunk[] = [];
  readonly #wanted: readonly number[] | undefined;
  #next = 0;
  #size = 1;

  /** Of all cases, or of some. */
  constructor(ledger: Ledger, workers: number, wanted?: readonly number[]) {
    this.#ledger = ledger;
    this.#workers = workers;
    this.#wanted = wanted;
  }

  /** The next cases; undefined if there are no more. */
  next(): Chunk | undefined {
    const again = this.#again.pop();
    if (again) return again;
    const indices: number[] = [];
    const size = Math.min(this.#size, Math.ceil(this.#left() / (SHARE * this.#workers)));
    while (indices.length < Math.max(1, size) && this.#next < this.#end()) {
      const index = this.#wanted ? this.#wanted[this.#next]! : this.#next;
      this.#next++;
      if (index < this.#ledger.count && this.#ledger.isOpen(index)) indices.push(index);
    }
    return indices.length > 0 ? { indices, tries: 0 } : undefined;
  }

  /** So many cases took so long. */
  learn(count: number, seconds: number): void {
    if (count === 0) return;
    const fitting = Math.floor(SECONDS / Math.max(seconds / count, 1e-6));
    this.#size = Math.max(1, Math.min(fitting, this.#size * GROWTH, MOST));
  }

  /** Their worker was lost. Gives the line of the case that fails by it, if one does. */
  lost(chunk: Chunk, loss: WorkerLost): string | undefined {
    const after = afterLoss(this.#ledger.plan, chunk, loss);
    if (typeof after === "string") return after;
    this.#again.push(...[...after].reverse());
    return undefined;
  }

  #end(): number {
    return this.#wanted ? this.#wanted.length : this.#ledger.count;
  }

  #left(): number {
    return this.#end() - this.#next;
  }
}
