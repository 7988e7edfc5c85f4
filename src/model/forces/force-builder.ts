// The builder passed to recipes of forces: option checks, markers, and NaN checks of user laws.

import { isList, show } from "../../base/checking/values.js";
import { NodriftError } from "../../base/errors.js";
import type { Force } from "../handles.js";
import { Markers } from "../markers.js";
import type { ForceAppearance, ForceData, StateSetData } from "../model-data.js";
import { Checker, type OptionRules, type RecipeOption } from "../recipe-checker.js";
import type { Store } from "../store.js";

/** A type of force: all there is to know about it. Each has a file, and a line in the index. */
export interface ForceType<Options> {
  /** Rules of its options. */
  readonly options: OptionRules<Options>;
  readonly appearance: ForceAppearance;
  /** Converts options that satisfy their rules to a law. */
  law(options: Options, builder: ForceBuilder): ForceParts;
}

/** A force type of the registry. */
export type AnyForceType = Omit<ForceType<never>, "options"> & {
  readonly options: Readonly<Record<string, RecipeOption>>;
};

export interface ForceParts extends Omit<ForceData, "name" | "type" | "appearance"> {
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

/** Checks the options of a force, and adds it. */
export function addForce(store: Store, type: string, force: AnyForceType, options: object): Force {
  return store.attempt(() => {
    const builder = new ForceBuilder(store, type, options);
    const read = builder.read(options, force.options);
    const { states, ...parts } = force.law(read as never, builder);
    if (states) store.nameFor("states", "states", states.name);
    const constants = Object.freeze([...parts.constants]);
    const added = store.addForce({
      ...parts,
      constants,
      name: builder.name,
      type,
      appearance: force.appearance,
    });
    if (states) store.addStates(states);
    return added;
  });
}
