// Runs a campaign for a command, on processes of this machine or on a server, with progress and a journal.

import { availableParallelism } from "node:os";
import { NodriftError } from "../../src/base/errors.js";
import { UsageError } from "../../src/cli/commands/command.js";
import { FileError, SILENT, type Terminal } from "../../src/cli/terminal/terminal.js";
import { count, duration, short } from "../../src/report/numbers.js";
import { checkCases } from "../cases/case-runner.js";
import type { Plan } from "../cases/plan.js";
import type { CaseResult } from "../cases/result.js";
import { ProcessWorker } from "../engine/pool.js";
import { sweep } from "../engine/sweep.js";
import { JournalError, type JournalOptions } from "../journal/journal.js";
import { Ledger } from "../journal/ledger.js";
import type { Address } from "../queue/address.js";
import { openServer, type Server } from "../queue/open-store.js";
import { remoteSweep } from "../queue/remote.js";

interface RunSweepOptions {
  readonly workers: number | undefined;
  readonly server: Address | undefined;
  readonly wanted: readonly number[] | undefined;
  /** Target duration of a server job in seconds. */
  readonly jobSeconds: number | undefined;
  readonly isQuiet: boolean;
  readonly terminal: Terminal;
}

/** Milliseconds between progress messages. */
const MESSAGE_INTERVAL_MS = 30_000;

/** Opens the ledger; journal errors become file errors. */
export function openLedger(plan: Plan, path: string, options: JournalOptions = {}): Ledger {
  try {
    return new Ledger(plan, path, options);
  } catch (error) {
    throw translated(error);
  }
}

/** Runs all open cases. */
export async function runSweep(ledger: Ledger, options: RunSweepOptions): Promise<void> {
  const { terminal, isQuiet, wanted } = options;
  const bar = isQuiet ? SILENT : terminal.bar();
  const began = performance.now();
  const open = wanted?.length ?? ledger.count - ledger.done - ledger.failed;
  let [fresh, lastMessage] = [0, began];
  try {
    for await (const _ of resultsOf(ledger, options)) {
      fresh++;
      const now = performance.now();
      const rate = fresh / ((now - began) / 1000);
      const text = progressText(ledger, rate);
      // The fraction of this run: earlier results say nothing about its remaining time.
      bar.update(fresh / open, text);
      if (isQuiet || wanted || now - lastMessage < MESSAGE_INTERVAL_MS) continue;
      terminal.log(
        `${count(ledger.done + ledger.failed)} of ${count(ledger.count)} cases, ${text}, ${duration((open - fresh) / rate)} left`,
      );
      lastMessage = now;
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
  // Report mistakes of the campaign before any process starts.
  checkCases(plan);
  if (server)
    yield* remoteSweep(ledger, server, {
      signal,
      wanted,
      jobSeconds: options.jobSeconds,
      log: (message) => terminal.log(message),
    });
  else {
    const open = wanted?.length ?? ledger.count - ledger.done - ledger.failed;
    const count = Math.max(1, Math.min(options.workers ?? availableParallelism(), open));
    const workers = Array.from({ length: count }, () => new ProcessWorker(plan));
    yield* sweep(ledger, workers, { signal, ...(wanted && { wanted }) });
  }
}

/** Performs an action on a server and closes it. */
export async function onServer<R>(
  address: Address,
  terminal: Terminal,
  action: (server: Server) => Promise<R>,
): Promise<R> {
  try {
    const server = await openServer(address, (message) => terminal.log(message));
    try {
      return await action(server);
    } finally {
      await server.close();
    }
  } catch (error) {
    throw translated(error);
  }
}

/** Converts journal errors to file errors, and missing libraries to usage errors. */
export function translated(error: unknown): unknown {
  if (error instanceof JournalError) return new FileError(error.message);
  if (error instanceof NodriftError && error.code === "LOAD") return new UsageError(error.message);
  return error;
}
