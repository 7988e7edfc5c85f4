// Options of joints and forces. The interface of a recipe has units, defaults and the comments that editors show. Its
// `options` have a rule for each member of the interface, or it does not compile: the check of a call, the schema of
// model files and the conversion between both follow from these rules.

import { type Rule, rule } from "../base/checking/index.js";

/** An option: the rule of its value in a call, and its kind if files write something else. */
export interface RecipeOption<T = unknown> extends Rule<T> {
  readonly kind?: OptionKind;
}

/**
 * Kinds of options whose values are checked by the recipe, because they depend on the model. Files have names instead
 * of handles, and formulas or tables instead of functions. Options of the kind "program" are not written to files.
 */
export type OptionKind =
  | "vector"
  | "end"
  | "ends"
  | "joint"
  | "joints"
  | "bodies"
  | "plane"
  | "names"
  | "compliance"
  | "components"
  | "program"
  | LawKind;

/** Kinds of functions, by their arguments. */
export type LawKind =
  | "time"
  | "live"
  | "length"
  | "angle"
  | "along"
  | "about"
  | "load"
  | "road"
  | "loads"
  | "rows";

/** A rule for each option but `name`, which every joint and force has. */
export type OptionRules<Options> = {
  readonly [Name in Exclude<keyof Options, "name">]: undefined extends Options[Name]
    ? RecipeOption<Exclude<Options[Name], undefined>>
    : RecipeOption<Options[Name]> & { readonly needed: true };
};

/** An option that the recipe checks. */
/* @__NO_SIDE_EFFECTS__ */
export function recipeOption(kind: OptionKind, wants: string): RecipeOption<never> {
  return { ...rule<never>(wants, () => true), kind };
}

export const vector = recipeOption("vector", "3 numbers");
export const end = recipeOption("end", "a body or a marker");
export const ends = recipeOption("ends", "two bodies or markers");
export const joint = recipeOption("joint", "a joint");
export const compliance = recipeOption("compliance", "a number, or numbers by the names of rows");
/** A drive or another function of time. */
export const timeLaw = recipeOption("time", "a number, a formula or a function of time");
