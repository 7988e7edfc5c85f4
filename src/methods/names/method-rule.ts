// Methods as options: objects made by the functions of the package, or names.

import {
  inside,
  listOf,
  type OptionLocation,
  optionError,
  type Rule,
  reading,
  readKeys,
  wrongValueError,
} from "../../base/checking/index.js";
import type {
  CoupledMethod,
  Formulation,
  Integrator,
  Method,
  Stabilisation,
} from "../../interfaces/index.js";
import {
  type MethodChoice,
  type MethodRegistry,
  methodFromName,
  type Parts,
  partFromName,
} from "./method-name.js";

/**
 * A method as an object, as its parts, or by name (as in `solution.method`).
 *
 * @example
 * const made: MethodOption = { formulation: maggi({ basis: "lu" }), integrator: rk4() };
 * const named: MethodOption = { formulation: "maggi(lu)", stabilisation: "projection", integrator: "rk4" };
 * const inWords: MethodOption = "maggi(lu) + projection + rk4";
 */
export type MethodOption =
  | Method
  | string
  | {
      readonly formulation: Formulation | string;
      readonly stabilisation?: StabilisationOption;
      readonly integrator: Integrator | string;
    }
  | { readonly coupled: CoupledMethod | string; readonly stabilisation?: StabilisationOption };

type StabilisationOption = Stabilisation | string | readonly (Stabilisation | string)[];

/** Methods chosen by the package, not by the user. */
const CHOSEN = new WeakSet<Method>();

/** Marks a method as chosen by the package. */
export function chosenMethod(method: Method): Method {
  CHOSEN.add(method);
  return method;
}

/** Whether the user chose its formulation or stabilisation, which then receives the constraints it is made for. */
export function isNamed(method: Method): boolean {
  return !CHOSEN.has(method);
}

/** Property that identifies each kind of part, and an example. */
const KINDS: { readonly [Kind in keyof Parts]: readonly [mark: string, example: string] } = {
  formulation: ["changesUnknowns", "udwadiaKalaba()"],
  stabilisation: ["actsOn", "projection()"],
  integrator: ["isMultistep", "rk4()"],
  coupled: ["survivesRedundantRows", "welch()"],
};

/** Returns the rule of an option that is a part of a method, as object or name. */
export function partRule<Kind extends keyof Parts>(
  kind: Kind,
  known: () => MethodRegistry,
): Rule<Parts[Kind]> {
  const [mark, example] = KINDS[kind];
  const what = /^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`;
  const wants = `${what} like ${example}, or its name`;
  return {
    wants,
    read(value, given) {
      const place: OptionLocation = { ...given, code: "METHOD" };
      // Functions have `bind`, so an uncalled factory would be accepted.
      if (typeof value === "function")
        throw optionError(place, `is a function: call it, as in ${example}`);
      if (typeof value === "string") {
        const found = partFromName(`${place.where}: ${place.path}`, value, known());
        if (found.kind === kind) return found.part as Parts[Kind];
        throw optionError(place, `is "${value}", which is a ${found.kind}; give ${wants}`);
      }
      const part = value as Record<string, unknown> | null;
      const fits = reading(
        place,
        () =>
          typeof part === "object" &&
          typeof part?.bind === "function" &&
          typeof part.name === "string" &&
          part[mark] !== undefined &&
          (kind !== "coupled" || part.changesUnknowns === undefined),
      );
      if (!fits) throw wrongValueError(place, value, wants);
      return value as Parts[Kind];
    },
  };
}

/** Returns the rule of an option that is a method. A name may be that of an integrator alone; the caller handles it. */
export function methodRule(known: () => MethodRegistry): Rule<MethodChoice> {
  const wants = "{ formulation, integrator } or { coupled }, or the name of a method";
  const named = new Map<string, MethodChoice>();
  return {
    wants,
    read(value, given) {
      const place: OptionLocation = { ...given, code: "METHOD" };
      if (typeof value === "string") return memoise(named, value, known);
      if (typeof value === "function") throw optionError(place, `is a function; give ${wants}`);
      if (CHOSEN.has(value as Method)) return { method: value as Method };
      const parts = readKeys(place, value, [
        "formulation",
        "stabilisation",
        "integrator",
        "coupled",
      ]);
      return { method: methodOfParts(place, parts, known) };
    },
  };
}

/** Maximum number of cached names. */
const MAX_CACHED_NAMES = 64;

/** Returns the same object for the same name, as runs use their method as the key for memory of earlier runs. */
function memoise(
  named: Map<string, MethodChoice>,
  name: string,
  known: () => MethodRegistry,
): MethodChoice {
  const found = named.get(name) ?? methodFromName(name, known());
  if (named.size >= MAX_CACHED_NAMES) named.clear();
  named.set(name, found);
  return found;
}

function methodOfParts(
  place: OptionLocation,
  given: Readonly<Record<string, unknown>>,
  known: () => MethodRegistry,
): Method {
  const read = <Kind extends keyof Parts>(kind: Kind): Parts[Kind] => {
    const rule = partRule(kind, known);
    if (given[kind] !== undefined) return rule.read(given[kind], inside(place, kind));
    throw optionError(inside(place, kind), `is missing; give ${rule.wants}`);
  };
  const extra = stabilisationsOf(inside(place, "stabilisation"), given.stabilisation, known);
  if (given.coupled === undefined) {
    return { formulation: read("formulation"), ...extra, integrator: read("integrator") };
  }
  const both = ["formulation", "integrator"].find((kind) => given[kind] !== undefined);
  if (both === undefined) return { coupled: read("coupled"), ...extra };
  throw optionError(
    place,
    `has coupled and ${both}: \`coupled\` is a complete method, remove ${both}`,
  );
}

function stabilisationsOf(
  place: OptionLocation,
  given: unknown,
  known: () => MethodRegistry,
): { readonly stabilisation?: Stabilisation | readonly Stabilisation[] } {
  if (given === undefined) return {};
  const { read } = partRule("stabilisation", known);
  if (!Array.isArray(given)) return { stabilisation: read(given, place) };
  return {
    stabilisation: listOf({ wants: "", read }, "a list of stabilisations").read(given, place),
  };
}
