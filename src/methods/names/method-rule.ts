// Methods as options: objects made by the functions of the package. Names are read by `parseMethod`, which knows all
// methods: an option that accepted names would put all of them into every program.

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
import type { NodriftError } from "../../base/errors.js";
import type {
  CoupledMethod,
  Formulation,
  Integrator,
  Method,
  Stabilisation,
} from "../../interfaces/index.js";

/** A complete method, or an integrator for which the other parts are chosen. */
export type MethodChoice = { readonly method: Method } | { readonly integrator: Integrator };

/** The parts of methods. */
export interface Parts {
  readonly formulation: Formulation;
  readonly stabilisation: Stabilisation;
  readonly integrator: Integrator;
  readonly coupled: CoupledMethod;
}

/**
 * A method: its parts, or the result of `parseMethod`, which reads the names in `solution.method`.
 *
 * @example
 * const made: MethodOption = { formulation: maggi({ basis: "lu" }), integrator: rk4() };
 * const named: MethodOption = parseMethod("maggi(lu) + projection + rk4");
 */
export type MethodOption = Method | MethodChoice;

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

/** Returns the rule of an option that is a part of a method. */
export function partRule<Kind extends keyof Parts>(kind: Kind): Rule<Parts[Kind]> {
  const [mark, example] = KINDS[kind];
  const wants = `${/^[aeiou]/.test(kind) ? "an" : "a"} ${kind} like ${example}`;
  return {
    wants,
    read(value, given) {
      const place: OptionLocation = { ...given, code: "METHOD" };
      // Functions have `bind`, so an uncalled factory would be accepted.
      if (typeof value === "function")
        throw optionError(place, `is a function: call it, as in ${example}`);
      if (typeof value === "string") throw nameError(place, value, wants);
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

function nameError(place: OptionLocation, name: string, wants: string): NodriftError {
  return optionError(
    place,
    `is "${name}"; give ${wants}. parseMethod of nodrift/solve reads names of whole methods: method: parseMethod("radau5")`,
  );
}

const PARTS = {
  formulation: partRule("formulation"),
  stabilisation: partRule("stabilisation"),
  integrator: partRule("integrator"),
  coupled: partRule("coupled"),
};

/** Rule of an option that is a method, or an integrator alone, for which the caller chooses the other parts. */
export const methodRule: Rule<MethodChoice> = {
  wants: "{ formulation, integrator } or { coupled }",
  read(value, given) {
    const place: OptionLocation = { ...given, code: "METHOD" };
    if (typeof value === "string") throw nameError(place, value, this.wants);
    if (typeof value === "function") throw optionError(place, `is a function; give ${this.wants}`);
    if (CHOSEN.has(value as Method)) return { method: value as Method };
    const { method, ...parts } = readKeys(place, value, [...Object.keys(PARTS), "method"]);
    if (method !== undefined) {
      const extra = Object.keys(parts).find((key) => parts[key] !== undefined);
      if (extra === undefined) return this.read(method, inside(place, "method"));
      throw optionError(place, `has method and ${extra}: give one of them`);
    }
    const { integrator } = parts;
    const isAlone =
      integrator !== undefined &&
      Object.values(parts).every((part) => part === undefined || part === integrator);
    if (isAlone)
      return { integrator: PARTS.integrator.read(integrator, inside(place, "integrator")) };
    return { method: methodOfParts(place, parts) };
  },
};

function methodOfParts(place: OptionLocation, given: Readonly<Record<string, unknown>>): Method {
  const read = <Kind extends keyof Parts>(kind: Kind): Parts[Kind] => {
    const rule = PARTS[kind] as Rule<Parts[Kind]>;
    if (given[kind] !== undefined) return rule.read(given[kind], inside(place, kind));
    throw optionError(inside(place, kind), `is missing; give ${rule.wants}`);
  };
  const extra = stabilisationsOf(inside(place, "stabilisation"), given.stabilisation);
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
): { readonly stabilisation?: Stabilisation | readonly Stabilisation[] } {
  if (given === undefined) return {};
  const { stabilisation } = PARTS;
  if (!Array.isArray(given)) return { stabilisation: stabilisation.read(given, place) };
  return { stabilisation: listOf(stabilisation, "a list of stabilisations").read(given, place) };
}
