// Summary of a run: printed in the terminal, shown in the page, written to JSON.

import type { Units } from "../files/document/document.js";
import { timeUnit, unitOf } from "../files/functions/units.js";
import type { RunStatus, Solution, Statistics } from "../solve.js";
import { count, counted, duration, short } from "./numbers.js";
import type { Block, Tone } from "./render.js";

export interface SummaryLine {
  readonly label: string;
  /** Full text, for terminals. */
  readonly text: string;
  readonly tone?: Tone;
  /** Content of a card in a page: the main value, and details. */
  readonly card?: { readonly value: string; readonly unit?: string; readonly hint: string };
}

/** Statuses of successful runs. */
const SUCCESS_STATUSES: readonly RunStatus[] = ["finished", "event"];

export function isGood(status: RunStatus): boolean {
  return SUCCESS_STATUSES.includes(status);
}

/** Drift that triggers a warning; methods with stabilisation stay far below. */
const MAX_GOOD_DRIFT = 1e-6;

export interface SummaryOptions {
  readonly units: Units;
  readonly start: number;
}

/** Data of a summarised run of any system. */
export interface SummarisedRun
  extends Pick<Solution, "status" | "reason" | "method" | "methodReason" | "statistics" | "notes"> {
  readonly events: readonly { readonly name: string; readonly time: number }[];
  readonly end: { readonly time: number };
}

/** Returns the lines of the summary. */
export function summaryOf(
  solution: SummarisedRun,
  { units, start }: SummaryOptions,
): readonly SummaryLine[] {
  const { status, reason, method, methodReason, statistics, events, end, notes } = solution;
  const span = Math.abs(end.time - start);
  const why = methodReason === method ? "as given" : methodReason.replace(`${method}: `, "");
  return [
    {
      label: "status",
      text: reason.startsWith(status) ? reason : `${status}: ${reason}`,
      tone: isGood(status) ? "good" : "bad",
      card: { value: status, hint: reason },
    },
    {
      label: "method",
      text: method,
      card: { value: integratorsOf(method), hint: `${method}: ${why}` },
    },
    { label: "why", text: why },
    ...(statistics.coordinates
      ? [
          {
            label: "coordinates",
            text: `${statistics.coordinates}, ${count(statistics.rows)} rows of constraints`,
          },
        ]
      : []),
    stepsLine(statistics),
    driftLine(statistics),
    energyLine(statistics, units),
    speedLine(span, statistics.seconds, units),
    ...(events.length > 0 ? [eventLine(events)] : []),
    ...notes.map((text) => ({ label: "note", text, tone: "warn" as const })),
  ];
}

/** Returns the integrator, the last part of a method name; for several methods: "dop853, then radau5". */
function integratorsOf(method: string): string {
  return method
    .split(", then ")
    .map((words) => words.split(" + ").at(-1))
    .join(", then ");
}

function stepsLine(statistics: Statistics): SummaryLine {
  const { steps, rejections, evaluations, shortestStep, longestStep } = statistics;
  const value = count(steps);
  const rejected = `${count(rejections)} rejected`;
  const rest = `${short(shortestStep)} to ${short(longestStep)} long, ${counted(evaluations, "evaluation")}`;
  return {
    label: "steps",
    text: `${value} (${rejected}), ${rest}`,
    card: { value, hint: `${rejected}, ${rest}` },
  };
}

function driftLine({ maximumDrift }: Statistics): SummaryLine {
  const [position, velocity] = [maximumDrift.position, maximumDrift.velocity].map((drift) =>
    short(drift, 2),
  );
  return {
    label: "drift",
    text: `largest constraint error ${position}, rate error ${velocity}`,
    tone: maximumDrift.position < MAX_GOOD_DRIFT ? "good" : "warn",
    card: {
      value: position!,
      hint: `largest constraint error; rate error ${velocity}`,
    },
  };
}

function energyLine({ energyChange, energyError }: Statistics, units: Units): SummaryLine {
  const label = "energy";
  if (Number.isNaN(energyChange)) return { label, text: "unknown: some force has no potential" };
  const [value, unit] = [short(energyChange, 2), unitOf("energy", units)];
  const card = { value, unit };
  if (energyError !== undefined) {
    const text = `largest error ${value} ${unit}`;
    return { label, text, card: { ...card, hint: "largest energy error" } };
  }
  const hint = "the model adds or removes energy";
  return { label, text: `changes by up to ${value} ${unit}: ${hint}`, card: { ...card, hint } };
}

/** Returns the speed; the ratio to real time only if the time unit is seconds. */
function speedLine(span: number, seconds: number, units: Units): SummaryLine {
  const label = "speed";
  const taken = `${duration(seconds)} for ${short(span)} ${timeUnit(units)}`;
  if (timeUnit(units) !== "s" || seconds === 0) return { label, text: taken };
  const value = short(span / seconds, 2);
  return {
    label,
    text: `${taken}: ${value} times real time`,
    card: { value, unit: "× real time", hint: taken },
  };
}

function eventLine(events: SummarisedRun["events"]): SummaryLine {
  const found = new Map<string, number[]>();
  for (const { name, time } of events) found.set(name, [...(found.get(name) ?? []), time]);
  const text = [...found]
    .map(([name, times]) => {
      const first = times.slice(0, 3).map((time) => short(time, 6));
      return `${name} at t = ${first.join(", ")}${times.length > 3 ? `, ... (${times.length})` : ""}`;
    })
    .join("; ");
  return { label: "events", text, card: { value: count(events.length), hint: text } };
}

// Table of the events of a run.

/** Maximum number of events listed; the others are counted. */
const MAX_LISTED = 200;

export function eventTable(
  events: readonly {
    readonly name: string;
    readonly time: number;
    readonly direction: string;
    readonly mode: string;
  }[],
  unit: string,
): Block | undefined {
  if (events.length === 0) return undefined;
  const rows = events
    .slice(0, MAX_LISTED)
    .map(({ name, time, direction, mode }) => [name, short(time, 9), direction, mode]);
  const rest = events.length - rows.length;
  return {
    kind: "table",
    title: "Events",
    ...(rest > 0 && { caption: `and ${rest} more` }),
    columns: [
      { name: "event" },
      { name: `time (${unit})`, align: "right" },
      { name: "direction" },
      { name: "then in mode" },
    ],
    rows,
    collapsed: events.length > 20,
  };
}
