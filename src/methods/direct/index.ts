// The registry of methods that keep all coordinates and multipliers as unknowns: one line each variant. A line enrols it
// in the conformance tests, the figures and the table of methods. All entries of this file are exported by `nodrift/solve`.

import type { Formulation } from "../../seam/index.js";
import { gearGuptaLeimkuhler } from "./gear-gupta-leimkuhler.js";
import { index2 } from "./index-2.js";
import { index3 } from "./index-3.js";

export { gearGuptaLeimkuhler } from "./gear-gupta-leimkuhler.js";
export { index2 } from "./index-2.js";
export { index3 } from "./index-3.js";

/** Formulations with multipliers among their unknowns, for integrators that take these. */
export const directFormulations: readonly Formulation[] = [
  index3(),
  index2(),
  gearGuptaLeimkuhler(),
];
