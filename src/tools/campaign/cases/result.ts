// What a case gave, and its line in journals, queues and tables. A line carries a checksum: what was torn or changed is not taken.

import { createHash } from "node:crypto";

/** What a case gave. */
export type CaseResult =
  | {
      readonly case: number;
      readonly id: string;
      readonly status: "done";
      /** Of all parameters, in their order. */
      readonly parameters: readonly number[];
      /** Of all columns of the output, in their order; null where an event did not occur. */
      readonly outputs: readonly (number | null)[];
    }
  | FailedCase;

/** A case without outputs, kept with all that is known about it. */
export interface FailedCase {
  readonly case: number;
  readonly id: string;
  readonly status: "failed";
  readonly parameters: readonly number[];
  /** Why, in a sentence. */
  readonly reason: string;
  /** The last state that was good, if any step was. */
  readonly last?: {
    readonly time: number;
    readonly q: readonly number[];
    readonly v: readonly number[];
  };
}

const SUM = 16;
const HEAD = `{"sum":"`.length;
const BODY = HEAD + SUM + `",`.length;

function sumOf(body: string): string {
  return createHash("sha256").update(body).digest("hex").slice(0, SUM);
}

/** The line of a record, without a line break: JSON, with the checksum of the rest as its first entry. */
export function lineOf(record: object): string {
  const body = JSON.stringify(record).slice(1);
  return `{"sum":"${sumOf(body)}",${body}`;
}

/** The record of a line; undefined where the line is not as it was written. */
export function recordOf(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith(`{"sum":"`) || line.slice(HEAD + SUM, BODY) !== '",') return undefined;
  const body = line.slice(BODY);
  if (sumOf(body) !== line.slice(HEAD, HEAD + SUM)) return undefined;
  try {
    return JSON.parse(`{${body}`) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** The result of a line: of a case with this many parameters and outputs, or nothing. */
export function resultOf(
  line: string,
  parameters: number,
  outputs: number,
): CaseResult | undefined {
  const record = recordOf(line) as Partial<CaseResult> | undefined;
  if (!record) return undefined;
  const { case: index, id, status, parameters: given } = record;
  const isNumbered =
    Number.isSafeInteger(index) && (index as number) >= 0 && typeof id === "string";
  if (!isNumbered || !areNumbers(given) || given.length !== parameters) return undefined;
  if (status === "failed")
    return typeof record.reason === "string" ? (record as CaseResult) : undefined;
  const own = status === "done" ? (record as { outputs?: unknown }).outputs : undefined;
  if (!Array.isArray(own) || own.length !== outputs) return undefined;
  const isWhole = own.every((value) => value === null || Number.isFinite(value));
  return isWhole ? (record as CaseResult) : undefined;
}

function areNumbers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((each) => Number.isFinite(each));
}
