// Methods as text, as in the names of solutions: "udwadiaKalaba + projection + rk4", "welch", "radau5".

import { hint } from "../../base/checking/index.js";
import { NodriftError } from "../../base/errors.js";
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

/** A part with its kind. */
export type Part = {
  readonly [Kind in keyof Parts]: { readonly kind: Kind; readonly part: Parts[Kind] };
}[keyof Parts];

/** Maximum number of gains in brackets, and the constructor. If fewer are given, the last is repeated. */
export type PartWithGains = readonly [most: number, make: (a: number, b: number) => Stabilisation];

/** Names and their parts. */
export interface MethodRegistry {
  /** Parts by name without blanks. The first variant of each is also found without its brackets. */
  readonly parts: ReadonlyMap<string, () => Part>;
  readonly gained: Readonly<Record<string, PartWithGains>>;
  /** The formulation if none is named. */
  readonly formulation: () => Formulation;
}

const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;

/** Returns the method, or integrator, of a name. */
export function methodFromName(text: string, known: MethodRegistry): MethodChoice {
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
export function partFromName(where: string, word: string, { parts, gained }: MethodRegistry): Part {
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
