// Methods by name: the registries of all parts, and the parser of names.

import {
  argument,
  hint,
  optionsOf,
  refuseMore,
  rule,
  type Shape,
} from "../../base/checking/index.js";
import { NodriftError } from "../../base/errors.js";
import type {
  CoupledMethod,
  Formulation,
  Integrator,
  Stabilisation,
} from "../../interfaces/index.js";
import { coupledMethods, welch } from "../coupled/index.js";
import { directFormulations, directMethods } from "../direct/index.js";
import { firstOrder } from "../formulations/first-order.js";
import { formulations, udwadiaKalaba } from "../formulations/index.js";
import { adaptiveIntegrators, sdirk4 } from "../integrators/adaptive.js";
import { integrators } from "../integrators/index.js";
import type * as makers from "../stabilisations/index.js";
import {
  ascher,
  baumgarte,
  energyDescent,
  energyMultiplier,
  energyVelocity,
  type Gain,
  stabilisations,
} from "../stabilisations/index.js";
import { stateSpace } from "../state-space/state-space.js";
import { type MethodChoice, methodRule, type Parts, partRule } from "./method-rule.js";

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

// Names of fixed-step methods.

type Makers = typeof makers;
type GainOptions<Maker> = Maker extends (options: infer Options, ...more: never) => unknown
  ? Required<NonNullable<Options>>
  : never;

/** Stabilisations with gains among their options, whose names may have numbers in brackets. */
type WithGains = {
  [Name in keyof Makers]: Gain extends GainOptions<Makers[Name]>[keyof GainOptions<Makers[Name]>]
    ? Name
    : never;
}[keyof Makers];

const GAINED: Readonly<Record<WithGains, PartWithGains>> = {
  ascher: [1, (gain) => ascher({ gain })],
  baumgarte: [2, (alpha, beta) => baumgarte({ alpha, beta })],
  energyMultiplier: [1, (eta) => energyMultiplier({ eta })],
  energyDescent: [
    2,
    (position, velocity) => energyDescent({ positionGain: position, velocityGain: velocity }),
  ],
  energyVelocity: [1, (gain) => energyVelocity({ gain })],
};

/** Returns all methods, including adaptive ones. */
export function allMethods(): MethodRegistry {
  all ??= {
    parts: new Map([
      ...madeParts({ ...integrators, ...adaptiveIntegrators, sdirk4 }),
      ...listedParts("formulation", formulations),
      ["welch", () => ({ kind: "coupled", part: welch() })] as const,
      ...listedParts("coupled", coupledMethods),
      ...listedParts("stabilisation", stabilisations),
      ...listedParts("formulation", [stateSpace(), firstOrder(), ...directFormulations]),
      ...listedParts("coupled", directMethods),
    ]),
    gained: GAINED,
    formulation: udwadiaKalaba,
  };
  return all;
}

let all: MethodRegistry | undefined;

type NamedPartMaker = readonly [name: string, make: () => Part];

/** Returns the integrators of a registry by name. */
function madeParts(makers: Readonly<Record<string, () => Integrator>>): NamedPartMaker[] {
  return Object.entries(makers).map(([name, make]) => [
    name,
    () => ({ kind: "integrator", part: make() }),
  ]);
}

/** Returns the entries of a registry by name without blanks. */
function listedParts<Kind extends keyof Parts>(
  kind: Kind,
  list: readonly Parts[Kind][],
): NamedPartMaker[] {
  return list.map((part) => [part.name.replaceAll(/\s+/g, ""), () => ({ kind, part }) as Part]);
}

// Methods as text, as in the names of solutions: "udwadiaKalaba + projection + rk4", "welch", "radau5".

/** A part with its kind. */
type Part = {
  readonly [Kind in keyof Parts]: { readonly kind: Kind; readonly part: Parts[Kind] };
}[keyof Parts];

/** Maximum number of gains in brackets, and the constructor. If fewer are given, the last is repeated. */
type PartWithGains = readonly [most: number, make: (a: number, b: number) => Stabilisation];

/** Names and their parts. */
interface MethodRegistry {
  /** Parts by name without blanks. The first variant of each is also found without its brackets. */
  readonly parts: ReadonlyMap<string, () => Part>;
  readonly gained: Readonly<Record<string, PartWithGains>>;
  /** The formulation if none is named. */
  readonly formulation: () => Formulation;
}

const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;

/** Returns the method, or integrator, of a name. */
function methodFromName(text: string, known: MethodRegistry): MethodChoice {
  const where = `method "${text}"`;
  // Plus signs in brackets belong to numbers.
  const parts = text.split(/\+(?![^(]*\))/).map((word) => partFromName(where, word.trim(), known));
  const coupled = parts.find(({ kind }) => kind === "coupled")?.part as CoupledMethod | undefined;
  const stabilisation = parts.flatMap((one) => (one.kind === "stabilisation" ? [one.part] : []));
  const formulation = only(where, parts, "formulation") as Formulation | undefined;
  const integrator = only(where, parts, "integrator") as Integrator | undefined;
  if (coupled) {
    if (formulation ?? integrator ?? only(where, parts, "coupled") !== coupled) {
      throw wrong(where, `${coupled.name} is a complete method: remove the other parts`);
    }
    return { method: { coupled, ...(stabilisation.length > 0 && { stabilisation }) } };
  }
  if (!integrator) throw wrong(where, 'an integrator is missing, as in "... + rk4"');
  if (!formulation && stabilisation.length === 0) return { integrator };
  const made = { formulation: formulation ?? known.formulation(), integrator };
  return { method: { ...made, ...(stabilisation.length > 0 && { stabilisation }) } };
}

/** Returns the part of a name: "maggi(lu)", "baumgarte(10, 10)", "rk4". */
function partFromName(where: string, word: string, { parts, gained }: MethodRegistry): Part {
  const name = word.replaceAll(/\s+/g, "");
  if (name === "") throw wrong(where, "a name is missing");
  const variant = [...parts.keys()].find((one) => one.startsWith(`${name}(`)) ?? "";
  const make = parts.get(name) ?? parts.get(variant);
  if (make) return make();
  const [, plain = "", gains = ""] = /^(\w+)\((.*)\)$/.exec(name) ?? [];
  if (Object.hasOwn(gained, plain)) return gainedPart(where, plain, gains, gained[plain]!);
  throw wrong(where, `${word} is not known${hint(name, [...parts.keys()])}`);
}

function gainedPart(where: string, name: string, gains: string, [most, make]: PartWithGains): Part {
  const words = gains.split(",");
  if (words.length > most || !words.every((word) => NUMBER.test(word))) {
    const wanted = most === 1 ? "1 number" : `1 or ${most} numbers`;
    throw wrong(where, `${name} takes ${wanted} in its brackets, not "${gains}"`);
  }
  const [a = Number.NaN, b = a] = words.map(Number);
  return { kind: "stabilisation", part: make(a, b) };
}

function only(where: string, parts: readonly Part[], kind: Part["kind"]): unknown {
  const found = parts.filter((one) => one.kind === kind);
  if (found.length < 2) return found[0]?.part;
  const names = found.map(({ part }) => part.name).join(", ");
  throw wrong(where, `give only one of: ${names}`);
}

function wrong(where: string, what: string): NodriftError {
  return new NodriftError("METHOD", `${where}: ${what}`);
}
