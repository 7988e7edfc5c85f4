// Loads campaigns given on the command line.

import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { NodriftError } from "../../src/base/errors.js";
import { UsageError } from "../../src/cli/commands/command.js";
import { FileError } from "../../src/cli/terminal/terminal.js";
import { Plan } from "../cases/plan.js";
import { readCampaignFile } from "../definition/define.js";
import { type Address, addressOf } from "../queue/address.js";

/** Options of several commands. */
export const OUT_OPTION = {
  value: "FOLDER",
  short: "o",
  help: "folder of the campaign (default: CAMPAIGN-results)",
} as const;
export const WORKERS_OPTION = {
  value: "NUMBER",
  short: "w",
  help: "number of processes (default: one for each core)",
} as const;

export interface LoadedCampaign {
  readonly plan: Plan;
  /** Base name of output files, such as "study". */
  readonly stem: string;
}

export function loadCampaign(given: string): LoadedCampaign {
  const found = statSync(given, { throwIfNoEntry: false });
  if (!found) throw new FileError(`file ${given} not found`);
  if (found.isDirectory()) throw new FileError(`${given} is a folder: use a campaign file`);
  const stem = basename(given).replace(/\.json$/i, "");
  return { plan: new Plan(readCampaignFile(given)), stem };
}

/** Folder for the results. */
export function folderOf({ stem }: LoadedCampaign, out: string | undefined): string {
  return out ?? `${stem}-results`;
}

export const journalIn = (folder: string) => join(folder, "journal.ndjson");

/** The server given on the command line. Throws a usage error for an invalid address. */
export function serverOf(given: string | undefined): Address {
  try {
    return addressOf(given);
  } catch (error) {
    throw error instanceof NodriftError ? new UsageError(error.message) : error;
  }
}

/** Finds a case by its index, or by the first digits of its id. */
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
      ? `${matching.length} cases have ids that begin with it; use more digits`
      : `unknown case; use an index from 0 to ${plan.count - 1} or an id`;
  throw new UsageError(`--case ${given}: ${why}`);
}
