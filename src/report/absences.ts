// Absences: joints and forces that modes of a run lack, and when.

import type { BodyState, CompiledModel } from "../bodies.js";
import type { Run, Solution } from "../solve.js";
import type { Absence } from "./scene-data.js";

/** End of absences that last to the end of the run, final frame included. Finite, so that JSON can hold it. */
export const END_OF_TIME = Number.MAX_VALUE;

/** Returns for each mode, from its event to the next, the parts of the first system that it lacks. */
export function absencesOf(solution: Solution<BodyState>): readonly Absence[] {
  const { events, modes, source } = solution;
  const allParts = partsOf(source);
  return events.flatMap(({ mode, time }, i) => {
    const system = modes[mode];
    if (system === undefined) return [];
    const to = events[i + 1]?.time ?? END_OF_TIME;
    return missingParts(system, allParts).map((name) => ({ name, from: time, to }));
  });
}

/** Joints and forces that the present mode of a run lacks; the same array until the mode changes. */
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
      const names = missingParts(present, partsOf(source));
      if (names.join("\n") !== this.#names.join("\n")) this.#names = names;
    }
    return this.#names;
  }
}

function missingParts(system: object, allParts: readonly string[]): readonly string[] {
  const there = new Set(partsOf(system));
  return allParts.filter((name) => !there.has(name));
}

function partsOf(source: object): readonly string[] {
  const { data } = source as Partial<CompiledModel>;
  return [...(data?.joints ?? []), ...(data?.forces ?? [])].map(({ name }) => name);
}
