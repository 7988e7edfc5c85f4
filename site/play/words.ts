// What is said of a run and of a model, in a line each.

import { make } from "../../src/tools/report/page/dom.js";
import { shortNumber } from "../../src/tools/report/page/text.js";
import type { ModelFacts, RunFacts } from "./protocol.js";

/** The numbers below a picture. */
export function caption(element: HTMLElement, facts: RunFacts, isDone: boolean): void {
  const { method, status, reason, steps, drift, energy, energyUnit, milliseconds, perStep } = facts;
  const whatEnergy = facts.isEnergyKept ? "energy error" : "energy changes by";
  const isGood = !isDone || status === "finished" || status === "event";
  const fact = (label: string, value: string) =>
    make("span", {}, `${label} `, make("b", {}, value));
  element.replaceChildren(
    make("b", {}, method),
    fact("steps", String(steps)),
    fact("drift", shortNumber(drift, 2)),
    ...(Number.isNaN(energy) ? [] : [fact(whatEnergy, `${shortNumber(energy, 2)} ${energyUnit}`)]),
    fact("computed in", `${shortNumber(milliseconds, 3)} ms`),
    fact("", `${shortNumber(perStep, 3)} µs a step`),
    ...(isGood ? [] : [make("span", { class: "bad" }, `${status}: ${reason}`)]),
  );
}

/** The line below everything. */
export function statusOf({ counts, notes }: ModelFacts, facts: RunFacts, isDone: boolean): string {
  const parts = [
    `${counts}.`,
    isDone ? "" : "Computing…",
    ...[...notes.slice(0, 1), ...facts.notes.slice(0, 1)].map(sentence),
  ];
  return parts.filter((part) => part !== "").join(" ");
}

/** Notes begin small, as parts of longer texts do. */
export function sentence(note: string): string {
  return note.charAt(0).toUpperCase() + note.slice(1);
}
