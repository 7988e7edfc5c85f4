// Summarises a campaign as lines of text and as data.

import { count, short } from "../../src/report/numbers.js";
import type { SummaryLine } from "../../src/report/summary.js";
import type { Ledger } from "../journal/ledger.js";
import { Running } from "../journal/running.js";

/** Largest numbers of failure reasons and of outputs that are listed. */
const MAX_LISTED_REASONS = 3;
const MAX_LISTED_OUTPUTS = 12;

export function campaignSummary(ledger: Ledger): {
  readonly lines: readonly SummaryLine[];
  readonly data: object;
} {
  const { plan, done, failed, stopReason } = ledger;
  const columns = plan.columns.map((name) => ({ name, running: new Running() }));
  const reasons = new Map<string, number>();
  for (const result of ledger.results()) {
    if (result.status === "failed") {
      const reason = result.reason.replaceAll(/\s*\n\s*/g, " ");
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    } else {
      for (const [i, { running }] of columns.entries()) {
        const value = result.outputs[i];
        if (typeof value === "number") running.add(value);
      }
    }
  }
  const sorted = [...reasons].sort((a, b) => b[1] - a[1]);
  const cases = `${count(done)} done${failed > 0 ? `, ${count(failed)} failed` : ""}, of ${count(ledger.count)}`;
  const lines: SummaryLine[] = [
    { label: "cases", text: cases, tone: failed > 0 ? "warn" : "good" },
    ...(stopReason === undefined ? [] : [{ label: "ended", text: stopReason }]),
    ...sorted.slice(0, MAX_LISTED_REASONS).map(([reason, times]) => ({
      label: "failed",
      text: `${count(times)}: ${reason.slice(0, 200)}`,
      tone: "bad" as const,
    })),
    ...columns
      .slice(0, MAX_LISTED_OUTPUTS)
      .map(({ name, running }) => ({ label: name, text: textOf(running) })),
  ];
  const outputs = Object.fromEntries(columns.map(({ name, running }) => [name, dataOf(running)]));
  return {
    lines,
    data: {
      name: plan.definition.name,
      cases: ledger.count,
      done,
      failed,
      stopReason,
      reasons: sorted,
      outputs,
    },
  };
}

function textOf({ count: n, mean, deviation, minimum, maximum }: Running): string {
  if (n === 0) return "no values";
  return `mean ${short(mean, 5)}, deviation ${short(deviation)}, from ${short(minimum, 4)} to ${short(maximum, 4)}`;
}

function dataOf({ count: n, mean, deviation, standardError, minimum, maximum }: Running): object {
  return n === 0 ? { count: 0 } : { count: n, mean, deviation, standardError, minimum, maximum };
}
