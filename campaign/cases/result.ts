// Result of a case, and its line in journals, queues and tables. Lines carry a checksum; torn or changed ones are rejected.

import { createHash } from "node:crypto";

/** Result of a case. */
export type CaseResult =
  | {
      readonly case: number;
      readonly id: string;
      readonly status: "done";
      /** Values of all parameters, in order. */
      readonly parameters: readonly number[];
      /** Values of all output columns, in order; null if an event did not occur. */
      readonly outputs: readonly (number | null)[];
    }
  | FailedCase;

/** A case without outputs, with the available information. */
export interface FailedCase {
  readonly case: number;
  readonly id: string;
  readonly status: "failed";
  readonly parameters: readonly number[];
  /** Why the case failed, as a sentence. */
  readonly reason: string;
  /** Last accepted state, if any. */
  readonly last?: {
    readonly time: number;
    readonly q: readonly number[];
    readonly v: readonly number[];
  };
}

const CHECKSUM_LENGTH = 16;
const HEAD_LENGTH = `{"sum":"`.length;
const BODY_OFFSET = HEAD_LENGTH + CHECKSUM_LENGTH + `",`.length;

function checksumOf(body: string): string {
  return createHash("sha256").update(body).digest("hex").slice(0, CHECKSUM_LENGTH);
}

/** Line of a record without a line break: JSON whose first entry is the checksum of the rest. */
export function lineOf(record: object): string {
  const body = JSON.stringify(record).slice(1);
  return `{"sum":"${checksumOf(body)}",${body}`;
}

/** Parses a line; undefined if it is damaged. */
export function recordOf(line: string): Record<string, unknown> | undefined {
  if (
    !line.startsWith(`{"sum":"`) ||
    line.slice(HEAD_LENGTH + CHECKSUM_LENGTH, BODY_OFFSET) !== '",'
  )
    return undefined;
  const body = line.slice(BODY_OFFSET);
  if (checksumOf(body) !== line.slice(HEAD_LENGTH, HEAD_LENGTH + CHECKSUM_LENGTH)) return undefined;
  try {
    return JSON.parse(`{${body}`) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** Parses the result in a line; undefined unless its counts of parameters and outputs match. */
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
