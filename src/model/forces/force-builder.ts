// The builder passed to recipes of forces: option checks, markers, and NaN checks of user laws.

import { NodriftError } from "../../base/errors.js";
import type { Force } from "../handles.js";
import { Markers } from "../markers.js";
import type { ForceData, StateSetData } from "../model-data.js";
import { isList, show } from "../option-checks.js";
import { Checker } from "../recipe-checker.js";
import type { Store } from "../store.js";

/** A recipe, which converts the user's options into a law. Each has a file, and a line in the index. */
export type ForceRecipe<Options> = (options: Options, builder: ForceBuilder) => ForceParts;

export interface ForceParts extends Omit<ForceData, "name" | "type"> {
  /** States that belong to the force. */
  readonly states?: StateSetData;
}

export class ForceBuilder extends Checker {
  readonly markers = new Markers(this);

  constructor(store: Store, type: string, options: object) {
    super(store, "force", type, options);
  }

  /** Returns the result of a user function; throws unless it is a finite number. */
  number(option: string, result: unknown, t: number): number {
    if (typeof result === "number" && Number.isFinite(result)) return result;
    throw this.wrong(option, result, t);
  }

  /** Writes the list returned by a user function; throws unless all entries are finite numbers. */
  write(option: string, result: unknown, out: Float64Array, length: number, t: number): void {
    if (!isList(result) || result.length !== length) throw this.wrong(option, result, t);
    for (let i = 0; i < length; i++) {
      const entry = result[i];
      if (typeof entry !== "number" || !Number.isFinite(entry)) throw this.wrong(option, result, t);
      out[i] = entry;
    }
  }

  private wrong(option: string, result: unknown, t: number): NodriftError {
    return new NodriftError(
      "EVALUATION",
      `${this.where}: ${option} gave ${show(result)} at t = ${t}`,
    );
  }
}

/** Builds a force by its recipe and adds it. */
export function addForce<Options extends object>(
  store: Store,
  type: string,
  recipe: ForceRecipe<Options>,
  options: Options,
): Force {
  return store.attempt(() => {
    const builder = new ForceBuilder(store, type, options);
    const { states, ...parts } = recipe(options, builder);
    if (states) store.nameFor("states", "states", states.name);
    const constants = Object.freeze([...parts.constants]);
    const force = store.addForce({ ...parts, constants, name: builder.name, type });
    if (states) store.addStates(states);
    return force;
  });
}
