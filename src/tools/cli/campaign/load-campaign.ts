// A campaign by the word people give.

import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { NodriftError } from "../../../ground/errors.js";
import { Plan } from "../../campaign/cases/plan.js";
import { readCampaignFile } from "../../campaign/definition/define.js";
import { type Address, addressOf } from "../../campaign/queue/address.js";
import { UsageError } from "../commands/command.js";
import { FileError } from "../terminal/file-error.js";

export interface LoadedCampaign {
  readonly plan: Plan;
  /** For names of files: "study". */
  readonly stem: string;
}

export function loadCampaign(given: string): LoadedCampaign {
  const found = statSync(given, { throwIfNoEntry: false });
  if (!found) throw new FileError(`there is no file ${given}`);
  if (found.isDirectory()) throw new FileError(`${given} is a folder: give a campaign file`);
  const stem = basename(given).replace(/\.json$/i, "");
  return { plan: new Plan(readCampaignFile(given)), stem };
}

/** Where results go. */
export function folderOf({ stem }: LoadedCampaign, out: string | undefined): string {
  return out ?? `${stem}-results`;
}

export const journalIn = (folder: string) => join(folder, "journal.ndjson");

/** The server that was named. Mistakes are those of the command line. */
export function serverOf(given: string | undefined): Address {
  try {
    return addressOf(given);
  } catch (error) {
    throw error instanceof NodriftError ? new UsageError(error.message) : error;
  }
}

/** A case by its number, or by the first digits of its identity. */
export function caseOf(plan: Plan, given: string): number {
  const index = /^\d{1,9}$/.test(given) ? Number(given) : -1;
  if (index >= 0 && index < plan.count) return index;
  const matching: number[] = [];
  if (/^[0-9a-f]{4,32}$/.test(given)) {
    for (let i = 0; i < plan.count; i++) if (plan.id(i).startsWith(given)) matching.push(i);
  }
  if (matching.length === 1) return matching[0]!;
  const why =
    matching.length > 1
      ? `${matching.length} cases begin with it`
      : `there are cases 0 to ${plan.count - 1}`;
  throw new UsageError(`--case ${given}: ${why}`);
}
