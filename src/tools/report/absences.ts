// Joints and forces that modes of a run lack, and when.

import type { BodyState, CompiledModel } from "../../bodies.js";
import type { Run, Solution } from "../../solve.js";
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
    const to = events[i + 1]?.time ?? FOR_EVER;
    return lackedBy(system, whole).map((name) => ({ name, from: time, to }));
  });
}

/** Joints and forces that a run lacks now: the same list for as long as it stays in a mode. */
export class AbsentParts {
  readonly #run: Pick<Run, "source" | "present">;
  #present: object;
  #names: readonly string[] = [];

  constructor(run: Pick<Run, "source" | "present">) {
    this.#run = run;
    this.#present = run.source;
  }

  get names(): readonly string[] {
    const { present, source } = this.#run;
    if (present !== this.#present) {
      this.#present = present;
      const names = lackedBy(present, partsOf(source));
      if (names.join("\n") !== this.#names.join("\n")) this.#names = names;
    }
    return this.#names;
  }
}

function lackedBy(system: object, whole: readonly string[]): readonly string[] {
  const there = new Set(partsOf(system));
  return whole.filter((name) => !there.has(name));
}

function partsOf(source: object): readonly string[] {
  const { data } = source as Partial<CompiledModel>;
  return [...(data?.joints ?? []), ...(data?.forces ?? [])].map(({ name }) => name);
}
