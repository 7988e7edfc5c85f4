// Methods in words, as solutions name them: "udwadiaKalaba + projection + rk4", "welch", "radau5".

import type { System } from "../contracts.js";
import { NodriftError } from "../errors.js";
import {
  baumgarte,
  type Coupled,
  coupledMethods,
  energyDescent,
  energyMultiplier,
  energyVelocity,
  type Formulation,
  formulations,
  type Integrator,
  integrators,
  type Method,
  type Stabilisation,
  stabilisations,
  udwadiaKalaba,
  welch,
} from "../index.js";
import { refusal } from "../model/checks.js";
import { checkMethod } from "../run/pairs.js";
import { adaptiveIntegrators, sdirk4, stateSpace } from "../solve/index.js";
import { advice } from "./names.js";

/** What `solve` takes: a whole method, or an integrator whose method is chosen around it. */
export type MethodChoice = { readonly method: Method } | { readonly integrator: Integrator };

type Part =
  | { readonly kind: "formulation"; readonly part: Formulation }
  | { readonly kind: "stabilisation"; readonly part: Stabilisation }
  | { readonly kind: "integrator"; readonly part: Integrator }
  | { readonly kind: "coupled"; readonly part: Coupled };

/** Those with gains, which are given in brackets: at most so many, of which the last stands for the others. */
const GAINS: Readonly<
  Record<string, readonly [most: number, make: (a: number, b: number) => Stabilisation]>
> = {
  baumgarte: [2, (alpha, beta) => baumgarte({ alpha, beta })],
  energyMultiplier: [1, (eta) => energyMultiplier({ eta })],
  energyDescent: [2, (position, velocity) => energyDescent({ position, velocity })],
  energyVelocity: [1, (gain) => energyVelocity({ gain })],
};

const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;

/**
 * A method out of its name: an integrator ("dop853"), a coupled method ("welch"), or parts with plus signs between
 * them: a formulation, stabilisations and an integrator. Variants and gains stand in brackets: "maggi(lu)",
 * "baumgarte(10, 10)". Without a formulation it is udwadiaKalaba.
 *
 * @example
 * solve(system, { span: [0, 1], ...parseMethod("radau5") });
 * solve(system, { span: [0, 1], step: 1e-3, ...parseMethod("udwadiaKalaba + projection + rk4") });
 */
export function parseMethod(text: string): MethodChoice {
  const known = registered();
  // Plus signs in brackets belong to numbers.
  const parts = text.split(/\+(?![^(]*\))/).map((word) => partOf(text, word.trim(), known));
  const coupled = parts.find(({ kind }) => kind === "coupled")?.part as Coupled | undefined;
  const stabilisation = parts.flatMap((one) => (one.kind === "stabilisation" ? [one.part] : []));
  const formulation = only(text, parts, "formulation") as Formulation | undefined;
  const integrator = only(text, parts, "integrator") as Integrator | undefined;
  if (coupled) {
    if (formulation ?? integrator ?? only(text, parts, "coupled") !== coupled) {
      throw refusal(`method "${text}"`, `${coupled.name} is a whole method: leave out the others`);
    }
    return { method: { coupled, ...(stabilisation.length > 0 && { stabilisation }) } };
  }
  if (!integrator) {
    throw refusal(`method "${text}"`, 'an integrator is missing, as in "... + rk4"');
  }
  if (!formulation && stabilisation.length === 0) return { integrator };
  const made = { formulation: formulation ?? udwadiaKalaba(), integrator };
  return { method: { ...made, ...(stabilisation.length > 0 && { stabilisation }) } };
}

/** Methods that do not estimate their error need a step. */
export function estimatesError(choice: MethodChoice): boolean {
  if ("integrator" in choice) return "errorOrder" in choice.integrator;
  return "coupled" in choice.method || "errorOrder" in choice.method.integrator;
}

function only(text: string, parts: readonly Part[], kind: Part["kind"]): unknown {
  const found = parts.filter((one) => one.kind === kind);
  if (found.length < 2) return found[0]?.part;
  throw refusal(`method "${text}"`, `there are two of which one is enough: ${namesOf(found)}`);
}

function namesOf(parts: readonly Part[]): string {
  return parts.map(({ part }) => part.name).join(" and ");
}

/** Every name that is known, for messages and for tables. */
export function methodNames(): readonly string[] {
  return [...registered().keys()];
}

/** Why a method makes no sense for a mechanism, if it does not. */
export function methodProblem(choice: MethodChoice): string | undefined {
  if (!("method" in choice)) return undefined;
  try {
    checkMethod(choice.method, MECHANISM);
    return undefined;
  } catch (error) {
    if (error instanceof NodriftError) return error.message;
    throw error;
  }
}

/** What all mechanisms have in common, for those who judge methods. */
const MECHANISM = { name: "mechanism", hasPotential: true, dense: {} } as unknown as System;

type Known = ReadonlyMap<string, () => Part>;

function partOf(text: string, word: string, known: Known): Part {
  const name = word.replaceAll(/\s+/g, "");
  if (name === "") throw refusal(`method "${text}"`, "a name is missing");
  const make =
    known.get(name) ?? known.get([...known.keys()].find((one) => one.startsWith(`${name}(`)) ?? "");
  if (make) return make();
  const [, gained = "", gains = ""] = /^(\w+)\((.*)\)$/.exec(name) ?? [];
  if (Object.hasOwn(GAINS, gained)) return gainedPart(text, gained, gains);
  throw refusal(`method "${text}"`, `${word} is not known${advice(name, [...known.keys()])}`);
}

function gainedPart(text: string, name: string, gains: string): Part {
  const [most, make] = GAINS[name]!;
  const words = gains.split(",");
  if (words.length > most || !words.every((word) => NUMBER.test(word))) {
    const wanted = most === 1 ? "1 number" : `1 or ${most} numbers`;
    throw refusal(`method "${text}"`, `${name} takes ${wanted} in its brackets, not "${gains}"`);
  }
  const [a = Number.NaN, b = a] = words.map(Number);
  return { kind: "stabilisation", part: make(a, b) };
}

/** From the registries: the first variant of each is also known without its brackets. */
function registered(): Known {
  const plain = <Entry extends { readonly name: string }>(
    kind: Part["kind"],
    list: readonly Entry[],
  ) =>
    list.map(
      (part) =>
        [part.name.replaceAll(/\s+/g, ""), () => ({ kind, part }) as unknown as Part] as const,
    );
  const made = { ...integrators, ...adaptiveIntegrators, sdirk4 };
  return new Map([
    ...Object.entries(made).map(
      ([name, make]) => [name, () => ({ kind: "integrator", part: make() }) as const] as const,
    ),
    ...plain("formulation", [...formulations, stateSpace()]),
    ["welch", () => ({ kind: "coupled", part: welch() }) as const],
    ...plain("coupled", coupledMethods),
    ...plain("stabilisation", stabilisations),
  ]);
}
