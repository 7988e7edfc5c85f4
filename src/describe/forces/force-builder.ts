// What a recipe of a force is given: checks, markers, and user laws checked for NaN.

import { NodriftError } from "../../ground/errors.js";
import type { Force } from "../model/handles.js";
import { Markers } from "../model/markers.js";
import type { ForceData, StateSetData } from "../model/model-data.js";
import { isList, show } from "../model/option-checks.js";
import { Checker } from "../model/recipe-checker.js";
import type { Store } from "../model/store.js";

/** A recipe: turns the user's options into a law. One file each, and one line in the index. */
export type ForceRecipe<Options> = (options: Options, builder: ForceBuilder) => ForceParts;

export interface ForceParts extends Omit<ForceData, "name" | "type"> {
  /** States that come with it. */
  readonly states?: StateSetData;
}

export class ForceBuilder extends Checker {
  readonly markers = new Markers(this);

  constructor(store: Store, type: string, options: object) {
    super(store, "force", type, options);
  }

  /** The number a user function returned. */
  number(option: string, result: unknown, t: number): number {
    if (typeof result === "number" && Number.isFinite(result)) return result;
    throw this.wrong(option, result, t);
  }

  /** Writes the numbers a user function returned. */
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

/** Makes a force by its recipe and adds it. */
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
