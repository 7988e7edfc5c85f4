// Runs a campaign for a command: on processes of this machine or on a server, with progress and a journal.

import { availableParallelism } from "node:os";
import { NodriftError } from "../../../ground/errors.js";
import { checkCases } from "../../campaign/cases/case-runner.js";
import type { Plan } from "../../campaign/cases/plan.js";
import type { CaseResult } from "../../campaign/cases/result.js";
import { ProcessSeat } from "../../campaign/engine/pool.js";
import { sweep } from "../../campaign/engine/sweep.js";
import { JournalError, type JournalOptions } from "../../campaign/journal/journal.js";
import { Ledger } from "../../campaign/journal/ledger.js";
import type { Address } from "../../campaign/queue/address.js";
import { remoteSweep } from "../../campaign/queue/remote.js";
import { UsageError } from "../commands/command.js";
import { SILENT } from "../terminal/bar.js";
import { FileError } from "../terminal/file-error.js";
import { count, duration, short } from "../terminal/numbers.js";
import type { Terminal } from "../terminal/terminal.js";

export interface RunSweepOptions {
  readonly workers: number | undefined;
  readonly server: Address | undefined;
  readonly wanted: readonly number[] | undefined;
  /** Of work in a job on a server. */
  readonly jobSeconds: number | undefined;
  readonly isQuiet: boolean;
  readonly terminal: Terminal;
}

/** Milliseconds between lines about progress where there is no bar. */
const TOLD = 30_000;

/** Opens the books. Errors of files are told as such. */
export function openLedger(plan: Plan, path: string, options: JournalOptions = {}): Ledger {
  return told(() => new Ledger(plan, path, options));
}

/** Runs what is open. */
export async function runSweep(ledger: Ledger, options: RunSweepOptions): Promise<void> {
  const { terminal, isQuiet, wanted } = options;
  const bar = isQuiet ? SILENT : terminal.bar();
  const began = performance.now();
  const open = wanted?.length ?? ledger.count - ledger.done - ledger.failed;
  let [fresh, said] = [0, began];
  try {
    for await (const _ of resultsOf(ledger, options)) {
      fresh++;
      const now = performance.now();
      const rate = fresh / ((now - began) / 1000);
      const text = progressText(ledger, rate);
      // Of what this run has to do: what was there already says nothing about the time that is left.
      bar.update(fresh / open, text);
      if (isQuiet || wanted || now - said < TOLD) continue;
      terminal.tell(
        `${count(ledger.done + ledger.failed)} of ${count(ledger.count)} cases, ${text}, ${duration((open - fresh) / rate)} left`,
      );
      said = now;
    }
  } catch (error) {
    throw translated(error);
  } finally {
    bar.stop();
  }
}

function progressText(ledger: Ledger, rate: number): string {
  return `${short(rate)} cases/s${ledger.failed > 0 ? `, ${count(ledger.failed)} failed` : ""}`;
}

async function* resultsOf(ledger: Ledger, options: RunSweepOptions): AsyncGenerator<CaseResult> {
  const { server, wanted, terminal } = options;
  const { plan } = ledger;
  const { signal } = terminal;
  // Mistakes of the campaign are found here, before anything starts.
  checkCases(plan);
  if (server)
    yield* remoteSweep(ledger, server, {
      signal,
      wanted,
      jobSeconds: options.jobSeconds,
      tell: (message) => terminal.tell(message),
    });
  else {
    const open = wanted?.length ?? ledger.count - ledger.done - ledger.failed;
    const workers = Math.max(1, Math.min(options.workers ?? availableParallelism(), open));
    const seats = Array.from({ length: workers }, () => new ProcessSeat(plan));
    yield* sweep(ledger, seats, { signal, ...(wanted && { wanted }) });
  }
}

function told<R>(action: () => R): R {
  try {
    return action();
  } catch (error) {
    throw translated(error);
  }
}

/** Journals that cannot be written are about files; libraries that are missing about the command. */
export function translated(error: unknown): unknown {
  if (error instanceof JournalError) return new FileError(error.message);
  if (error instanceof NodriftError && error.code === "LOAD") return new UsageError(error.message);
  return error;
}
