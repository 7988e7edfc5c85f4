// The options of joints and forces by their kind: names of other entries, and functions. Options of other kinds are
// written to files unchanged.

import { forces, joints } from "../../bodies.js";
import {
  type OptionKind,
  type RecipeOption,
  userForceOptions,
} from "../../model/recipe-checker.js";

/** Rules of options, by type and name. */
export type OptionsByType = Readonly<Record<string, Readonly<Record<string, RecipeOption>>>>;

const optionsOf = (
  types: Readonly<Record<string, { readonly options: Readonly<Record<string, RecipeOption>> }>>,
): OptionsByType =>
  Object.fromEntries(Object.entries(types).map(([type, { options }]) => [type, options]));

export const jointOptions = optionsOf(joints);
export const forceOptions: OptionsByType = {
  ...optionsOf(forces),
  userForce: userForceOptions,
};

/** Returns the kind of an option of a joint or force; undefined for a plain value. */
export function optionKind(type: string, option: string): OptionKind | undefined {
  return (jointOptions[type] ?? forceOptions[type])?.[option]?.kind;
}

/** The slope of a road follows from its height and is not written. */
export const HEIGHT = "height";
export const SLOPE = "slope";
