// Joints and forces that modes of a run lack, and when.

import type { BodyState, CompiledModel } from "../../bodies.js";
import type { Solution } from "../../solve.js";
import type { Absence } from "./scene-data.js";

/** After the last event nothing comes back, not even in the last picture of all. A number that files can hold. */
export const FOR_EVER = Number.MAX_VALUE;

/** From each event to the next: what the first system has and that of the mode has not. */
export function absencesOf(solution: Solution<BodyState>): readonly Absence[] {
  const { events, modes, source } = solution;
  const whole = partsOf(source);
  return events.flatMap(({ mode, time }, i) => {
    const system = modes[mode];
    if (system === undefined) return [];
    const there = new Set(partsOf(system));
    const to = events[i + 1]?.time ?? FOR_EVER;
    return whole.filter((name) => !there.has(name)).map((name) => ({ name, from: time, to }));
  });
}

function partsOf(source: object): readonly string[] {
  const { data } = source as Partial<CompiledModel>;
  return [...(data?.joints ?? []), ...(data?.forces ?? [])].map(({ name }) => name);
}
