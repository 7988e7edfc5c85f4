// The names of methods that take steps of one length.

import type { Integrator } from "../../seam/index.js";
import { coupledMethods } from "../coupled/index.js";
import { welch } from "../coupled/welch.js";
import { formulations } from "../formulations/index.js";
import { udwadiaKalaba } from "../formulations/udwadia-kalaba.js";
import { integrators } from "../integrators/index.js";
import { baumgarte } from "../stabilisations/baumgarte.js";
import { energyDescent } from "../stabilisations/energy-descent.js";
import { energyMultiplier } from "../stabilisations/energy-multiplier.js";
import { energyVelocity } from "../stabilisations/energy-velocity.js";
import { stabilisations } from "../stabilisations/index.js";
import type { Gained, Part, Parts, Vocabulary } from "./words.js";

const GAINED: Readonly<Record<string, Gained>> = {
  baumgarte: [2, (alpha, beta) => baumgarte({ alpha, beta })],
  energyMultiplier: [1, (eta) => energyMultiplier({ eta })],
  energyDescent: [2, (position, velocity) => energyDescent({ position, velocity })],
  energyVelocity: [1, (gain) => energyVelocity({ gain })],
};

/** All that is in the registries of the core. */
export function coreVocabulary(): Vocabulary {
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

type Line = readonly [name: string, make: () => Part];

/** Integrators of a registry, by their names. */
export function madeParts(makers: Readonly<Record<string, () => Integrator>>): Line[] {
  return Object.entries(makers).map(([name, make]) => [
    name,
    () => ({ kind: "integrator", part: make() }),
  ]);
}

/** Entries of a registry, by their names without blanks. */
export function listedParts<Kind extends keyof Parts>(
  kind: Kind,
  list: readonly Parts[Kind][],
): Line[] {
  return list.map((part) => [part.name.replaceAll(/\s+/g, ""), () => ({ kind, part }) as Part]);
}
