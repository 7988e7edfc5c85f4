// Names of fixed-step methods.

import type { Integrator } from "../../interfaces/index.js";
import { coupledMethods, welch } from "../coupled/index.js";
import { formulations, udwadiaKalaba } from "../formulations/index.js";
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
import type { MethodRegistry, Part, Parts, PartWithGains } from "./method-name.js";

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

/** Returns all entries of the registries of the core. */
export function coreMethods(): MethodRegistry {
  return {
    parts: new Map([
      ...madeParts(integrators),
      ...listedParts("formulation", formulations),
      ["welch", () => ({ kind: "coupled", part: welch() })] as const,
      ...listedParts("coupled", coupledMethods),
      ...listedParts("stabilisation", stabilisations),
    ]),
    gained: GAINED,
    formulation: udwadiaKalaba,
  };
}

type NamedPartMaker = readonly [name: string, make: () => Part];

/** Returns the integrators of a registry by name. */
export function madeParts(makers: Readonly<Record<string, () => Integrator>>): NamedPartMaker[] {
  return Object.entries(makers).map(([name, make]) => [
    name,
    () => ({ kind: "integrator", part: make() }),
  ]);
}

/** Returns the entries of a registry by name without blanks. */
export function listedParts<Kind extends keyof Parts>(
  kind: Kind,
  list: readonly Parts[Kind][],
): NamedPartMaker[] {
  return list.map((part) => [part.name.replaceAll(/\s+/g, ""), () => ({ kind, part }) as Part]);
}
