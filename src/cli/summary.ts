// What there is to say about a run, once: printed by the terminal, shown by the page, written to JSON.

import type { BodyState, Call, Model } from "../bodies/index.js";
import type { Units } from "../files/index.js";
import { unitOf } from "../files/index.js";
import type { Solution, Statistics, Status } from "../solve/index.js";
import { count, counted, duration, short } from "./numbers.js";
import type { Tone } from "./terminal.js";

export interface SummaryLine {
  readonly label: string;
  readonly text: string;
  readonly tone?: Extract<Tone, "good" | "warn" | "bad">;
}

/** Statuses of runs that came to where they should. */
const GOOD: readonly Status[] = ["finished", "event"];

export function isGood(status: Status): boolean {
  return GOOD.includes(status);
}

/** A drift above this is worth a look: methods that keep to the constraints stay far below. */
const DRIFT = 1e-6;

export interface SummaryOptions {
  readonly units: Units;
  readonly start: number;
  readonly model: Model;
}

/** A run in lines. */
export function summaryOf(
  solution: Solution<BodyState>,
  { units, start, model }: SummaryOptions,
): readonly SummaryLine[] {
  const { status, reason, method, choice, statistics, events, end, notes } = solution;
  const span = Math.abs(end.time - start);
  return [
    { label: "status", text: statusText(status, reason), tone: isGood(status) ? "good" : "bad" },
    { label: "method", text: method },
    { label: "why", text: choice === method ? "as given" : choice.replace(`${method}: `, "") },
    { label: "steps", text: stepsText(statistics) },
    driftLine(statistics),
    energyLine(statistics, units, model),
    { label: "speed", text: speedText(span, statistics.seconds, units) },
    ...(events.length > 0 ? [{ label: "events", text: eventText(events) }] : []),
    ...notes.map((text) => ({ label: "note", text, tone: "warn" as const })),
  ];
}

function statusText(status: Status, reason: string): string {
  return reason.startsWith(status) ? reason : `${status}: ${reason}`;
}

function stepsText(statistics: Statistics): string {
  const { steps, rejections, evaluations, shortestStep, longestStep } = statistics;
  const lengths = `${short(shortestStep)} to ${short(longestStep)} long`;
  return `${count(steps)} (${count(rejections)} rejected), ${lengths}, ${counted(evaluations, "evaluation")}`;
}

function driftLine({ maximumDrift }: Statistics): SummaryLine {
  const { position, velocity } = maximumDrift;
  const tone = position < DRIFT ? "good" : "warn";
  return {
    label: "drift",
    text: `constraints are off by at most ${short(position, 2)}, their rates by ${short(velocity, 2)}`,
    tone,
  };
}

function energyLine({ energyError }: Statistics, units: Units, model: Model): SummaryLine {
  const label = "energy";
  if (Number.isNaN(energyError)) return { label, text: "not known: some force has no potential" };
  const amount = `${short(energyError, 2)} ${unitOf("energy", units)}`;
  return isConservative(model)
    ? { label, text: `is off by at most ${amount}` }
    : { label, text: `changes by up to ${amount}: the model feeds it in or takes it out` };
}

/** Types of forces that neither feed energy in nor take it out, where they have no damping. */
const CONSERVATIVE: readonly string[] = ["spring", "torsionSpring", "bushing", "tyre"];

/** Whether nothing but errors can change the energy. */
export function isConservative(model: Model): boolean {
  return model.calls().every(({ made, options }) => {
    if (made.kind === "joint") return !made.type.startsWith("drive");
    return made.kind !== "force" || (CONSERVATIVE.includes(made.type) && keepsEnergy(options));
  });
}

function keepsEnergy({ damping = 0, ...others }: Call["options"]): boolean {
  const parts =
    typeof damping === "object" && damping !== null ? Object.values(damping) : [damping];
  const isLaw = Object.values(others).some((value) => typeof value === "function");
  return parts.every((part) => part === 0) && !isLaw;
}

/** Times real time makes sense for seconds only. */
function speedText(span: number, seconds: number, units: Units): string {
  const taken = `${duration(seconds)} for ${short(span)} ${units === "SI" ? "s" : units.time}`;
  const isSeconds = units === "SI" || units.time === "s";
  return isSeconds && seconds > 0 ? `${taken}: ${short(span / seconds, 2)} times real time` : taken;
}

function eventText(events: Solution<BodyState>["events"]): string {
  const counts = new Map<string, number[]>();
  for (const { name, time } of events) counts.set(name, [...(counts.get(name) ?? []), time]);
  return [...counts]
    .map(([name, times]) => {
      const first = times.slice(0, 3).map((time) => short(time, 6));
      return `${name} at t = ${first.join(", ")}${times.length > 3 ? `, ... (${times.length})` : ""}`;
    })
    .join("; ");
}
