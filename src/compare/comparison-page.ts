// Formats a comparison as a table, plots and a page.

import type { Block } from "../report/index.js";
import { count, duration, short } from "../report/numbers.js";
import type { ComparedRun, Effort } from "./comparison.js";

export const COLUMNS = [
  { name: "method", align: "left" },
  { name: "coordinates", align: "left" },
  { name: "rows", align: "right" },
  { name: "with", align: "left" },
  { name: "steps", align: "right" },
  { name: "error", align: "right" },
  { name: "drift", align: "right" },
  { name: "drift of v", align: "right" },
  { name: "energy", align: "right" },
  { name: "evaluations", align: "right" },
  { name: "factors", align: "right" },
  { name: "time", align: "right" },
  { name: "ended", align: "left" },
] as const;

const effortText = ({ kind, value }: Effort) => `${kind} ${short(value)}`;

/** A cell; unfinished runs have a tone. */
export type ComparedCell = string | { readonly text: string; readonly tone: "bad" };

/** A row of the table. */
export function cellsOf(run: ComparedRun): readonly ComparedCell[] {
  const isDone = run.status === "finished" || run.status === "event";
  return [
    run.method,
    run.coordinates ?? "-",
    run.status === "refused" ? "-" : count(run.rows),
    effortText(run.effort),
    count(run.steps),
    short(run.error, 2),
    short(run.drift, 2),
    short(run.velocityDrift, 2),
    short(run.energy, 2),
    count(run.evaluations),
    count(run.factorisations),
    duration(run.seconds),
    isDone ? run.status : { text: `${run.status}: ${run.reason}`.slice(0, 100), tone: "bad" },
  ];
}

/** Formats the runs as text with aligned columns. */
export function tableText(runs: readonly ComparedRun[]): string {
  const rows = [
    COLUMNS.map(({ name }) => name as string),
    ...runs.map((run) => cellsOf(run).map((cell) => (typeof cell === "string" ? cell : cell.text))),
  ];
  const widths = COLUMNS.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, i) =>
        COLUMNS[i]!.align === "left" ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!),
      )
      .join("  ")
      .trimEnd();
  return rows.map(line).join("\n");
}

/** Units of lengths and energies, if they are known. */
export interface ComparisonUnits {
  readonly length?: string | undefined;
  readonly energy?: string | undefined;
}

/** Blocks of the page: the reference, work-precision plots, and all runs. */
export function blocksOf(
  reference: string,
  runs: readonly ComparedRun[],
  { length, energy }: ComparisonUnits = {},
): readonly Block[] {
  return [
    { kind: "notes", notes: [reference] },
    plotOf("Error against time", "largest error", length, runs, ({ error }) => error),
    plotOf("Drift against time", "largest |Φ|", undefined, runs, ({ drift }) => drift),
    plotOf("Energy against time", "largest error", energy, runs, (one) => one.energy),
    { kind: "table", title: "All runs", columns: COLUMNS, rows: runs.map(cellsOf) },
  ];
}

/** Log-log plot with one curve for each method. */
function plotOf(
  title: string,
  label: string,
  unit: string | undefined,
  runs: readonly ComparedRun[],
  read: (run: ComparedRun) => number,
): Block {
  const methods = [...new Set(runs.map(({ method }) => method))];
  const series = methods.map((name) => {
    const own = runs
      .filter((one) => one.method === name && read(one) > 0 && Number.isFinite(read(one)))
      // Sorted by effort, so that a badly measured time cannot fold a curve back.
      .sort((a, b) => b.effort.value - a.effort.value);
    return { name, x: own.map(({ seconds }) => seconds), y: own.map(read), points: true };
  });
  return {
    kind: "plot",
    plot: {
      title,
      x: { label: "time on this machine", unit: "s", log: true },
      y: { label, ...(unit !== undefined && { unit }), log: true },
      series: series.filter(({ x }) => x.length > 0),
    },
  };
}
