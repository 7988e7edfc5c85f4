// One-line descriptions of a run and of a model.

import { make } from "../../src/report/page/dom.js";
import { shortNumber } from "../../src/report/page/text.js";
import type { ModelFacts, RunFacts } from "./protocol.js";

/** Writes the key figures below a picture. */
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
    fact("", `${shortNumber(perStep, 3)} µs per step`),
    ...(isGood ? [] : [make("span", { class: "bad" }, `${status}: ${reason}`)]),
  );
}

/** Returns the status line of the page. */
export function statusOf({ counts, notes }: ModelFacts, facts: RunFacts, isDone: boolean): string {
  const parts = [
    `${counts}.`,
    isDone ? "" : "Computing…",
    ...[...notes.slice(0, 1), ...facts.notes.slice(0, 1)].map(sentence),
  ];
  return parts.filter((part) => part !== "").join(" ");
}

/** Returns a note as a sentence: notes begin in lower case. */
export function sentence(note: string): string {
  return note.charAt(0).toUpperCase() + note.slice(1);
}
