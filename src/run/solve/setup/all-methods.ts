// All methods of the package by name.

import { argument, optionsOf, refuseMore, rule, type Shape } from "../../../base/checking/index.js";
import { NodriftError } from "../../../base/errors.js";
import type { Integrator } from "../../../interfaces/index.js";
import { directFormulations, directMethods } from "../../../methods/direct/index.js";
import { firstOrder } from "../../../methods/formulations/first-order.js";
import { adaptiveIntegrators, sdirk4 } from "../../../methods/integrators/adaptive.js";
import { integrators } from "../../../methods/integrators/index.js";
import { coreMethods, listedParts, madeParts } from "../../../methods/names/core-methods.js";
import { type MethodChoice, methodRule, partRule } from "../../../methods/names/index.js";
import { type MethodRegistry, methodFromName } from "../../../methods/names/method-name.js";
import { stateSpace } from "../../../methods/state-space/state-space.js";

/** Returns all methods, including adaptive ones. */
export function allMethods(): MethodRegistry {
  all ??= registry();
  return all;
}

let all: MethodRegistry | undefined;

function registry(): MethodRegistry {
  const core = coreMethods();
  const parts = new Map([
    ...madeParts({ ...integrators, ...adaptiveIntegrators, sdirk4 }),
    ...core.parts,
    ...listedParts("formulation", [stateSpace(), firstOrder(), ...directFormulations]),
    ...listedParts("coupled", directMethods),
  ]);
  return { ...core, parts };
}

/**
 * Returns a method from its name: an integrator ("dop853"), a coupled method ("welch"), or parts joined by plus
 * signs: a formulation, stabilisations and an integrator. Variants and gains stand in brackets: "maggi(lu)",
 * "baumgarte(10, 10)". Without a formulation it is udwadiaKalaba.
 *
 * @example
 * solve(system, { span: [0, 1], method: parseMethod("radau5") });
 * system.simulate({ step: 1e-3, method: parseMethod("udwadiaKalaba + projection + rk4") });
 */
export function parseMethod(text: string, ...more: undefined[]): MethodChoice {
  refuseMore("parseMethod", "METHOD", more, "it takes a name");
  const read = argument("parseMethod", "METHOD", "the name", text, NAME);
  const found = parsed.get(read) ?? frozen(methodFromName(read, allMethods()));
  if (parsed.size >= MAX_CACHED_NAMES) parsed.clear();
  parsed.set(read, found);
  return found;
}

function frozen(choice: MethodChoice): MethodChoice {
  if ("method" in choice) Object.freeze(choice.method);
  return Object.freeze(choice);
}

/** The same name is the same object: runs reuse the memory of earlier runs by their method. */
const parsed = new Map<string, MethodChoice>();
const MAX_CACHED_NAMES = 64;

const NAME = rule<string>('text, as in "radau5"', (value) => typeof value === "string");

/**
 * Returns the names of all formulations, stabilisations, integrators and coupled methods.
 *
 * @example
 * console.log(methodNames().includes("radau5")); // true
 */
export function methodNames(...more: undefined[]): readonly string[] {
  refuseMore("methodNames", "METHOD", more);
  return [...allMethods().parts.keys()];
}

/**
 * Whether `solve` can estimate the error of a method. If not, it needs a `step`.
 *
 * @example
 * const options = estimatesError(parseMethod("rk4")) ? { span } : { span, step: 1e-3 };
 */
export function estimatesError(given: MethodChoice, ...more: undefined[]): boolean {
  const { method, integrator } = optionsOf("estimatesError", "METHOD", given, CHOICE, more);
  if (integrator !== undefined) return "errorOrder" in integrator;
  if (method === undefined || !("method" in method)) {
    throw new NodriftError("METHOD", "estimatesError takes the result of parseMethod");
  }
  return "coupled" in method.method || "errorOrder" in method.method.integrator;
}

const CHOICE: Shape<{ method?: MethodChoice; integrator?: Integrator }> = {
  method: methodRule,
  integrator: partRule("integrator"),
};
