// The registry of methods that keep all coordinates and multipliers as unknowns: with one line per variant. A line
// enrols it in the conformance tests, the figures and the table of methods. All entries of this file are exported by
// `nodrift/solve`.

import type { CoupledMethod, Formulation } from "../../interfaces/index.js";
import { fuhrerLeimkuhler } from "./fuhrer-leimkuhler.js";
import { gearGuptaLeimkuhler } from "./gear-gupta-leimkuhler.js";
import { generalisedAlpha } from "./generalised-alpha.js";
import { hilberHughesTaylor } from "./hilber-hughes-taylor.js";
import { index2 } from "./index-2.js";
import { index3 } from "./index-3.js";

export { type FuhrerLeimkuhlerOptions, fuhrerLeimkuhler } from "./fuhrer-leimkuhler.js";
export { gearGuptaLeimkuhler } from "./gear-gupta-leimkuhler.js";
export {
  type AlphaOptions,
  type GeneralisedAlphaOptions,
  generalisedAlpha,
} from "./generalised-alpha.js";
export { type HilberHughesTaylorOptions, hilberHughesTaylor } from "./hilber-hughes-taylor.js";
export { index2 } from "./index-2.js";
export { index3 } from "./index-3.js";

/** Formulations with multipliers among their unknowns, for integrators that support algebraic unknowns. */
export const directFormulations: readonly Formulation[] = [
  index3(),
  index2(),
  gearGuptaLeimkuhler(),
  fuhrerLeimkuhler(),
  fuhrerLeimkuhler({ form: "overdetermined" }),
];

/** Coupled methods that solve for multipliers. */
export const directMethods: readonly CoupledMethod[] = [
  generalisedAlpha(),
  generalisedAlpha({ form: "index3" }),
  generalisedAlpha({ rhoInfinity: 0 }),
  hilberHughesTaylor(),
  hilberHughesTaylor({ form: "index3" }),
];
